#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "abut/contact_pair.hpp"
#include "abut/door/convert.hpp"
#include "abut/door/guard.hpp"

namespace abut::v0 {

namespace {

using Column = std::array<double, 12>;
constexpr int kMostLevels = 10;       ///< halvings of the displacement
constexpr double kGoodEnough = 1e-8;  ///< of the greatest entry of a column of its kind: no further halving
constexpr double kLeastDepth = 1e-7;  ///< [m]
constexpr double kLeastSpeed = 1e-3;  ///< [m/s]
constexpr double kFirstFraction = 1.0 / 8;
constexpr double kGreatestTurn = 0.1;  ///< [rad, rad/s over rad]: rotations far from every contact
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

Column to_column(const PairForce& force) {
  Column column;
  auto* at = column.data();
  for (const Wrench* wrench : {&force.on_a, &force.on_b}) {
    at = std::copy(wrench->force.begin(), wrench->force.end(), at);
    at = std::copy(wrench->torque.begin(), wrench->torque.end(), at);
  }
  return column;
}

/// Component 0 to 11 of a motion, in the order of the columns.
Motion displace(Motion motion, int component, double by) {
  const auto axis = static_cast<std::size_t>(component % 3);
  switch (component / 3) {
    case 0:
      motion.position[axis] += by;
      break;
    case 1: {
      Vec3 turn = Vec3::Zero();
      turn[component % 3] = 1.0;
      const Quat turned = Quat(Eigen::AngleAxisd(by, turn)) * to_quat(motion.orientation);
      motion.orientation = to_array(Quat(turned.normalized()));
      break;
    }
    case 2:
      motion.velocity[axis] += by;
      break;
    default:
      motion.angular_velocity[axis] += by;
      break;
  }
  return motion;
}

/// Forces and torques are compared with their own kind.
double greatest_of_kind(const Column& column, std::size_t row) {
  const bool is_torque = row / 3 % 2 == 1;
  double greatest = 0.0;
  for (std::size_t i = 0; i < column.size(); ++i) {
    if ((i / 3 % 2 == 1) == is_torque) greatest = std::max(greatest, std::abs(column[i]));
  }
  return greatest;
}

/// One column by Richardson's extrapolation [Ridders 1982]: the entry of the table whose neighbours agree best. The
/// mean of both one-sided differences has even powers of the displacement only. Their half difference has odd ones and
/// goes to zero, unless the force has a kink right here: what is left of it counts as error.
class Extrapolation {
 public:
  /// Rates from W(+h), W(-h), W(0). `rounding`: of one entry of each kind at this displacement.
  void add(const Column& above, const Column& below, const Column& middle, double h, const Column& rounding) {
    Table mean{}, split{};
    for (std::size_t row = 0; row < 12; ++row) {
      mean[0][row] = (above[row] - below[row]) / (2 * h);
      split[0][row] = (above[row] - 2 * middle[row] + below[row]) / (2 * h);
    }
    double even = 1.0, odd = 0.5;
    for (int order = 0; order <= level_; ++order) {
      const auto j = static_cast<std::size_t>(order);
      if (order > 0) {
        even *= 4, odd *= 4;  // 4, 16, ... and 2, 8, ...
        for (std::size_t row = 0; row < 12; ++row) {
          mean[j][row] = mean[j - 1][row] + (mean[j - 1][row] - mean_[j - 1][row]) / (even - 1);
          split[j][row] = split[j - 1][row] + (split[j - 1][row] - split_[j - 1][row]) / (odd - 1);
        }
      }
      for (std::size_t row = 0; row < 12; ++row) {
        double wrong = std::abs(split[j][row]) + rounding[row];
        if (order > 0)
          wrong += std::max(std::abs(mean[j][row] - mean[j - 1][row]), std::abs(mean[j][row] - mean_[j - 1][row]));
        if (order == 0) wrong += std::abs(mean[0][row]);  // nothing to compare it with
        if (!(wrong < error[row])) continue;
        error[row] = wrong;
        value[row] = mean[j][row];
      }
    }
    mean_ = mean, split_ = split;
    ++level_;
  }

  bool is_good() const {
    for (std::size_t row = 0; row < 12; ++row) {
      if (error[row] > kGoodEnough * greatest_of_kind(value, row)) return false;
    }
    return level_ > 1;
  }

  Column value{};
  Column error = [] {
    Column column;
    column.fill(std::numeric_limits<double>::infinity());
    return column;
  }();

 private:
  using Table = std::array<Column, kMostLevels>;

  Table mean_{}, split_{};  ///< last rows of both tables
  int level_ = 0;
};

double norm(const Vector3& v) { return std::hypot(v[0], v[1], v[2]); }

}  // namespace

PairJacobian ContactPair::jacobian(const PairState& state, double time, const Motion& a, const Motion& b,
                                   std::span<const double> numbers) {
  return guard_door([&] {
    const PairForce here = evaluate(state, time, a, b, numbers);
    const Column middle = to_column(here);
    double depth = kLeastDepth, speed = kLeastSpeed;
    for (const Contact& contact : here.contacts) {
      depth = std::max(depth, std::abs(contact.depth));
      speed = std::max({speed, std::abs(contact.depth_rate), norm(contact.slip_velocity)});
    }
    PairJacobian out;
    if (here.contacts.empty()) return out;  // patches begin in begin_step() only: nothing depends on anything
    for (const bool is_a : {true, false}) {
      const Motion& motion = is_a ? a : b;
      double arm = 0.0;
      for (const Contact& contact : here.contacts)
        arm = std::max(arm, (to_vec(contact.point) - to_vec(motion.position)).norm());
      for (int component = 0; component < 12; ++component) {
        const bool is_turn = component / 3 % 2 == 1;
        double h = kFirstFraction * (component < 6 ? depth : speed);
        if (is_turn) h = std::min(h / std::max(arm, kLeastDepth), kGreatestTurn);
        // What is added to, whose digits are lost.
        const double base = component < 3   ? norm(motion.position)
                            : component < 6 ? 1.0
                            : is_turn       ? norm(motion.angular_velocity)
                                            : norm(motion.velocity);
        Extrapolation column;
        for (int level = 0; level < kMostLevels && !column.is_good(); ++level, h /= 2) {
          const Motion up = displace(motion, component, h), down = displace(motion, component, -h);
          const Column above =
              to_column(is_a ? evaluate(state, time, up, b, numbers) : evaluate(state, time, a, up, numbers));
          const Column below =
              to_column(is_a ? evaluate(state, time, down, b, numbers) : evaluate(state, time, a, down, numbers));
          Column rounding;
          for (std::size_t row = 0; row < 12; ++row) {
            const double force = std::max(greatest_of_kind(above, row), greatest_of_kind(below, row));
            const double rate = std::abs(above[row] - below[row]) / (2 * h);
            rounding[row] = 4 * kEpsilon * (force + base * rate) / h;
          }
          column.add(above, below, middle, h, rounding);
        }
        for (std::size_t row = 0; row < 12; ++row) {
          (is_a ? out.by_a : out.by_b)[row][static_cast<std::size_t>(component)] = column.value[row];
          (is_a ? out.error_by_a : out.error_by_b)[row][static_cast<std::size_t>(component)] = column.error[row];
        }
      }
    }
    return out;
  });
}

}  // namespace abut::v0
