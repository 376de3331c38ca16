#include "abut/scene/body_spec.hpp"

#include <Eigen/Eigenvalues>

#include "abut/base/error.hpp"

namespace abut {

Mat3 InertiaSpec::calc_matrix() const {
  const std::vector<double>& n = numbers;
  Mat3 matrix = Mat3::Zero();
  if (n.size() == 3) {
    matrix.diagonal() << n[0], n[1], n[2];
  } else if (n.size() == 6) {
    matrix << n[0], n[3], n[4], n[3], n[1], n[5], n[4], n[5], n[2];
  } else {
    ABUT_REQUIRE(n.size() == 9, "an inertia has 3, 6 or 9 numbers, not {}", n.size());
    matrix << n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8];
  }
  return matrix;
}

std::string find_inertia_defect(const Mat3& inertia) {
  const double size = inertia.cwiseAbs().maxCoeff();
  // 1e-9: hand-written decimals are rounded the same way on both sides of the diagonal; anything larger is a slip.
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > 1e-9 * size) return "is not symmetric";
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(inertia, Eigen::EigenvaluesOnly);
  const Vec3 moments = solver.eigenvalues();
  if (!(moments[0] > 0.0)) {
    return fmt::format("is not positive definite (principal moments {:.4g}, {:.4g}, {:.4g})", moments[0], moments[1],
                       moments[2]);
  }
  // A flat plate has equality, and rounding may put it a little beyond.
  if (moments[2] > (moments[0] + moments[1]) * (1.0 + 1e-6)) {
    return fmt::format("belongs to no body: the largest principal moment {:.4g} exceeds the sum of the others, {:.4g}",
                       moments[2], moments[0] + moments[1]);
  }
  return {};
}

}  // namespace abut
