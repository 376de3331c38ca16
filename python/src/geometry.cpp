#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include "abut/door/guard.hpp"
#include "abut/door/parts.hpp"
#include "abut/geometry/distance/support_distance.hpp"
#include "abut/geometry/point_pair.hpp"
#include "abut/geometry/signed_distance.hpp"
#include "abut/geometry/volume/interference.hpp"
#include "abut/geometry/volume/mass_properties.hpp"
#include "abut/geometry/volume/volume_shape.hpp"
#include "abut/sim/compile_parts.hpp"
#include "abut/sim/convex_support.hpp"
#include "abut/solve/lcp/solve_lcp.hpp"
#include "arrays.hpp"
#include "bindings.hpp"

namespace abut {

namespace {

/// A shape and where it lies on its body, as a scene says it.
struct PlacedShape {
  Shape shape;
  Pose X_BS;
};

/// The first shape of the scene's first body.
PlacedShape take_shape(const v0::Scene& scene) {
  return guard_door([&] {
    const ShapeSpec& spec = v0::Inside::parts(scene).spec.body.at(0).shape.at(0);
    return PlacedShape{make_shape(spec), make_pose(spec.position, spec.calc_orientation())};
  });
}

/// The volume in which two shapes interfere, prepared once.
class InterferenceObject {
 public:
  InterferenceObject(const PlacedShape& a, const PlacedShape& b, double relative_error)
      : a_(a), b_(b), inner_(guard_door([&] {
          VolumeOptions options;
          options.relative_error = relative_error;
          return Interference::make(make_volume_shape(a.shape), make_volume_shape(b.shape), options);
        })) {}

  /// [(volume, centroid, inertia, area vector)], a tuple for each connected piece.
  py::list calc(const py::object& position_a, const py::object& orientation_a, const py::object& position_b,
                const py::object& orientation_b) {
    const Pose X_WA = to_pose(position_a, orientation_a) * a_.X_BS, X_WB = to_pose(position_b, orientation_b) * b_.X_BS;
    std::vector<VolumeMetrics> pieces;
    guard_door([&] { inner_.calc(X_WA, X_WB, pieces); });
    py::list list;
    for (const VolumeMetrics& piece : pieces)
      list.append(
          py::make_tuple(piece.volume, to_numpy(piece.centroid), to_numpy(piece.inertia), to_numpy(piece.area_vector)));
    return list;
  }

 private:
  PlacedShape a_, b_;
  Interference inner_;
};

struct Closest {
  double distance;  ///< [m], < 0 overlapping
  Vec3 normal;      ///< from B into A
  Vec3 point_a, point_b;
};

/// Convex and bounded, apart.
std::optional<Closest> find_by_support(const SupportSolid& a, const Pose& X_WA, const SupportSolid& b,
                                       const Pose& X_WB) {
  SeparationMemory memory;
  const Separation s = calc_separation(a, X_WA, b, X_WB, memory);
  if (!(s.distance > 0.0)) return std::nullopt;
  return Closest{s.distance, s.normal, s.point_a, s.point_b};
}

/// Any convex bounded shape and a half-space, apart or not.
Closest find_over_plane(const SupportSolid& a, const Pose& X_WA, const HalfSpace& b, const Pose& X_WB) {
  const Vec3 normal = X_WB.R * b.normal;
  const Vec3 core = X_WA * a.calc_support(Vec3(X_WA.R.transpose() * -normal));
  const Vec3 point_a = core - a.margin() * normal;
  const double distance = normal.dot(point_a - X_WB.p) - b.offset;
  return {distance, normal, point_a, point_a - distance * normal};
}

/// By the models of contact at points, which also know how deep two shapes are in each other.
std::optional<Closest> find_by_points(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB) {
  const std::optional<PointPair> pair = find_point_pair(a, b);
  if (!pair || is_manifold(pair->kind)) return std::nullopt;
  std::array<PointContact, kMaxPairPoints> found;
  PointPairMemory memory;
  calc_point_contacts(*pair, a, X_WA, b, X_WB, memory, found.data());
  const PointContact& nearest = *std::min_element(found.begin(), found.begin() + pair->num_points,
                                                  [](const auto& x, const auto& y) { return x.gap < y.gap; });
  // The surface of B on the line of the normal; that of A lies a gap further.
  const SurfaceDistance of_b = calc_signed_distance(b, Vec3(X_WB.inverse() * nearest.point));
  const Vec3 point_b = nearest.point - of_b.distance * (X_WB.R * of_b.normal);
  return Closest{nearest.gap, nearest.normal, point_b + nearest.gap * nearest.normal, point_b};
}

Closest find_closest(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB) {
  const std::optional<SupportSolid> convex_a = find_convex_support(a), convex_b = find_convex_support(b);
  const auto* plane_a = std::get_if<HalfSpace>(&a);
  const auto* plane_b = std::get_if<HalfSpace>(&b);
  if (convex_a && plane_b != nullptr) return find_over_plane(*convex_a, X_WA, *plane_b, X_WB);
  if (convex_b && plane_a != nullptr) {
    const Closest c = find_over_plane(*convex_b, X_WB, *plane_a, X_WA);
    return {c.distance, -c.normal, c.point_b, c.point_a};
  }
  if (convex_a && convex_b) {
    if (const std::optional<Closest> found = find_by_support(*convex_a, X_WA, *convex_b, X_WB)) return *found;
  }
  if (const std::optional<Closest> found = find_by_points(a, X_WA, b, X_WB)) return *found;
  throw InputError(
      fmt::format("closest points of {} and {}: known are those of convex shapes that are apart, of convex shapes and "
                  "half-spaces, and "
                  "of pairs with a model of contact at points",
                  shape_name(a), shape_name(b)));
}

py::tuple closest_points(const PlacedShape& a, const PlacedShape& b, const py::object& position_a,
                         const py::object& orientation_a, const py::object& position_b,
                         const py::object& orientation_b) {
  const Pose X_WA = to_pose(position_a, orientation_a) * a.X_BS, X_WB = to_pose(position_b, orientation_b) * b.X_BS;
  const Closest c = guard_door([&] { return find_closest(a.shape, X_WA, b.shape, X_WB); });
  return py::make_tuple(c.distance, to_numpy(c.normal), to_numpy(c.point_a), to_numpy(c.point_b));
}

py::tuple mass_properties(const PlacedShape& placed, double density) {
  if (!(density > 0.0)) throw InputError("density must be > 0 kg/m^3");
  if (!is_finite(placed.shape))
    throw InputError(fmt::format("a {} without end has no mass properties", shape_name(placed.shape)));
  const MassProperties m =
      guard_door([&] { return transform_mass_properties(calc_mass_properties(placed.shape, density), placed.X_BS); });
  return py::make_tuple(m.mass, m.mass / density, to_numpy(m.center_of_mass), to_numpy(m.inertia));
}

/// (x, w, status, method, iterations, residual, message)
py::tuple solve(const MatX& A, const VecX& b, const VecX& lower, const VecX& upper,
                const std::vector<py::tuple>& couplings, double tolerance, const std::string& method) {
  BoundedLcp problem{A, b, lower, upper, {}};
  for (const py::tuple& c : couplings)
    problem.couplings.push_back({c[0].cast<int>(), c[1].cast<int>(), c[2].cast<double>()});
  LcpOptions options;
  options.tolerance = tolerance;
  constexpr std::array<const char*, 4> kMethods = {"automatic", "block_pivoting", "lemke", "gauss_seidel"};
  const auto found = std::find(kMethods.begin(), kMethods.end(), method);
  if (found == kMethods.end())
    throw InputError("method '" + method + "' is none of automatic, block_pivoting, lemke, gauss_seidel");
  options.method = static_cast<LcpMethod>(found - kMethods.begin());
  LcpResult result;
  {
    const py::gil_scoped_release free;
    result = guard_door([&] { return solve_lcp(problem, options); });
  }
  if (result.status == LcpStatus::invalid) throw InputError(result.message);
  return py::make_tuple(result.x, result.w, std::string(lcp_status_name(result.status)), result.method,
                        result.iterations, result.residual, result.message);
}

}  // namespace

void bind_geometry(py::module_& m) {
  py::class_<PlacedShape>(m, "PlacedShape").def(py::init(&take_shape), py::arg("scene"));
  py::class_<InterferenceObject>(m, "Interference")
      .def(py::init<const PlacedShape&, const PlacedShape&, double>())
      .def("calc", &InterferenceObject::calc);
  m.def("closest_points", &closest_points);
  m.def("mass_properties", &mass_properties);
  m.def("solve_lcp", &solve);
}

}  // namespace abut
