// The sub-steps of contact space: how long, of which kind, and what becomes of the contacts.

#include "abut/sim/micro_space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Ripple above which a sub-step is as short as `ring` says; smaller ones are followed more coarsely, since the error
/// of a sub-step goes with (eta omega)^2 ripple.
constexpr double kGraded = 0.5;

/// Change of a depth over the rest of the step, of the depth, up to which a contact that does not swing is at rest.
constexpr double kStill = 0.02;

/// A quiet step may change depths by this part; beyond, it was not quiet.
constexpr double kCalm = 0.3;

/// Load over the largest force of an impact below which it counts as free.
constexpr double kFree = 2e-3;

/// Sub-steps of others are shorter by this: the plain mean of the damper has an error where the logarithmic one has
/// none.
constexpr double kLoaded = 0.5;

/// Depths that are zero to rounding [m].
constexpr double kTouching = 1e-13;

/// First time at which x + v t + a t^2 / 2 reaches zero from below.
double calc_touch_time(double x, double v, double a) {
  const double square = v * v - 2.0 * a * x;
  if (square < 0.0) return kInfinity;
  const double root = std::sqrt(square);
  if (x >= 0.0) return a > 0.0 && v < 0.0 ? -2.0 * v / a : kInfinity;  // leaves, and may come back
  if (v > 0.0) return -2.0 * x / (v + root);
  return a > 0.0 ? (root - v) / a : kInfinity;
}

/// Slope of the spring at a depth [N/m].
double calc_stiffness(const NormalCoefficients& c, double depth) {
  return depth > 0.0 ? c.exponent * c.stiffness * calc_power(depth, c.exponent) / depth : 0.0;
}

/// Depth at which the spring holds this energy [m].
double calc_depth_of(const NormalCoefficients& c, double energy) {
  const double ratio = (c.exponent + 1.0) * energy / c.stiffness;
  return c.exponent == 1.0 ? std::sqrt(ratio) : std::pow(ratio, 1.0 / (c.exponent + 1.0));
}

/// What is left of m w^2 / 2 along the curve of speed over depth: G = w / a - ln(1 + a w) / a^2.
double calc_curve(double a, double w) {
  const double s = a * w;
  if (std::abs(s) < 1e-3) return w * w * (0.5 - s / 3.0 + s * s / 4.0);
  return (s - std::log1p(s)) / (a * a);
}

}  // namespace

void MicroSpace::clear() {
  rows_.clear();
  num_rows_ = 0;
}

int MicroSpace::add(const MicroRow& row) {
  rows_.push_back(row);
  rows_.back().first = num_rows_;
  num_rows_ += row.count;
  return rows_.back().first;
}

void MicroSpace::make_room() {
  const auto n = static_cast<std::size_t>(num_rows_);
  matrix_.assign(n * n, 0.0);
  for (auto* v : {&b, &w, &lambda_, &carried_, &rate_, &w_end_, &impulse_, &moment_}) v->assign(n, 0.0);
  laws_.resize(rows_.size());
  is_free_.resize(rows_.size());
  local_.resize(rows_.size());
}

bool MicroSpace::integrate(double time, double h, std::vector<MicroContact>& contacts, std::vector<MicroJoint>& joints,
                           std::vector<MicroEvent>& events) {
  contacts_ = &contacts;
  joints_ = &joints;
  events_ = &events;
  time_ = time;
  end_ = time + h;
  numerical_ = damping_ = friction_ = 0.0;
  counts_ = {};
  culprit_ = -1;
  for (const MicroRow& row : rows_) {
    if (row.kind == MicroRow::Kind::joint) {
      lambda_[row.first] = joints[row.index].force;
      continue;
    }
    const Vec3& force = contact(row).force;
    for (int q = 0; q < row.count; ++q) lambda_[row.first + q] = contact(row).touches ? force[q] : 0.0;
  }
  constexpr long kMost = 1000000;
  double done = 0.0;
  while (done < h * (1.0 - 1e-12)) {
    const double eta = sub_step(h - done);
    if (!(eta > 0.0) || counts_.sub_steps + counts_.flights > kMost) return false;
    done += eta;
    time_ = time + done;
  }
  return true;
}

/// The law with the damping that acts now.
NormalCoefficients MicroSpace::calc_law(const MicroRow& row, const MicroContact& contact) const {
  if (row.kind == MicroRow::Kind::stop)
    return {.stiffness = row.stiffness, .exponent = 1.0, .damping = 0.0, .damping_exponent = 1.0};
  return calc_law_now(row.rule->normal, contact.normal, contact.blow, contact.depth, w[row.first], time_);
}

/// Forces of this instant, with friction scaled to the load, and the accelerations that follow.
void MicroSpace::refresh() {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const MicroRow& row = rows_[k];
    if (row.kind == MicroRow::Kind::joint) continue;  // as it was over the last sub-step
    const MicroContact& c = contact(row);
    if (!c.touches) {
      for (int q = 0; q < row.count; ++q) lambda_[row.first + q] = 0.0;
      continue;
    }
    laws_[k] = calc_law(row, c);
    is_free_[k] = is_free(row, c) ? 1 : 0;
    double force = calc_normal_force(laws_[k], c.depth, w[row.first]).total;
    if (row.kind == MicroRow::Kind::stop) force += std::clamp(row.damper * w[row.first], -force, force);
    const double before = lambda_[row.first], scale = before > 0.0 ? std::min(force / before, 1e3) : 0.0;
    lambda_[row.first] = force;
    for (int q = 1; q < row.count; ++q) lambda_[row.first + q] *= scale;
  }
  apply(lambda_);
  for (int i = 0; i < num_rows_; ++i) rate_[i] = b[i] - carried_[i];
}

/// carried_ = A lambda.
void MicroSpace::apply(const std::vector<double>& lambda) {
  std::fill(carried_.begin(), carried_.end(), 0.0);
  for (int j = 0; j < num_rows_; ++j) {
    const double l = lambda[j];
    if (l == 0.0) continue;
    const double* column = matrix_.data() + static_cast<std::size_t>(j) * num_rows_;
    for (int i = 0; i < num_rows_; ++i) carried_[i] += column[i] * l;
  }
}

/// Of the swing that the contact's energy allows: constant in an undamped impact [1/s].
double MicroSpace::calc_frequency(const MicroRow& row, const MicroContact& contact) const {
  const double a = A(row.first, row.first), speed = w[row.first];
  const NormalCoefficients law = row.kind == MicroRow::Kind::stop ? calc_law(row, contact) : contact.normal;
  if (law.exponent == 1.0) return std::sqrt(a * law.stiffness);
  const double energy = calc_elastic_energy(law, contact.depth) + 0.5 * speed * speed / a;
  return std::sqrt(a * calc_stiffness(law, calc_depth_of(law, energy)));
}

/// Of the force: 1 and more in an impact, 0 at rest.
double MicroSpace::calc_ripple(const MicroRow& row, const MicroContact& contact) const {
  const double a = A(row.first, row.first), speed = w[row.first], r = rate_[row.first];
  const NormalCoefficients law = row.kind == MicroRow::Kind::stop ? calc_law(row, contact) : contact.normal;
  const double k = calc_stiffness(law, contact.depth);
  if (!(k > 0.0)) return kInfinity;
  return std::sqrt((speed * speed / a + r * r / (a * a * k)) * law.exponent / (k * contact.depth * contact.depth));
}

MicroSpace::Choice MicroSpace::choose(double rest) {
  Choice out;
  out.eta = out.eta_ring = rest;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const MicroRow& row = rows_[k];
    if (row.kind == MicroRow::Kind::joint) {
      out.any = true;
      continue;
    }
    MicroContact& c = contact(row);
    const double speed = w[row.first];
    if (!c.touches && c.depth >= -kTouching && (speed > 0.0 || (speed == 0.0 && rate_[row.first] > 0.0)))
      touch(k, time_);
    if (!c.touches) continue;
    out.any = true;
    const double ripple = calc_ripple(row, c);
    if (!(ripple > spec_.quiet)) {
      // No swing of its own, but heavier bodies may press and release it all the same.
      if (!(std::abs(speed) * rest > kStill * c.depth)) continue;
      out.mode = Mode::mean;
      out.eta_ring = std::min(out.eta_ring, spec_.ring * c.depth / std::abs(speed));
      continue;
    }
    out.mode = Mode::mean;
    const double grade = std::max(1.0, std::sqrt(kGraded / ripple)) * (is_free_[k] != 0 ? 1.0 : kLoaded);
    out.eta_ring = std::min(out.eta_ring, spec_.ring / calc_frequency(row, c) * grade);
  }
  if (out.any && out.mode == Mode::mean) out.eta = out.eta_ring;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const MicroRow& row = rows_[k];
    if (is_on(row)) continue;
    const double t = calc_touch_time(contact(row).depth, w[row.first], rate_[row.first]);
    if (t < out.eta) {
      out.eta = t;
      out.next = static_cast<int>(k);
    }
  }
  return out;
}

/// Returns how far it came [s]; 0 where it cannot.
double MicroSpace::sub_step(double rest) {
  refresh();
  Choice choice = choose(rest);
  if (!choice.any) {
    fly(choice.eta);
    if (choice.next >= 0) {
      contact(rows_[choice.next]).depth = 0.0;
      touch(static_cast<std::size_t>(choice.next), time_ + choice.eta);
    }
    // A touch at once is no flight: the next sub-step takes it from here.
    return choice.eta > 0.0 ? choice.eta : sub_step(rest);
  }
  if (choice.next >= 0 && choice.eta < 1e-3 * choice.eta_ring) {  // as good as touching
    const MicroRow& row = rows_[choice.next];
    touch(static_cast<std::size_t>(choice.next), time_);
    choice.mode = Mode::mean;
    choice.eta = std::min({rest, choice.eta_ring, spec_.ring / calc_frequency(row, contact(row))});
  }
  if (!take(choice, rest)) return 0.0;
  accept(choice.mode, choice.eta);
  return choice.eta;
}

bool MicroSpace::take(Choice& choice, double rest) {
  for (int attempt = 0; attempt < 60; ++attempt) {
    on_.clear();
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      if (is_on(rows_[k])) on_.push_back(static_cast<int>(k));
    }
    if (!solve(choice.mode, choice.eta)) {
      choice.eta *= 0.5;
      ++counts_.rejected;
      if (choice.eta < 1e-14 * rest) return false;
      continue;
    }
    if (choice.mode == Mode::implicit) {
      bool is_calm = true;
      double eta = choice.eta;
      for (const int k : on_) {
        const MicroRow& row = rows_[k];
        if (row.kind == MicroRow::Kind::joint) continue;
        const MicroContact& c = contact(row);
        is_calm = is_calm && std::abs(local_[k].depth - c.depth) <= kCalm * c.depth;
        eta = std::min(eta, spec_.ring / calc_frequency(row, c));
      }
      if (!is_calm) {
        choice.mode = Mode::mean;
        choice.eta = eta;
        ++counts_.rejected;
        continue;
      }
    }
    if (look_for_unseen(choice)) return true;
  }
  return false;
}

/// Whether no contact that was left out came in; otherwise the sub-step ends at its touch, or it joins.
bool MicroSpace::look_for_unseen(Choice& choice) {
  double worst = kTouching, start = 0.0;
  int who = -1;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const MicroRow& row = rows_[k];
    if (is_on(row)) continue;
    const double x = contact(row).depth, x_end = x + 0.5 * choice.eta * (w[row.first] + w_end_[row.first]);
    if (!(x_end > worst)) continue;
    worst = x_end;
    start = x;
    who = static_cast<int>(k);
  }
  if (who < 0) return true;
  ++counts_.rejected;
  const MicroRow& row = rows_[who];
  const double share = worst > start ? std::max(0.0, -start / (worst - start)) : 0.0;
  const double ring = spec_.ring / calc_frequency(row, contact(row));
  if (share * choice.eta > 1e-3 * ring && share < 0.999) {
    choice.eta *= std::max(share, 0.01);
    return false;
  }
  touch(static_cast<std::size_t>(who), time_);
  choice.eta = std::min(choice.eta, spec_.ring / calc_frequency(row, contact(row)));
  choice.mode = Mode::mean;
  return false;
}

/// Nothing touches: in closed form.
void MicroSpace::fly(double eta) {
  ++counts_.flights;
  for (const MicroRow& row : rows_) {
    MicroContact& c = contact(row);
    c.depth += eta * (w[row.first] + 0.5 * eta * b[row.first]);
  }
  for (int i = 0; i < num_rows_; ++i) {
    moment_[i] += eta * impulse_[i];
    w[i] += eta * b[i];
  }
}

void MicroSpace::touch(std::size_t k, double time) {
  const MicroRow& row = rows_[k];
  MicroContact& c = contact(row);
  c.touches = true;
  c.depth = std::min(c.depth, 0.0);
  c.touch_time = time;
  c.touch_speed = std::max(0.0, w[row.first]);
  c.force.setZero();
  c.peak_force = c.peak_depth = 0.0;
  c.peak_time = time;
  c.z.setZero();
  c.dwell = 0.0;
  c.sticks = false;
  if (row.kind == MicroRow::Kind::stop) {
    c.normal = calc_law(row, c);
  } else {
    c.work = {};
    c.effective_mass = 1.0 / A(row.first, row.first);
    c.normal = make_normal_coefficients(row.rule->normal, row.stiffness, c.touch_speed, c.effective_mass);
    c.blow = make_blow(row.rule->normal, c.normal, c.normal, c.touch_speed, c.effective_mass, time);
    c.dwell = row.rule->initial_dwell.value_or(time == 0.0 ? 1.0 : 0.0);
    if (row.count == 3 && bends_at_touch(row.rule->friction))
      c.z = calc_touch_deflection(row.rule->friction, Vec3(w[row.first + 1], w[row.first + 2], 0.0)).head<2>();
  }
  laws_[k] = calc_law(row, c);
  is_free_[k] = is_free(row, c) ? 1 : 0;
  if (row.kind == MicroRow::Kind::contact) events_->push_back({row.index, true, time, -w[row.first], {}});
}

/// Whether the impact that began with the touch still goes on, and loads are nothing beside its force.
bool MicroSpace::is_free(const MicroRow& row, const MicroContact& c) const {
  if (c.normal.damping_exponent != c.normal.exponent && c.normal.damping > 0.0)
    return false;  // no curve in closed form
  if (row.kind != MicroRow::Kind::contact || time_ - c.touch_time > c.blow.hold_time) return false;
  const double a = A(row.first, row.first), load = std::abs(b[row.first]) / a;
  const double speed = std::max(c.touch_speed, 0.0);
  if (load == 0.0) return true;
  const double depth = calc_depth_of(c.normal, 0.5 * speed * speed / a);
  return load < kFree * c.normal.stiffness * calc_power(depth, c.normal.exponent);
}

void MicroSpace::lift(std::size_t k, double time) {
  const MicroRow& row = rows_[k];
  MicroContact& c = contact(row);
  if (row.kind == MicroRow::Kind::contact) {
    events_->push_back({row.index, false, time, -w_end_[row.first], c});
    c.work = {};
  }
  c.touches = false;
  c.force.setZero();
  c.z.setZero();
  c.dwell = 0.0;
  c.sticks = false;
}

void MicroSpace::accept(Mode mode, double eta) {
  ++counts_.sub_steps;
  if (mode == Mode::implicit) ++counts_.implicit;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const MicroRow& row = rows_[k];
    if (row.kind == MicroRow::Kind::joint)
      accept_joint(k, eta);
    else if (contact(row).touches)
      accept_contact(k, mode, eta);
    else
      contact(row).depth += 0.5 * eta * (w[row.first] + w_end_[row.first]);
  }
  for (int i = 0; i < num_rows_; ++i) {
    moment_[i] += eta * (impulse_[i] + 0.5 * eta * lambda_[i]);
    impulse_[i] += eta * lambda_[i];
    w[i] = w_end_[i];
  }
}

void MicroSpace::accept_contact(std::size_t k, Mode mode, double eta) {
  const MicroRow& row = rows_[k];
  MicroContact& c = contact(row);
  const Local& o = local_[k];
  const NormalCoefficients& law = laws_[k];
  const double speed = w[row.first], speed_end = w_end_[row.first];
  const double stored = calc_elastic_energy(law, o.depth) - calc_elastic_energy(law, c.depth);
  double damped = eta * (o.force[0] - o.elastic) * speed_end;
  if (mode == Mode::mean)
    damped = eta * o.force[0] * 0.5 * (speed + speed_end) - stored;
  else
    numerical_ += eta * o.elastic * speed_end - stored;
  if (row.kind == MicroRow::Kind::contact) damping_ += damped;
  c.work.damping += damped;
  if (row.count == 3) {
    const Vec2 slip(w[row.first + 1], w[row.first + 2]), slip_end(w_end_[row.first + 1], w_end_[row.first + 2]);
    const double rubbed = eta * o.force.tail<2>().dot(0.5 * (slip + slip_end));
    c.work.friction += rubbed;
    friction_ += rubbed;
    c.work.viscous += eta * o.friction.viscous_power;
    c.z = o.friction.z;
    c.dwell = o.friction.dwell;
    c.sticks = o.friction.sticking;
  }
  note_peak(row, c, o.depth, time_, eta);
  const double before = c.depth;
  c.force = o.force;
  c.depth = o.depth;
  if (!(c.depth > 0.0)) lift(k, time_ + (before > 0.0 ? eta * before / (before - c.depth) : eta));
}

void MicroSpace::accept_joint(std::size_t k, double eta) {
  const MicroRow& row = rows_[k];
  MicroJoint& joint = (*joints_)[row.index];
  const Local& o = local_[k];
  const JointLoad& load = *joint.load;
  const double s = joint.q - load.rest, s_end = s + o.way, mean = 0.5 * (w[row.first] + w_end_[row.first]);
  // The row's force less what dampers, friction and motor are of it is the spring's.
  const double spring = o.elastic * o.way, stored = 0.5 * load.stiffness * (s_end * s_end - s * s);
  numerical_ += spring - stored;
  joint.damping += eta * o.damping;
  const double bent = 0.5 * joint.friction.stiffness * (o.z * o.z - joint.z * joint.z);
  joint.rubbing += eta * o.rubbing * mean - bent;
  joint.motor += o.motor * o.way;
  joint.force = o.force[0];
  joint.impulse -= eta * o.force[0];
  joint.q += o.way;
  joint.z = o.z;
}

/// Largest force: speed runs from w to w+, energy along the curve of an isolated impact between both ends.
void MicroSpace::note_peak(const MicroRow& row, MicroContact& c, double depth_end, double time, double eta) const {
  c.peak_depth = std::max({c.peak_depth, c.depth, depth_end});
  if (row.kind == MicroRow::Kind::stop) return;
  const NormalCoefficients& law = c.normal;
  const double w0 = w[row.first], w1 = w_end_[row.first];
  const double a = law.damping_exponent == law.exponent ? law.damping / law.stiffness : 0.0;
  const double end = calc_normal_force(law, depth_end, w1).total;
  const auto note = [&](double force, double part) {
    if (!(force > c.peak_force)) return;
    c.peak_force = force;
    c.peak_time = time + part * eta;
  };
  // Only where the force may be largest inside: before the deepest point with a damper, at it without.
  if (w0 > 0.0 && 1.0 + a * w1 > 0.0 && 1.0 + a * w0 > 0.0 && end > 0.5 * c.peak_force) {
    const double mass = 1.0 / A(row.first, row.first);
    const double U0 = calc_elastic_energy(law, c.depth), U1 = calc_elastic_energy(law, depth_end);
    const double G0 = calc_curve(a, w0), miss = U1 - U0 + mass * (calc_curve(a, w1) - G0);
    for (int i = 1; i < 8; ++i) {
      const double part = i / 8.0, speed = w0 + part * (w1 - w0);
      const double U = U0 - mass * (calc_curve(a, speed) - G0) + part * miss;
      if (U > 0.0) note(calc_normal_force(law, calc_depth_of(law, U), speed).total, part);
    }
  }
  note(end, 1.0);
}

}  // namespace abut
