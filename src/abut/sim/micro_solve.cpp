// One sub-step of contact space: forces as functions of the speeds at its end, and Newton's method on them.

#include <algorithm>
#include <cmath>
#include <variant>

#include "abut/sim/micro_space.hpp"

namespace abut {

namespace {

/// Solves the n x n system in place, columns one after the other, with partial pivoting; false where it is singular.
bool solve_dense(double* a, double* x, int n) {
  for (int j = 0; j < n; ++j) {
    double* column = a + static_cast<std::ptrdiff_t>(j) * n;
    int pivot = j;
    for (int i = j + 1; i < n; ++i) {
      if (std::abs(column[i]) > std::abs(column[pivot])) pivot = i;
    }
    if (!(std::abs(column[pivot]) > 0.0)) return false;
    if (pivot != j) {
      for (int c = j; c < n; ++c)
        std::swap(a[static_cast<std::ptrdiff_t>(c) * n + j], a[static_cast<std::ptrdiff_t>(c) * n + pivot]);
      std::swap(x[j], x[pivot]);
    }
    const double inverse = 1.0 / column[j];
    for (int i = j + 1; i < n; ++i) column[i] *= inverse;
    for (int c = j + 1; c < n; ++c) {
      double* other = a + static_cast<std::ptrdiff_t>(c) * n;
      const double factor = other[j];
      if (factor == 0.0) continue;
      for (int i = j + 1; i < n; ++i) other[i] -= column[i] * factor;
    }
    for (int i = j + 1; i < n; ++i) x[i] -= column[i] * x[j];
  }
  for (int j = n - 1; j >= 0; --j) {
    const double* column = a + static_cast<std::ptrdiff_t>(j) * n;
    x[j] /= column[j];
    for (int i = 0; i < j; ++i) x[i] -= column[i] * x[j];
  }
  return true;
}

}  // namespace

void MicroSpace::evaluate(std::size_t k, Mode mode, double eta, Local& out) const {
  const MicroRow& row = rows_[k];
  if (row.kind == MicroRow::Kind::joint) {
    evaluate_joint(row, (*joints_)[row.index], eta, out);
    return;
  }
  const MicroContact& c = contact(row);
  const double speed = w[row.first], speed_end = w_end_[row.first];
  NormalStep step;
  if (row.kind == MicroRow::Kind::stop) {
    step = mode == Mode::mean ? step_ringing_stop(row.stiffness, row.damper, c.depth, speed, speed_end, eta)
                              : step_quiet_stop(row.stiffness, row.damper, c.depth, speed_end, eta);
  } else {
    step = mode == Mode::mean ? step_ringing_force(laws_[k], c.depth, speed, speed_end, eta, is_free_[k] != 0)
                              : step_quiet_force(laws_[k], c.depth, speed_end, eta);
  }
  out.depth = step.depth;
  out.elastic = step.elastic;
  out.force = Vec3(step.force, 0.0, 0.0);
  out.D.setZero();
  out.D(0, 0) = step.slope;
  if (row.count == 3) evaluate_friction(row, c, eta, out);
}

void MicroSpace::evaluate_friction(const MicroRow& row, const MicroContact& c, double eta, Local& out) const {
  FrictionStepInput in;
  in.load = out.force[0];
  in.z = c.z;
  in.dwell = c.dwell;
  in.slip = Vec2(w[row.first + 1], w[row.first + 2]);
  in.eta = eta;
  in.effective_mass = c.effective_mass;
  in.mobility = std::max(A(row.first + 1, row.first + 1), A(row.first + 2, row.first + 2));
  in.load_before = c.force[0];
  const Vec2 slip_end(w_end_[row.first + 1], w_end_[row.first + 2]);
  out.friction = std::visit([&](const auto& law) { return step_friction(law, in, slip_end); }, row.rule->friction);
  out.force.tail<2>() = out.friction.force;
  out.D.block<2, 2>(1, 1) = out.friction.by_slip;
  out.D.block<2, 1>(1, 0) = out.friction.by_load * out.D(0, 0);
}

/// Linear parts at one weighted place and speed, so that they may be as stiff as they like; the motor cut at its limit.
void MicroSpace::evaluate_joint(const MicroRow& row, const MicroJoint& joint, double eta, Local& out) const {
  const JointLoad& load = *joint.load;
  const JointMotor& motor = load.motor;
  const double a = A(row.first, row.first), speed = w[row.first], speed_end = w_end_[row.first];
  double stiffness = load.stiffness, damper = load.damping + load.viscous;
  if (motor.mode == MotorMode::position) {
    stiffness += motor.gain;
    damper += motor.derivative_gain;
  } else if (motor.mode == MotorMode::velocity) {
    damper += motor.gain;
  }
  const double theta = calc_fitted_weight(eta * a * (eta * stiffness + damper));
  const double mean = (1.0 - theta) * speed + theta * speed_end;
  out.way = eta * mean;
  const double q = joint.q + theta * out.way, by_q = theta * eta * theta, by_speed = theta;
  out.elastic = load.stiffness * (q - load.rest);
  const double drag = (load.damping + load.viscous) * mean;
  double force = out.elastic + drag;
  double slope = load.stiffness * by_q + (load.damping + load.viscous) * by_speed;
  out.damping = load.damping * mean * mean;
  out.rubbing = load.viscous * mean;
  out.motor = 0.0;
  if (motor.mode != MotorMode::none) {
    const double time = time_ + theta * eta, value = joint.command->value(time);
    double wanted = value, by = 0.0;
    if (motor.mode == MotorMode::velocity) {
      wanted = motor.gain * (value - mean);
      by = motor.gain * by_speed;
    } else if (motor.mode == MotorMode::position) {
      wanted = motor.gain * (value - q) + motor.derivative_gain * (joint.command->rate(time) - mean);
      by = motor.gain * by_q + motor.derivative_gain * by_speed;
    }
    out.motor = std::clamp(wanted, -motor.force_limit, motor.force_limit);
    force -= out.motor;
    if (std::abs(wanted) < motor.force_limit) slope += by;
  }
  out.z = joint.z;
  if (load.coulomb > 0.0) {
    // A bristle that is cut at the friction; its own weight, or a joint that slides would be taken for a stiff one.
    const JointFriction& f = joint.friction;
    const double own = calc_fitted_weight(eta * a * (f.damping + 0.5 * eta * f.stiffness));
    const double rub = (1.0 - own) * speed + own * speed_end, width = own * eta * f.stiffness + f.damping;
    const double wanted = f.stiffness * joint.z + width * rub, held = std::clamp(wanted, -f.coulomb, f.coulomb);
    out.z = joint.z + eta * (held - f.stiffness * joint.z) / width;
    force += held;
    out.rubbing += held;
    if (std::abs(wanted) < f.coulomb) slope += width * own;
  }
  out.force = Vec3(force, 0.0, 0.0);
  out.D.setZero();
  out.D(0, 0) = slope;
}

/// Forces at w_end_, and the largest residual w+ - w - eta (b - A lambda) of the rows that act [m/s].
double MicroSpace::calc_residual(Mode mode, double eta) {
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  for (const int k : on_) {
    evaluate(static_cast<std::size_t>(k), mode, eta, local_[k]);
    for (int q = 0; q < rows_[k].count; ++q) lambda_[rows_[k].first + q] = local_[k].force[q];
  }
  double worst = 0.0;
  for (std::size_t r = 0; r < at_.size(); ++r) {
    const int i = at_[r];
    double carried = 0.0;
    for (const int j : at_) carried += A(i, j) * lambda_[j];
    residual_[r] = w_end_[i] - w[i] - eta * (b[i] - carried);
    worst = std::max(worst, std::abs(residual_[r]));
  }
  return std::isfinite(worst) ? worst : HUGE_VAL;
}

bool MicroSpace::solve(Mode mode, double eta) {
  at_.clear();
  for (const int k : on_) {
    for (int q = 0; q < rows_[k].count; ++q) at_.push_back(rows_[k].first + q);
  }
  const auto n = static_cast<int>(at_.size());
  residual_.resize(at_.size());
  step_.resize(at_.size());
  kept_.resize(at_.size());
  double scale = 0.0;
  for (const int i : at_) {
    scale = std::max({scale, std::abs(w[i]), std::abs(eta * b[i])});
    w_end_[i] = mode == Mode::mean ? w[i] + eta * rate_[i] : w[i];
  }
  if (mode == Mode::implicit) {
    for (const int k : on_) {
      if (rows_[k].kind != MicroRow::Kind::joint) w_end_[rows_[k].first] = 0.0;  // near rest along the normals
    }
  }
  constexpr double kTolerance = 1e-13, kGoodEnough = 1e-9;
  constexpr int kMost = 40;
  double size = calc_residual(mode, eta);
  bool is_good = size <= kTolerance * scale;
  for (int turn = 0; turn < kMost && !is_good; ++turn) {
    ++counts_.iterations;
    jacobian_.resize(at_.size() * at_.size());
    int c = 0;
    for (const int k : on_) {
      const MicroRow& row = rows_[k];
      for (int s = 0; s < row.count; ++s, ++c) {
        double* column = jacobian_.data() + static_cast<std::ptrdiff_t>(c) * n;
        for (int r = 0; r < n; ++r) {
          double sum = 0.0;
          for (int l = 0; l < row.count; ++l) sum += A(at_[r], row.first + l) * local_[k].D(l, s);
          column[r] = eta * sum;
        }
        column[c] += 1.0;
      }
    }
    step_ = residual_;
    if (!solve_dense(jacobian_.data(), step_.data(), n)) return false;
    for (int r = 0; r < n; ++r) kept_[r] = w_end_[at_[r]];
    double part = 1.0, now = size, moved = 0.0;
    for (int halving = 0; halving < 12; ++halving) {
      for (int r = 0; r < n; ++r) w_end_[at_[r]] = kept_[r] - part * step_[r];
      now = calc_residual(mode, eta);
      if (now < (1.0 - 0.1 * part) * size || now <= kTolerance * scale) break;
      part *= 0.5;
    }
    for (int r = 0; r < n; ++r) moved = std::max(moved, part * std::abs(step_[r]));
    const double last = size;
    size = now;
    is_good = size <= kTolerance * scale || moved <= 1e-15 * scale || (size <= 1e-10 * scale && size > 0.3 * last);
  }
  if (!is_good && !(size <= kGoodEnough * scale)) {
    if (!on_.empty()) culprit_ = on_.front();
    double worst = -1.0;
    std::size_t r = 0;
    for (const int k : on_) {
      for (int q = 0; q < rows_[k].count; ++q, ++r) {
        if (!(std::abs(residual_[r]) > worst)) continue;
        worst = std::abs(residual_[r]);
        culprit_ = k;
      }
    }
    return false;
  }
  apply(lambda_);
  for (int i = 0; i < num_rows_; ++i) w_end_[i] = w[i] + eta * (b[i] - carried_[i]);
  return true;
}

}  // namespace abut
