#include "abut/sim/layer_equations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/geometry/opposed_points.hpp"
#include "abut/multibody/turning.hpp"

namespace abut {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

LayerEquations::LayerEquations(const std::vector<LayerBody>& bodies, const std::vector<LayerContact>& contacts,
                               const LayerMechanism* mechanism, double h, double gravity)
    : bodies_(bodies), contacts_(contacts), mechanism_(mechanism), h_(h) {
  int at = mechanism != nullptr ? num_speeds() : 0;  // these come first
  for (const LayerBody& body : bodies) {
    const bool is_single = !body.is_fixed && body.link < 0;
    body_start_.push_back(is_single ? at : -1);
    if (is_single) at += 6;
  }
  for (const LayerContact& contact : contacts) {
    contact_start_.push_back(at);
    at += contact.other ? kTwoLayers : kOneLayer;
  }
  for (const LayerJointLoad& load : joint_loads()) {
    load_start_.push_back(std::isinf(load.weight) ? at++ : -1);  // dry friction is an unknown of its own
  }
  size_ = at;
  set_scales(gravity);
}

LayerBody LayerEquations::move(std::size_t b, const VecX& z) const {
  LayerBody body = bodies_[b];
  if (body_start_[b] >= 0) {
    body.v = z.segment<3>(body_start_[b]);
    body.w = z.segment<3>(body_start_[b] + 3);
  }
  body.p += h_ * body.v;
  body.R = rotate_by(h_ * body.w, body.R);
  return body;
}

LayerFrame LayerEquations::make_frame(const LayerContact& contact, const std::vector<LayerBody>& moved,
                                      const Vec3& a2) const {
  LayerFrame frame;
  const LayerBody &b1 = moved[contact.body_1], &b2 = moved[contact.body_2];
  frame.X_1 = Pose(b1.R, b1.p) * contact.X_B1;
  frame.X_2 = Pose(b2.R, b2.p) * contact.X_B2;
  frame.n = frame.X_2.R * contact.g->calc_normal(frame.X_2.inverse() * a2);
  frame.t = tangential(contact.memory.reference, frame.n).normalized();
  frame.o = frame.n.cross(frame.t);
  return frame;
}

VecX LayerEquations::make_start() {
  VecX z = VecX::Zero(size_);
  if (mechanism_ != nullptr) z.head(num_speeds()) = mechanism_->free_speeds;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (body_start_[b] < 0) continue;
    const LayerBody& body = bodies_[b];
    z.segment<3>(body_start_[b]) = body.v + h_ / body.mass * body.force;
    z.segment<3>(body_start_[b] + 3) =
        body.R * calc_turned_spin(body.inertia_B, body.R.transpose() * body.w, body.R.transpose() * body.torque, h_);
  }
  const std::vector<LayerBody> moved = move_all(z);
  origin_.assign(contacts_.size(), {});
  for (std::size_t c = 0; c < contacts_.size(); ++c) start_contact(c, moved, z);
  return z;
}

std::vector<LayerBody> LayerEquations::move_all(const VecX& z) const {
  std::vector<LayerBody> moved;
  for (std::size_t b = 0; b < bodies_.size(); ++b) moved.push_back(move(b, z));
  if (mechanism_ != nullptr) mechanism_->move(z.head(num_speeds()), moved);
  return moved;
}

double LayerEquations::calc_joint_load(std::size_t k, const VecX& z) const {
  const LayerJointLoad& load = joint_loads()[k];
  if (load_start_[k] >= 0) return std::clamp(z[load_start_[k]], load.lower, load.upper);
  return std::clamp(load.impulse - load.weight * z[load.speed], load.lower, load.upper);
}

void LayerEquations::calc(const VecX& z, VecX& r) const {
  const std::vector<LayerBody> moved = move_all(z);
  if (mechanism_ != nullptr) {
    r.head(num_speeds()) = mechanism_->mass * (z.head(num_speeds()) - mechanism_->free_speeds);
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const int at = body_start_[b];
    if (at < 0) continue;
    const LayerBody &before = bodies_[b], &after = moved[b];
    const Vec3 w = before.R.transpose() * before.w, w_end = before.R.transpose() * after.w;
    const Vec3 turned = before.inertia_B * (w_end - w) - calc_gyroscopic_impulse(before.inertia_B, w, w_end, h_);
    r.segment<3>(at) = after.mass * (after.v - before.v) - h_ * before.force;
    r.segment<3>(at + 3) = before.R * turned - h_ * before.torque;
  }
  add_joint_loads(z, r);
  for (std::size_t c = 0; c < contacts_.size(); ++c) calc_contact(c, z, moved, r);
}

Vec3 LayerEquations::calc_slip(const LayerContact& contact, const LayerFrame& frame,
                               const std::vector<LayerBody>& moved, const Vec3& point) const {
  const LayerBody &b1 = moved[contact.body_1], &b2 = moved[contact.body_2];
  const Vec3 velocity = b1.v + b1.w.cross(point - b1.p) - b2.v - b2.w.cross(point - b2.p);
  return {frame.t.dot(velocity), frame.o.dot(velocity), frame.n.dot(b1.w - b2.w)};
}

void LayerEquations::add_joint_loads(const VecX& z, VecX& r) const {
  for (std::size_t k = 0; k < joint_loads().size(); ++k) {
    const LayerJointLoad& load = joint_loads()[k];
    const int at = load_start_[k];
    r[load.speed] -= at < 0 ? calc_joint_load(k, z) : z[at];
    if (at < 0) continue;
    const double against = mechanism_->mass(load.speed, load.speed) * z[load.speed];
    r[at] = z[at] - std::clamp(z[at] - against, load.lower, load.upper);
  }
}

void LayerEquations::start_contact(std::size_t c, const std::vector<LayerBody>& moved, VecX& z) {
  const LayerContact& contact = contacts_[c];
  const LayerBody &b1 = moved[contact.body_1], &b2 = moved[contact.body_2];
  const Pose X_1 = Pose(b1.R, b1.p) * contact.X_B1, X_2 = Pose(b2.R, b2.p) * contact.X_B2;
  const Vec3 toward = contact.memory.normal.isZero() ? Vec3(X_1.p - X_2.p) : contact.memory.normal;
  const OpposedPoints points = find_opposed_points(*contact.f, X_1, *contact.g, X_2, toward);
  const int at = contact_start_[c];
  // Overlap is shared in proportion to the compliances, at most up to the limits.
  const double overlap = std::max(0.0, -points.gap);
  const double k2 = contact.layer.stiffness(0, 0), k1 = contact.other ? contact.other->stiffness(0, 0) : kInfinite;
  const double share = contact.other ? k1 / (k1 + k2) : 1.0;
  const double d2 = std::min(share * overlap, contact.layer.max_deflection);
  origin_[c].a2 = points.a2 - d2 * points.normal;
  origin_[c].a1 = points.a1;
  z[at + kDn] = d2;
  z[at + kBar] = -contact.g->value(X_2.inverse() * origin_[c].a2);
  z[at + kPn] = k2 * d2;
  // The functions' values grow by their gradients over a length; only here are the points known.
  const double slope_f = contact.f->gradient(X_1.inverse() * points.a1).norm();
  const double slope_g = contact.g->gradient(X_2.inverse() * points.a2).norm();
  equation_scale_[at + 4] = slope_f * length_scale_[c];
  equation_scale_[at + 5] = equation_scale_[at + 6] = slope_g * length_scale_[c];
  unknown_scale_[at + kBar] = slope_g * length_scale_[c];
  if (!contact.other) return;
  equation_scale_[at + kOneLayer] = slope_f * length_scale_[c];
  unknown_scale_[at + kOneLayer] = slope_f * length_scale_[c];
  const double d1 = std::min((1.0 - share) * overlap, contact.other->max_deflection);
  origin_[c].a1 = points.a1 + d1 * points.normal;
  z[at + kOneLayer + 1] = d1;
  z[at + kOneLayer] = -contact.f->value(X_1.inverse() * origin_[c].a1);
}

void LayerEquations::calc_contact(std::size_t c, const VecX& z, const std::vector<LayerBody>& moved, VecX& r) const {
  const LayerContact& contact = contacts_[c];
  const LayerMemory& memory = contact.memory;
  const int at = contact_start_[c];
  const Vec3 a1 = point_1(c, z), a2 = point_2(c, z);
  const LayerFrame frame = make_frame(contact, moved, a2);
  const Vec3 n_f = frame.X_1.R * contact.f->calc_normal(frame.X_1.inverse() * a1);
  const double p_n = z[at + kPn], d = z[at + kDn], core = z[at + kCore];
  const Vec3 between = a1 - a2;

  r[at + 0] = between.dot(frame.t);
  r[at + 1] = between.dot(frame.o);
  r[at + 2] = n_f.dot(frame.t);
  r[at + 3] = n_f.dot(frame.o);
  r[at + 4] = contact.f->value(frame.X_1.inverse() * a1) + (contact.other ? z[at + kOneLayer] : 0.0);
  r[at + 5] = contact.g->value(frame.X_2.inverse() * a2) + z[at + kBar];
  r[at + 6] = contact.g->value(frame.X_2.inverse() * Vec3(a2 + d * frame.n));
  const double force = force_scale_[c], length = length_scale_[c];
  r[at + 7] = calc_fischer_burmeister(p_n / force, between.dot(frame.n) / length);

  const Vec3 delta(d, z[at + kDt], z[at + kDo]);
  const Vec3 old(memory.deflection, memory.tangential.dot(frame.t), memory.tangential.dot(frame.o));
  const Vec3 layer = contact.layer.stiffness * delta + contact.layer.damping * (delta - old) / h_;
  r[at + 8] = p_n - core - layer[0];
  r[at + 9] = z[at + kPt] - layer[1];
  r[at + 10] = z[at + kPo] - layer[2];
  r[at + 11] = calc_fischer_burmeister(core / force, (contact.layer.max_deflection - d) / length);
  add_friction(c, z, moved, frame, delta - old, r);
  if (contact.other) {
    const double d1 = z[at + kOneLayer + 1], core_1 = z[at + kOneLayer + 2];
    const Vec3 inner = a1 + d1 * n_f;
    r[at + 15] = contact.f->value(frame.X_1.inverse() * inner);
    r[at + 16] = p_n - core_1 - contact.other->stiffness(0, 0) * d1 -
                 contact.other->damping(0, 0) * (d1 - memory.other_deflection) / h_;
    r[at + 17] = calc_fischer_burmeister(core_1 / force, (contact.other->max_deflection - d1) / length);
  }
  add_loads(contact, frame, a1, h_ * Vec3(p_n, z[at + kPt], z[at + kPo]), h_ * z[at + kPr], moved, r);
}

void LayerEquations::add_friction(std::size_t c, const VecX& z, const std::vector<LayerBody>& moved,
                                  const LayerFrame& frame, const Vec3& change, VecX& r) const {
  const LayerContact& contact = contacts_[c];
  const int at = contact_start_[c];
  Vec3 slip = calc_slip(contact, frame, moved, point_1(c, z));
  if (contact.is_tangent_acting) {
    slip[0] += change[1] / h_;
    slip[1] += change[2] / h_;
  }
  const double limit = contact.mu * std::max(0.0, z[at + kPn]), rho = force_scale_[c] / speed_scale_;
  Vec3 p = Vec3::Zero(), shifted = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    const double e = contact.ellipsoid[k];
    if (e <= 0.0) continue;
    p[k] = z[at + kPt + k] / e;
    shifted[k] = p[k] - rho * e * slip[k];
  }
  const double length = shifted.norm();
  const Vec3 projected = length > limit ? Vec3(shifted * (limit / length)) : shifted;
  for (int k = 0; k < 3; ++k) {
    r[at + 12 + k] = contact.ellipsoid[k] > 0.0 ? p[k] - projected[k] : z[at + kPt + k] / 1.0;
  }
}

void LayerEquations::add_loads(const LayerContact& contact, const LayerFrame& frame, const Vec3& point,
                               const Vec3& impulse, double twist, const std::vector<LayerBody>& moved, VecX& r) const {
  const Vec3 total = impulse[0] * frame.n + impulse[1] * frame.t + impulse[2] * frame.o;
  for (const auto& [body, sign] : {std::pair(contact.body_1, 1.0), std::pair(contact.body_2, -1.0)}) {
    Vec6 wrench;
    wrench << total, (point - moved[body].p).cross(total) + twist * frame.n;
    if (body_start_[body] >= 0) r.segment<6>(body_start_[body]) -= sign * wrench;
    if (bodies_[body].link >= 0) {
      r.head(num_speeds()) -= sign * (mechanism_->jacobians[bodies_[body].link].transpose() * wrench);
    }
  }
}

/// A speed at which some link moves as fast as anything does.
void LayerEquations::set_mechanism_scales() {
  for (int i = 0; i < num_speeds(); ++i) {
    double reach = 0.0;  // [m] or [1]
    for (const Mat6X& jacobian : mechanism_->jacobians) reach = std::max(reach, jacobian.col(i).head<3>().norm());
    unknown_scale_[i] = reach > 0.0 ? speed_scale_ / reach : 1.0;
    equation_scale_[i] = mechanism_->mass(i, i) * unknown_scale_[i];
  }
}

void LayerEquations::set_scales(double gravity) {
  unknown_scale_.resize(size_);
  equation_scale_.resize(size_);
  speed_scale_ = std::max(1e-3, 10.0 * gravity * h_);
  for (const LayerBody& body : bodies_) speed_scale_ = std::max(speed_scale_, body.v.norm());
  if (mechanism_ != nullptr) set_mechanism_scales();
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const int at = body_start_[b];
    if (at < 0) continue;
    const double inertia = bodies_[b].inertia_B.trace() / 3.0;
    const double turn = std::max({1.0, bodies_[b].w.norm(), speed_scale_ / std::sqrt(inertia / bodies_[b].mass)});
    unknown_scale_.segment<3>(at).setConstant(speed_scale_);
    equation_scale_.segment<3>(at).setConstant(bodies_[b].mass * speed_scale_);
    unknown_scale_.segment<3>(at + 3).setConstant(turn);
    equation_scale_.segment<3>(at + 3).setConstant(inertia * turn);
  }
  for (std::size_t c = 0; c < contacts_.size(); ++c) set_contact_scales(c, gravity);
  for (std::size_t k = 0; k < joint_loads().size(); ++k) {
    if (load_start_[k] < 0) continue;
    unknown_scale_[load_start_[k]] = equation_scale_[load_start_[k]] = joint_loads()[k].upper;
  }
}

void LayerEquations::set_contact_scales(std::size_t c, double gravity) {
  const LayerContact& contact = contacts_[c];
  double mass = kInfinite;
  for (const int b : {contact.body_1, contact.body_2}) {
    if (!bodies_[b].is_fixed) mass = std::min(mass, bodies_[b].mass);
  }
  const double length = contact.layer.max_deflection;
  const double force = std::max({mass * gravity, 1e-2 * mass * speed_scale_ / h_, 1e-300});
  force_scale_.push_back(force);
  length_scale_.push_back(std::min(length, 10.0 * speed_scale_ * h_));
  const int at = contact_start_[c], size = contact.other ? kTwoLayers : kOneLayer;
  unknown_scale_.segment(at, size).setConstant(length_scale_[c]);
  for (const int k : {kPn, kPt, kPo, kPr, kCore}) unknown_scale_[at + k] = force;
  unknown_scale_[at + kPr] = force * std::max(1e-3, contact.ellipsoid[2]);
  VecX scale = VecX::Ones(size);
  scale.head<2>().setConstant(length_scale_[c]);
  scale[8] = scale[9] = scale[10] = scale[12] = scale[13] = scale[14] = force;
  if (contact.other) {
    unknown_scale_[at + kOneLayer + 2] = force;
    scale[16] = force;
  }
  equation_scale_.segment(at, size) = scale;
}

}  // namespace abut
