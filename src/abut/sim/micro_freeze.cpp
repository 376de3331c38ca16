// What is frozen over a step of method micro: motion as foreseen, and the rows of contacts, stops and joints.

#include <algorithm>
#include <cmath>
#include <span>

#include "abut/contact/law/friction_law.hpp"
#include "abut/multibody/turning.hpp"
#include "abut/sim/micro_stepper.hpp"

namespace abut {

namespace {

/// Gaps that are zero to rounding [m].
constexpr double kTouching = 1e-9;

/// Rows of a contact: the rate of its depth and two slips.
Mat3 make_axes(const Vec3& n, const Vec3& along) {
  Mat3 axes;
  const Vec3 t = tangential(along, n).normalized();
  axes << -n.transpose(), t.transpose(), n.cross(t).transpose();
  return axes;
}

/// Rotation vector of R [rad].
Vec3 calc_turn(const Mat3& R) {
  const Eigen::AngleAxisd turn(R);
  return turn.angle() * turn.axis();
}

Mat3 calc_rotation(const Vec3& turn) {
  const double angle = turn.norm();
  return angle > 0.0 ? Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix() : Mat3(Mat3::Identity());
}

/// The parabola through values at 0, h/2 and h, at the part s of h.
Vec3 interpolate(const Vec3& start, const Vec3& middle, const Vec3& end, double s) {
  return start + s * (4.0 * middle - 3.0 * start - end) + s * s * (2.0 * start - 4.0 * middle + 2.0 * end);
}

}  // namespace

/// Accelerations that the motion of the step is foreseen with: of blocks that nothing touches those of its start, of
/// others those of the step before, where nothing struck them.
void MicroStepper::foresee() {
  const int num_q = dynamics_.num_q();
  for (Block& block : blocks_) block.is_touched = block.is_loaded;
  for (const MicroContact& c : contacts_) {
    if (!c.touches || c.point < 0) continue;
    const Candidate& candidate = dynamics_.contacts().candidate_of_point(c.point);
    for (const int collider : {candidate.collider_a, candidate.collider_b}) {
      const int block = block_of(dynamics_.contacts().collider(collider).link);
      if (block >= 0) blocks_[block].is_touched = true;
    }
  }
  frozen_.foreseen.assign(dynamics_.num_v(), 0.0);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    for (const int k : block.columns) {
      frozen_.foreseen[k] = !block.is_touched ? rates_[num_q + k] : (is_smooth_[i] != 0 ? mean_acceleration_[k] : 0.0);
    }
  }
}

void MicroStepper::freeze(double h) {
  const Model& model = dynamics_.model();
  const Tree& tree = model.tree;
  const int num_q = dynamics_.num_q(), num_v = dynamics_.num_v();
  const double t = state_.time;
  rates_.resize(static_cast<std::size_t>(dynamics_.size()));
  dynamics_.calc_rates(t, state_.y.data(), rates_.data(), nullptr);
  frozen_.start = dynamics_.kinematics();
  v_start_.assign(state_.y.begin() + num_q, state_.y.begin() + num_q + num_v);
  foresee();

  // Start, middle and end as foreseen.
  const std::span<const double> q0 = std::span<const double>(state_.y).first(num_q);
  y_middle_ = state_.y;
  q_end_.assign(q0.begin(), q0.end());
  mean_speeds_ = v_start_;
  shift_.resize(num_v);
  for (int i = 0; i < num_v; ++i) mean_speeds_[i] += 0.5 * h * frozen_.foreseen[i];
  for (std::size_t k = 0; k < model.prescribed.size(); ++k)
    mean_speeds_[model.prescribed[k].v_index] = dynamics_.prescribed_motion(k, t + 0.5 * h).rate;
  for (int i = 0; i < num_v; ++i) shift_[i] = 0.5 * h * v_start_[i] + 0.125 * h * h * frozen_.foreseen[i];
  move_coordinates(tree, shift_, 1.0, std::span(y_middle_).first(num_q));
  for (int i = 0; i < num_v; ++i) shift_[i] = h * v_start_[i] + 0.5 * h * h * frozen_.foreseen[i];
  move_coordinates(tree, shift_, 1.0, q_end_);
  for (std::size_t k = 0; k < model.prescribed.size(); ++k)
    q_end_[model.prescribed[k].q_index] = dynamics_.prescribed_motion(k, t + h).value;
  std::copy(mean_speeds_.begin(), mean_speeds_.end(), y_middle_.begin() + num_q);
  calc_kinematics(tree, q0, mean_speeds_, frozen_.start_mean);
  calc_kinematics(tree, q_end_, mean_speeds_, frozen_.end);

  // Accelerations without contacts, and without the loads of joints, which are rows.
  dynamics_.calc_rates(t + 0.5 * h, y_middle_.data(), rates_.data(), nullptr);
  frozen_.middle = dynamics_.kinematics();
  frozen_.free.assign(rates_.begin() + num_q, rates_.begin() + num_q + num_v);
  frozen_.prescribed_force.assign(num_v, 0.0);
  prescribed_acceleration_.assign(num_v, 0.0);
  for (std::size_t k = 0; k < model.prescribed.size(); ++k) {
    const int i = model.prescribed[k].v_index;
    prescribed_acceleration_[i] = (dynamics_.prescribed_motion(k, t + h).rate - v_start_[i]) / h;
  }
  if (!tree.articulated_links().empty()) {
    tau_.assign(num_v, 0.0);
    add_prescribed_loads(h);
    calc_articulated_accelerations(tree, frozen_.middle, {model.scene.gravity, dynamics_.wrenches(), tau_},
                                   prescribed_acceleration_, workspace_, frozen_.free, frozen_.prescribed_force);
  }
  frozen_.way.resize(num_v);
  for (int i = 0; i < num_v; ++i) frozen_.way[i] = h * v_start_[i] + 0.5 * h * h * frozen_.free[i];
  for (std::size_t k = 0; k < model.prescribed.size(); ++k) {
    const int i = model.prescribed[k].v_index;
    frozen_.free[i] = prescribed_acceleration_[i];
    frozen_.way[i] = dynamics_.prescribed_motion(k, t + h).value - dynamics_.prescribed_motion(k, t).value;
  }
  turn_bodies(h);
  calc_kinematics(tree, std::span<const double>(y_middle_).first(num_q), frozen_.free, frozen_.acceleration);

  ContactSet& set = dynamics_.contacts();
  const auto look = [&](const Kinematics& at, std::vector<PointContact>& out) {
    set.calc_geometry({at.X_WB.data(), at.p_WCm.data(), at.v_WCm.data(), at.w_WB.data()}, state_.pool);
    out.resize(static_cast<std::size_t>(set.num_points()));
    for (int i = 0; i < set.num_points(); ++i) out[i] = set.point_geometry(i);
  };
  look(frozen_.start, frozen_.at_start);
  look(frozen_.middle, frozen_.at_middle);
  look(frozen_.end, frozen_.at_end);
  for (Block& block : blocks_) block.is_ready = false;
  system_.clear();
  parts_.begin(frozen_.middle, v_start_, system_);
}

/// Of joints whose motion is prescribed their loads cost work, and nothing else.
void MicroStepper::add_prescribed_loads(double h) {
  const Model& model = dynamics_.model();
  for (MicroJoint& joint : joints_) {
    const JointLoadEntry& entry = model.joint_loads[joint.entry];
    if (block_of_speed_[entry.v_index] >= 0) continue;
    const double t = state_.time + 0.5 * h, q = y_middle_[entry.q_index], v = mean_speeds_[entry.v_index];
    const JointLoadResult load = calc_joint_load(entry.load, q, v, {joint.command->value(t), joint.command->rate(t)});
    tau_[entry.v_index] += load.force;
    joint.damping += h * load.damping_power;
    joint.rubbing += h * load.friction_power;
    joint.motor += h * load.motor_power;
  }
}

/// Free bodies turn by the midpoint rule of Euler's equations, which keeps energy and the size of angular momentum to
/// rounding in flight: W+ - W = h I^-1 (torque + (I Wm) x Wm), R+ = R exp(h Wm).
void MicroStepper::turn_bodies(double h) {
  const std::span<const FreeLeaf> leaves = dynamics_.model().tree.free_leaf_data();
  spin_end_.resize(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const FreeLeaf& leaf = leaves[i];
    if (leaf.isotropic) continue;
    const int at = leaf.v_start + 3;
    const Mat3 &R = frozen_.start.X_WB[leaf.link].R, &R_middle = frozen_.middle.X_WB[leaf.link].R;
    const Vec3 w = Eigen::Map<const Vec3>(v_start_.data() + at), W = R.transpose() * w;
    const Vec3 W_middle = R_middle.transpose() * Vec3(Eigen::Map<const Vec3>(mean_speeds_.data() + at));
    const Vec3 acceleration = R_middle.transpose() * Vec3(Eigen::Map<const Vec3>(frozen_.free.data() + at));
    const Vec3 torque = leaf.inertia * acceleration - Vec3(leaf.inertia * W_middle).cross(W_middle);
    const Vec3 W_end = calc_turned_spin(leaf.inertia, W, torque, h), W_mean = 0.5 * (W + W_end);
    spin_end_[i] = W_end;
    const Vec3 way = h * (R * W_mean);
    Eigen::Map<Vec3>{frozen_.way.data() + at} = way;
    Eigen::Map<Vec3>{frozen_.free.data() + at} = (calc_rotation(way) * R * W_end - w) / h;
  }
}

MicroStepper::Site& MicroStepper::new_site() {
  if (num_sites_ == static_cast<int>(sites_.size())) sites_.emplace_back();
  Site& site = sites_[num_sites_++];
  site.row = {};
  site.point = site.v_index = -1;
  site.block[0] = site.block[1] = -1;
  site.impulse.setZero();
  return site;
}

void MicroStepper::find_rows(double h) {
  num_sites_ = 0;
  for (Block& block : blocks_) block.sites.clear();
  const Model& model = dynamics_.model();
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const JointLoadEntry& entry = model.joint_loads[i];
    if (block_of_speed_[entry.v_index] < 0) continue;
    add_joint(static_cast<int>(i));
    if (!(entry.load.limit_stiffness > 0.0)) continue;
    if (std::isfinite(entry.load.upper)) add_stop(static_cast<int>(i), 1.0, h);
    if (std::isfinite(entry.load.lower)) add_stop(static_cast<int>(i), -1.0, h);
  }
  for (int point = 0; point < dynamics_.contacts().num_points(); ++point) add_contact(point, h);
  for (int i = 0; i < num_sites_; ++i) {
    for (int side = 0; side < 2; ++side) {
      if (sites_[i].block[side] >= 0) blocks_[sites_[i].block[side]].sites.emplace_back(i, side);
    }
  }
}

void MicroStepper::add_joint(int index) {
  const JointLoadEntry& entry = dynamics_.model().joint_loads[index];
  MicroJoint& joint = joints_[index];
  joint.q = entry.q_index >= 0 ? state_.y[entry.q_index] : 0.0;
  Site& site = new_site();
  site.row.kind = MicroRow::Kind::joint;
  site.row.index = index;
  set_joint_side(site, entry.v_index, 1.0);
}

void MicroStepper::set_joint_side(Site& site, int v_index, double sign) {
  const int block = block_of_speed_[v_index];
  Block& own = ready(block);
  site.row.count = 1;
  site.v_index = v_index;
  site.block[0] = block;
  site.J[0].setZero(1, static_cast<Eigen::Index>(own.columns.size()));
  const auto found = std::find(own.columns.begin(), own.columns.end(), v_index);
  site.J[0](0, found - own.columns.begin()) = sign;
  site.W[0] = own.inverse * site.J[0].transpose();
  site.w = Vec3(sign * v_start_[v_index], 0.0, 0.0);
  site.b = Vec3(sign * frozen_.free[v_index], 0.0, 0.0);
}

/// A joint that is at its limit, or may come to it.
void MicroStepper::add_stop(int index, double side, double h) {
  const JointLoadEntry& entry = dynamics_.model().joint_loads[index];
  const JointLoad& load = entry.load;
  const double q = state_.y[entry.q_index], v = v_start_[entry.v_index];
  const double depth = side > 0.0 ? q - load.upper : load.lower - q;
  if (depth <= 0.0 &&
      -depth > 2.0 * h * std::abs(v) + 2.0 * h * h * std::abs(frozen_.free[entry.v_index]) + kTouching) {
    // Far away, but other rows may still push it there: the step is looked at again afterwards.
    if (-depth > 10.0 * h * (std::abs(v) + 1e-3)) return;
  }
  auto found = std::find_if(contacts_.begin(), contacts_.end(),
                            [&](const MicroContact& c) { return c.stop == index && c.side == side; });
  if (found == contacts_.end()) {
    MicroContact c;
    c.stop = index;
    c.side = side;
    c.touches = depth > 0.0;
    contacts_.push_back(c);
    found = contacts_.end() - 1;
  }
  found->depth = depth;
  if (!found->touches && depth > 0.0) found->touches = true;
  if (found->touches && !(depth > 0.0)) found->touches = false;
  Site& site = new_site();
  site.row.kind = MicroRow::Kind::stop;
  site.row.index = static_cast<int>(found - contacts_.begin());
  site.row.stiffness = load.limit_stiffness;
  site.row.damper = load.limit_damping;
  site.depth = depth;
  found->normal = {.stiffness = load.limit_stiffness, .exponent = 1.0, .damping = 0.0, .damping_exponent = 1.0};
  set_joint_side(site, entry.v_index, side);
}

/// Rates of a contact's depth and slips, of bodies that move like this. Where its point wanders on the surface, the
/// rate of the gap is that of another point; the normal row is taken there.
Vec3 MicroStepper::calc_rates_of(const Mat3& axes, const Kinematics& motion, const PointContact& at, int a,
                                 int b) const {
  const Vec3 slip = motion.calc_point_velocity(a, at.point) - motion.calc_point_velocity(b, at.point);
  Vec3 rates = axes * slip;
  if (at.arm != Vec3::Zero()) rates[0] += axes.row(0).dot((motion.w_WB[a] - motion.w_WB[b]).cross(at.arm));
  return rates;
}

MicroStepper::Block& MicroStepper::ready(int index) {
  Block& block = blocks_[index];
  if (block.is_ready) return block;
  block.is_ready = true;
  const Tree& tree = dynamics_.model().tree;
  if (index < tree.num_free_leaves()) {
    const FreeLeaf& leaf = tree.free_leaf_data()[index];
    const Mat3& R = frozen_.middle.X_WB[leaf.link].R;
    block.inverse.setZero(6, 6);
    block.inverse.topLeftCorner<3, 3>().diagonal().setConstant(leaf.inverse_mass);
    block.inverse.bottomRightCorner<3, 3>() = R * leaf.inverse_inertia * R.transpose();
    return block;
  }
  const auto n = static_cast<Eigen::Index>(block.columns.size());
  int part = -1;
  const IndexRange& range = tree.groups()[index - tree.num_free_leaves()];
  for (int k = range.begin; k < range.end && part < 0; ++k) part = parts_.part_of(tree.articulated_links()[k]);
  block.inverse = Eigen::Map<const MatX>(system_.mass(part), n, n).llt().solve(MatX::Identity(n, n));
  return block;
}

/// Jacobians of a contact whose rows are `axes`, at a place that is carried back to the middle of the step by `shift`.
void MicroStepper::set_sides(Site& site, const PointContact& at, const Mat3& axes, const Vec3 (&shift)[2]) {
  site.axes = axes;
  const int count = site.row.count;
  for (int side = 0; side < 2; ++side) {
    site.block[side] = block_of(site.links[side]);
    site.place[side] = at.point + shift[side];  // of bodies that nothing moves, too: drives feel what acts on them
    if (site.block[side] < 0) continue;
    Block& block = ready(site.block[side]);
    MatX& J = site.J[side];
    const double sign = side == 0 ? 1.0 : -1.0;
    const Vec3& place = site.place[side];
    if (site.block[side] < dynamics_.model().tree.num_free_leaves()) {
      J.resize(count, 6);
      for (int r = 0; r < count; ++r) {
        const Vec3 d = axes.row(r).transpose();
        const Vec3 arm = (r == 0 ? Vec3(place + at.arm) : place) - frozen_.middle.p_WCm[site.links[side]];
        J.row(r) << sign * d.transpose(), sign * arm.cross(d).transpose();
      }
    } else {
      J.resize(count, static_cast<Eigen::Index>(block.columns.size()));
      for (int r = 0; r < count; ++r) {
        const Vec3 d = axes.row(r).transpose();
        J.row(r) =
            parts_.calc_jacobian(site.links[side], r == 0 ? Vec3(place + at.arm) : place, std::span(&d, 1), sign);
      }
    }
    site.W[side].noalias() = block.inverse * J.transpose();
  }
}

/// Where and how the two links of a pair are at a part of the step, as foreseen: through their poses at its start,
/// middle and end.
BodyMotion MicroStepper::move_pair(int link_a, int link_b, double part) {
  for (const int link : {link_a, link_b}) {
    const Pose &X0 = frozen_.start.X_WB[link], &Xm = frozen_.middle.X_WB[link], &X1 = frozen_.end.X_WB[link];
    const Vec3& c0 = frozen_.start.p_WCm[link];
    const Vec3 c = interpolate(c0, frozen_.middle.p_WCm[link], frozen_.end.p_WCm[link], part);
    const Vec3 turn_m = calc_turn(Xm.R * X0.R.transpose()), turn_1 = calc_turn(X1.R * X0.R.transpose());
    const Mat3 turned = calc_rotation(interpolate(Vec3::Zero(), turn_m, turn_1, part));
    scratch_.p_WCm[link] = c;
    scratch_.X_WB[link].R = turned * X0.R;
    scratch_.X_WB[link].p = c + turned * (X0.p - c0);
    scratch_.v_WCm[link] = frozen_.start_mean.v_WCm[link];
    scratch_.w_WB[link] = frozen_.start_mean.w_WB[link];
  }
  return {scratch_.X_WB.data(), scratch_.p_WCm.data(), scratch_.v_WCm.data(), scratch_.w_WB.data()};
}

/// First zero of the gap of two bodies that move as foreseen [s]; the geometry of the pair is that of this instant
/// then.
std::optional<double> MicroStepper::find_touch_time(int point, double h) {
  ContactSet& set = dynamics_.contacts();
  const Candidate& candidate = set.candidate_of_point(point);
  const int a = set.collider(candidate.collider_a).link, b = set.collider(candidate.collider_b).link;
  const double gap_start = frozen_.at_start[point].gap;
  double low = 0.0, f_low = gap_start, high = 1.0, f_high = frozen_.at_end[point].gap;
  if (!(f_high < 0.0) && frozen_.at_middle[point].gap < 0.0) {
    high = 0.5;
    f_high = frozen_.at_middle[point].gap;
  }
  if (!(f_high < 0.0) || gap_start < 0.0) return std::nullopt;
  double part = 0.0;
  constexpr int kMost = 60;
  for (int turn = 0; turn < kMost && high - low > 1e-14; ++turn) {
    part = turn % 3 == 2 ? 0.5 * (low + high) : low + (high - low) * f_low / (f_low - f_high);
    set.complete_geometry(point, move_pair(a, b, part), state_.pool);
    const double gap = set.point_geometry(point).gap;
    if (std::abs(gap) < 1e-15) break;
    (gap >= 0.0 ? low : high) = part;
    (gap >= 0.0 ? f_low : f_high) = gap;
  }
  return part * h;
}

/// Of a contact that begins at this geometry, from the bodies' materials [N/m^1.5].
double MicroStepper::calc_stiffness(int point, const Kinematics& then) {
  const BodyMotion motion{then.X_WB.data(), then.p_WCm.data(), then.v_WCm.data(), then.w_WB.data()};
  const auto mass = [](int, int, const Vec3&, const Vec3&) { return 1.0; };
  return dynamics_.contacts().make_patch(point, motion, state_.time, true, mass).normal.stiffness;
}

/// A contact that touches, or a pair that may within the step.
void MicroStepper::add_contact(int point, double h) {
  ContactSet& set = dynamics_.contacts();
  const Candidate& candidate = set.candidate_of_point(point);
  const int a = set.collider(candidate.collider_a).link, b = set.collider(candidate.collider_b).link;
  if (block_of(a) < 0 && block_of(b) < 0) return;
  int index = contact_of_point_[point];
  const bool touches = index >= 0 && contacts_[index].touches;
  const PointContact& start = frozen_.at_start[point];
  const ContactRule& rule = set.rule(candidate.rule);
  if (!touches) {
    const auto reach = [&](int link, int collider) {
      const Vec3 speed = frozen_.start.calc_point_velocity(link, start.point);
      const double size = std::min(set.collider(collider).bounding_radius, 1e3 * (std::abs(start.gap) + 1.0));
      const double turn = frozen_.start.w_WB[link].norm();
      const double acceleration =
          frozen_.acceleration.v_WCm[link].norm() + (turn * turn + frozen_.acceleration.w_WB[link].norm()) * size;
      return 1.5 * h * speed.norm() + 2.0 * h * h * acceleration;
    };
    if (start.gap > reach(a, candidate.collider_a) + reach(b, candidate.collider_b) + kTouching) return;
  }
  if (index < 0) {
    index = contact_of_point_[point] = static_cast<int>(contacts_.size());
    contacts_.emplace_back().point = point;
  }
  Site& site = new_site();
  MicroContact& c = contacts_[index];
  site.point = point;
  site.row.kind = MicroRow::Kind::contact;
  site.row.index = index;
  site.row.rule = &rule;
  site.row.count = std::holds_alternative<NoFriction>(rule.friction) ? 1 : 3;
  site.links[0] = a;
  site.links[1] = b;
  site.axes_start = make_axes(start.normal, any_perpendicular(start.normal));
  const Vec3 along = site.axes_start.row(1).transpose();
  if (touches) {
    const PointContact &middle = frozen_.at_middle[point], &end = frozen_.at_end[point];
    const Mat3 axes = make_axes(middle.normal, along);
    site.axes_end = make_axes(end.normal, along);
    set_sides(site, middle, axes, {Vec3::Zero(), Vec3::Zero()});
    const Vec3 turn = (calc_rates_of(site.axes_end, frozen_.end, end, a, b) -
                       calc_rates_of(site.axes_start, frozen_.start_mean, start, a, b)) /
                      h;
    site.w = calc_rates_of(site.axes_start, frozen_.start, start, a, b);
    site.b = calc_rates_of(axes, frozen_.acceleration, middle, a, b) + turn;
    site.row.stiffness = c.normal.stiffness;  // it may part and touch again within the step
    c.z = site.axes_start.bottomRows<2>() * c.z_W;
    c.force.tail<2>() = -site.axes_start.bottomRows<2>() * c.friction_W;
  } else {
    // The rows are those of the instant at which the bodies touch on their way, if they do.
    const std::optional<double> time = find_touch_time(point, h);
    const PointContact at = time ? set.point_geometry(point) : frozen_.at_middle[point];
    const Kinematics& then = time ? scratch_ : frozen_.middle;
    const Vec3 shift[2] = {frozen_.middle.p_WCm[a] - then.p_WCm[a], frozen_.middle.p_WCm[b] - then.p_WCm[b]};
    const Mat3 axes = make_axes(at.normal, along);
    site.axes_start = site.axes_end = axes;
    set_sides(site, at, axes, shift);
    const auto rates = [&](const Kinematics& motion) {
      // Lever arms of the instant of the touch, speeds of another.
      const Vec3 arm_a = at.point - then.p_WCm[a], arm_b = at.point - then.p_WCm[b];
      Vec3 out = axes * (motion.v_WCm[a] + motion.w_WB[a].cross(arm_a) - motion.v_WCm[b] - motion.w_WB[b].cross(arm_b));
      if (at.arm != Vec3::Zero()) out[0] += axes.row(0).dot((motion.w_WB[a] - motion.w_WB[b]).cross(at.arm));
      return out;
    };
    site.w = rates(frozen_.start);
    site.b = rates(frozen_.acceleration);
    c.depth = -start.gap;
    if (time) c.depth = std::min(0.0, -(site.w[0] + 0.5 * *time * site.b[0]) * *time);
    if (start.gap < 0.0) c.depth = -start.gap;
    site.row.stiffness = rule.normal.stiffness.value_or(0.0);
    if (rule.contact_modulus) site.row.stiffness = calc_stiffness(point, then);
  }
  site.depth = c.depth;
}

}  // namespace abut
