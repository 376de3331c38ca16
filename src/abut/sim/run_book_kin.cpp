// What patches begin with: patches that break off from others and patches that are joined to others share what they
// hold, and bristles that touch in slip are bent.

#include <algorithm>

#include "abut/contact/law/lugre_touch.hpp"
#include "abut/contact/patch_response.hpp"
#include "abut/geometry/moments/volume_metrics.hpp"
#include "abut/sim/run_book.hpp"

namespace abut {

namespace {

/// The deflection of the bristles at an arm from the centroid: z + theta n x arm.
Vec3 calc_deflection(const double* states, double theta, const Vec3& normal, const Vec3& arm) {
  return Vec3(states[0], states[1], states[2]) + theta * normal.cross(arm);
}

double calc_twist(double rim, double gyration_radius) { return gyration_radius > 0.0 ? rim / gyration_radius : 0.0; }

void write_deflection(const Vec3& z, double* states) {
  for (int i = 0; i < 3; ++i) states[i] = z[i];
}

VolumeMetrics make_last_metrics(const Patch& patch) {
  return {patch.last_volume, patch.last_centroid, patch.last_inertia, Vec3::Zero()};
}

}  // namespace

double RunBook::calc_last_radius(int place) const {
  const Patch& patch = state_.pool.patches[place];
  const Mat3& R = dynamics_.motion().X_WB[dynamics_.model().colliders[patch.key.collider_b].link].R;
  return make_last_metrics(patch).calc_gyration_radius(R.transpose() * patch.last_normal);
}

/// A part that breaks off takes its bristles along, and its share of the spring's energy. With loads in proportion to
/// the volumes, force and torque of the bristles stay what they were.
void RunBook::share_out(int place, const PatchKin& kin) {
  double *child = friction_states(place), *parent = friction_states(kin.place);
  const int stride = dynamics_.stride();
  const bool is_volume = state_.pool.patches[place].region == RegionKind::volume;
  const Vec3& n = state_.pool.patches[kin.place].last_normal;
  if (stride >= 3) {
    const double theta = stride >= 5 ? calc_twist(parent[4], kin.gyration_radius) : 0.0;
    write_deflection(calc_deflection(parent, theta, n, kin.arm), child);
    write_deflection(calc_deflection(parent, theta, n, kin.retreat), parent);
    if (stride >= 4) child[3] = parent[3];
    if (stride >= 5 && is_volume)
      child[4] = theta * calc_last_radius(place), parent[4] = theta * calc_last_radius(kin.place);
  }
  if (!is_volume) return;  // the spring of a point has a formula
  PatchWork mine, kept = PatchWork::read(patch_works(kin.place));
  mine.elastic = kin.share * kept.elastic;
  kept.elastic -= mine.elastic;
  mine.write(patch_works(place));
  kept.write(patch_works(kin.place));
}

/// A patch that is joined to another hands over its bristles and its spring. Force and torque of the bristles stay what
/// they were; what parts that were bent differently had stored beyond that counts as lost to friction.
void RunBook::hand_over(const Patch& patch, int place, int heir) {
  Patch& other = state_.pool.patches[heir];
  const VolumeMetrics from = make_last_metrics(patch), to = make_last_metrics(other), both = join(from, to);
  const Mat3& R = dynamics_.motion().X_WB[dynamics_.model().colliders[patch.key.collider_b].link].R;
  const Vec3 n = R.transpose() * other.last_normal;  // in the axes of link b, as all of these
  double *mine = friction_states(place), *its = friction_states(heir);
  const int stride = dynamics_.stride();
  if (stride >= 3) {
    double twist = 0.0;
    Vec3 z = Vec3::Zero();
    double dwell = 0.0;
    for (const auto& [states, part] : {std::pair(mine, &from), {its, &to}}) {
      const Vec3 own = R.transpose() * Vec3(states[0], states[1], states[2]);
      const double weight = part->volume / both.volume;
      z += weight * own;
      twist += part->volume * n.dot(Vec3(part->centroid - both.centroid).cross(own));
      if (stride >= 4) dwell += weight * states[3];
      if (stride >= 5) twist += n.dot(part->inertia * n) * calc_twist(states[4], part->calc_gyration_radius(n));
    }
    write_deflection(R * z, its);
    if (stride >= 4) its[3] = dwell;
    if (stride >= 5) its[4] = twist / n.dot(both.inertia * n) * both.calc_gyration_radius(n);
  }
  other.last_volume = both.volume;
  other.last_centroid = both.centroid;
  other.last_inertia = both.inertia;
  PatchWork mine_work = PatchWork::read(patch_works(place)), its_work = PatchWork::read(patch_works(heir));
  its_work.elastic += mine_work.elastic;
  mine_work.elastic = 0.0;
  mine_work.write(patch_works(place));
  its_work.write(patch_works(heir));
}

/// Bristles that touch in slip.   [contact/law/lugre_touch.hpp]
void RunBook::bend_bristles(int place, double* states) const {
  const Patch& patch = state_.pool.patches[place];
  const auto* lugre = std::get_if<LugreParameters>(&dynamics_.model().rules[patch.rule].friction);
  if (lugre == nullptr) return;
  ContactSet& contacts = dynamics_.contacts();
  const auto at = std::find(state_.pool.active.begin(), state_.pool.active.end(), place);
  if (at == state_.pool.active.end()) return;
  const int link_a = dynamics_.model().colliders[patch.key.collider_a].link;
  const int link_b = dynamics_.model().colliders[patch.key.collider_b].link;
  const PointContact& geometry =
      contacts.point_geometry(contacts.active_point(static_cast<int>(at - state_.pool.active.begin())));
  const BodyMotion motion = dynamics_.motion();
  const Vec3 velocity =
      calc_point_velocity(motion, link_a, geometry.point) - calc_point_velocity(motion, link_b, geometry.point);
  const Vec3 z = calc_touch_deflection(*lugre, tangential(velocity, geometry.normal));
  write_deflection(z, states);
}

}  // namespace abut
