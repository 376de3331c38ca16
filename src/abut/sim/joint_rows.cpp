#include "abut/sim/joint_rows.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double& work_of(double* works, GlobalWork work) { return works[static_cast<int>(work)]; }

/// A spring of stiffness k stretched by s at the start, by Newmark's rule with beta = 1/4.
void add_spring(double k, double s, double v, double h, JointRow& row) {
  row.impulse += -h * k * s + 0.25 * h * h * k * v;
  row.weight += 0.25 * h * h * k;
}

/// A limit that is reached within the step takes what it will store, k s1^2 / 2, over the way s1 - s0: a mean force of
/// k s1 / 2 times the part of the way beyond it. That part is foreseen with the speed at the start; as the limit slows
/// the joint down it is less in the end, so that the step never makes energy. s: stretch in the middle of the step,
/// from where s1 = s + h v+ / 2.
void add_entry_spring(double k, double s, double part, double h, JointRow& row) {
  row.impulse += -0.5 * h * k * part * s;
  row.weight += 0.25 * h * h * k * part;
}

}  // namespace

JointRows::JointRows(const Model& model) : model_(model) {
  link_of_speed_.assign(model.tree.num_v(), -1);
  is_prescribed_.assign(model.tree.num_v(), 0);
  rates_.assign(model.tree.num_v(), 0.0);
  for (int i = 0; i < model.tree.num_links(); ++i) {
    const Link& link = model.tree.link(i);
    for (int k = link.v_start; k < link.v_start + link.num_v; ++k) {
      link_of_speed_[k] = i;
      is_prescribed_[k] = link.prescribed;
    }
  }
  forces_.assign(model.tree.num_v(), 0.0);
}

void JointRows::calc(const Dynamics& dynamics, double t, const double* y, double h) {
  last_.swap(rows_);
  rows_.clear();
  std::fill(forces_.begin(), forces_.end(), 0.0);
  for (std::size_t k = 0; k < model_.prescribed.size(); ++k)
    rates_[model_.prescribed[k].v_index] = dynamics.prescribed_motion(k, t + h).rate;
  for (std::size_t i = 0; i < model_.joint_loads.size(); ++i) {
    const JointLoadEntry& entry = model_.joint_loads[i];
    const double q = entry.q_index >= 0 ? y[entry.q_index] : 0.0;
    add_entry(static_cast<int>(i), dynamics, t, q, y[dynamics.num_q() + entry.v_index], h);
  }
  for (std::size_t i = 0; i < model_.gearboxes.size(); ++i)
    add_gearbox(static_cast<int>(i), y, y + dynamics.num_q(), h);
  for (JointRow& row : rows_) {
    if (row.row < 0) continue;  // known already
    for (const JointRow& before : last_) {
      if (before.entry == row.entry && before.kind == row.kind) row.x = before.x;
    }
  }
}

void JointRows::add_entry(int index, const Dynamics& dynamics, double t, double q, double v, double h) {
  const TimeTable& command = dynamics.command(index);
  const JointLoadEntry& entry = model_.joint_loads[index];
  const JointLoad& load = entry.load;
  const auto make = [&](JointRow::Kind kind) {
    JointRow row;
    row.entry = index;
    row.v_index = entry.v_index;
    row.kind = kind;
    row.lower = -kInfinity;
    row.upper = kInfinity;
    return row;
  };
  const bool is_prescribed = is_prescribed_[entry.v_index] != 0;
  JointRow passive = make(JointRow::Kind::passive);
  add_spring(load.stiffness, q - load.rest, v, h, passive);
  passive.damping = h * load.damping;
  passive.viscous = h * load.viscous;
  passive.weight += passive.damping + passive.viscous;
  if (passive.weight > 0.0) push(passive, h, is_prescribed);
  for (const double side : {1.0, -1.0}) {
    // Beyond the upper limit (side 1) or the lower one it pushes back, and never pulls.
    const double depth = side > 0.0 ? q - load.upper : load.lower - q;
    if (load.limit_stiffness == 0.0) continue;
    const double way = 0.5 * h * side * v, start = depth - way, end = depth + way;
    if (!(start > 0.0 ? depth > 0.0 : end > 0.0)) continue;
    JointRow limit = make(JointRow::Kind::passive);
    if (start > 0.0) {
      add_spring(load.limit_stiffness, side * depth, v, h, limit);
    } else {
      add_entry_spring(load.limit_stiffness, side * depth, end / (end - start), h, limit);
    }
    const double elastic = load.limit_stiffness * std::max(depth, 0.0), rate = std::abs(v);
    limit.damping = h * (load.limit_damping * rate > elastic ? elastic / rate : load.limit_damping);
    limit.weight += limit.damping;
    (side > 0.0 ? limit.upper : limit.lower) = 0.0;
    push(limit, h, is_prescribed);
  }
  if (load.coulomb > 0.0) {
    JointRow friction = make(JointRow::Kind::friction);
    friction.weight = kInfinity;
    // Stiction holds what has not moved in the step before.
    constexpr double kRest = 1e-6;
    friction.upper = h * (load.has_stiction && std::abs(v) < kRest ? load.stiction : load.coulomb);
    friction.lower = -friction.upper;
    push(friction, h, is_prescribed);
  }
  if (load.motor.mode == MotorMode::none) return;
  JointRow motor = make(JointRow::Kind::motor);
  motor.upper = h * load.motor.force_limit;
  motor.lower = -motor.upper;
  if (load.motor.mode == MotorMode::torque) motor.impulse = h * dynamics.sample(command, t);
  if (load.motor.mode == MotorMode::velocity) {
    motor.weight = h * load.motor.gain;
    motor.impulse = motor.weight * command.value(t + h);
  }
  if (load.motor.mode == MotorMode::position) {
    add_spring(load.motor.gain, q - command.value(t), v, h, motor);
    const double damper = h * load.motor.derivative_gain;
    motor.weight += damper;
    motor.impulse += damper * dynamics.sample_rate(command, t + h);
  }
  push(motor, h, is_prescribed);
}

/// Numbered behind the loads. Where one of its joints is prescribed the other feels a spring to where that goes.
void JointRows::add_gearbox(int index, const double* q, const double* v, double h) {
  const CompliantCoupling& gearbox = model_.gearboxes[index];
  JointRow row;
  row.entry = static_cast<int>(model_.joint_loads.size()) + index;
  row.v_index = gearbox.v;
  row.v_of = gearbox.v_of;
  row.ratio = gearbox.ratio;
  row.lower = -kInfinity;
  row.upper = kInfinity;
  add_spring(gearbox.stiffness, q[gearbox.q] - gearbox.ratio * q[gearbox.q_of] - gearbox.offset,
             v[gearbox.v] - gearbox.ratio * v[gearbox.v_of], h, row);
  row.damping = h * gearbox.damping;
  row.weight += row.damping;
  if (row.weight > 0.0) push(row, h, is_prescribed_[gearbox.v] != 0 && is_prescribed_[gearbox.v_of] != 0);
}

/// Loads whose impulse is known at once become forces, the others wait for the speeds.
void JointRows::push(JointRow row, double h, bool is_prescribed) {
  if (is_prescribed) {
    const double v_end = rates_[row.v_index] - (row.v_of < 0 ? 0.0 : row.ratio * rates_[row.v_of]);
    const double wanted =
        std::isinf(row.weight) ? (v_end == 0.0 ? 0.0 : -v_end * kInfinity) : row.impulse - row.weight * v_end;
    row.x = std::clamp(wanted, row.lower, row.upper);
  } else if (row.weight == 0.0) {
    row.x = std::clamp(row.impulse, row.lower, row.upper);
  } else {
    row.row = 0;
  }
  if (row.row < 0) {
    forces_[row.v_index] += row.x / h;
    if (row.v_of >= 0) forces_[row.v_of] -= row.ratio * row.x / h;
  }
  rows_.push_back(row);
}

void JointRows::add_rows(VelocityParts& parts, ConstraintSystem& system) {
  for (JointRow& row : rows_) {
    if (row.row < 0) continue;
    double carried = 0.0;
    // Part and row of one of its joints; a prescribed one only carries.
    const auto look = [&](int v_index, double factor) -> std::pair<int, MatX> {
      if (is_prescribed_[v_index]) {
        carried += factor * rates_[v_index];
        return {-1, MatX()};
      }
      const int part = parts.part_of(link_of_speed_[v_index]);
      carried += factor * parts.calc_carried_speed(v_index);
      return {part, factor * parts.calc_speed_row(v_index)};
    };
    auto [part, speeds] = look(row.v_index, 1.0);
    std::pair<int, MatX> other = {-1, MatX()};
    if (row.v_of >= 0) other = look(row.v_of, -row.ratio);
    if (part >= 0 && part == other.first) {
      speeds += other.second;
      other.first = -1;
    }
    const bool is_dry = std::isinf(row.weight);
    if (part < 0 && other.first < 0) {
      // Loops and prescribed joints move it.
      row.row = JointRow::kDriven;
      const double wanted = is_dry ? (carried == 0.0 ? 0.0 : -carried * kInfinity) : row.impulse - row.weight * carried;
      row.x = std::clamp(wanted, row.lower, row.upper);
      continue;
    }
    row.row = part >= 0 ? system.add_rows(1, part, speeds, other.first, other.second)
                        : system.add_rows(1, other.first, other.second, -1, MatX());
    system.compliance[row.row] = is_dry ? 0.0 : 1.0 / row.weight;
    system.offset[row.row] = carried + (is_dry ? 0.0 : -row.impulse / row.weight);
    system.lower[row.row] = row.lower;
    system.upper[row.row] = row.upper;
  }
}

void JointRows::write_guess(std::vector<double>& x) const {
  for (const JointRow& row : rows_) {
    if (row.row >= 0) x[row.row] = row.x;
  }
}

void JointRows::read(const std::vector<double>& x) {
  for (JointRow& row : rows_) {
    if (row.row >= 0) row.x = x[row.row];
  }
}

void JointRows::book(std::span<const double> v_start, std::span<const double> v_end, double* works) const {
  for (const JointRow& row : rows_) {
    const auto speed = [&](std::span<const double> v) {
      return v[row.v_index] - (row.v_of < 0 ? 0.0 : row.ratio * v[row.v_of]);
    };
    const double end = speed(v_end), mean = 0.5 * (speed(v_start) + end);
    if (row.kind == JointRow::Kind::motor) {
      work_of(works, GlobalWork::motor) += row.x * mean;
      continue;
    }
    const bool acts = row.x != 0.0;  // a limit that would pull does not
    const double damped = acts ? row.damping * end * end : 0.0;
    const double rubbed = row.kind == JointRow::Kind::friction ? -row.x * end : row.viscous * end * end;
    work_of(works, GlobalWork::spring_damping) += damped;
    work_of(works, GlobalWork::joint_friction) += rubbed;
    work_of(works, GlobalWork::time_stepping) -= row.x * mean + damped + rubbed;
  }
}

void JointRows::add_forces(double h, std::span<double> force) const {
  for (const JointRow& row : rows_) {
    force[row.v_index] += row.x / h;
    if (row.v_of >= 0) force[row.v_of] -= row.ratio * row.x / h;
  }
}

void JointRows::add_row_impulses(std::span<double> impulse) const {
  for (const JointRow& row : rows_) {
    if (row.row == -1) continue;
    impulse[row.v_index] += row.x;
    if (row.v_of >= 0) impulse[row.v_of] -= row.ratio * row.x;
  }
}

}  // namespace abut
