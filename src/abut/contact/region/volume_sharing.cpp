// What volumetric patches begin with, and what those that break off from others or are joined to others share.

#include "abut/contact/region/bristle_sharing.hpp"
#include "abut/contact/region/volume_damping.hpp"
#include "abut/contact/region/volume_region.hpp"
#include "abut/geometry/moments/volume_metrics.hpp"

namespace abut {

namespace {

VolumeMetrics make_last_metrics(const Patch& patch) {
  return {patch.last_volume, patch.last_centroid, patch.last_inertia, Vec3::Zero()};
}

}  // namespace

/// Radius of gyration of a patch about its normal, as it was noted last [m].
double VolumeRegion::calc_last_radius(const Patch& patch, const BodyMotion& motion) const {
  const Mat3& R = motion.X_WB[table_.colliders[patch.key.collider_b].link].R;
  return make_last_metrics(patch).calc_gyration_radius(R.transpose() * patch.last_normal);
}

/// What a spring without a potential holds that is pressed in from the start [J]: the work of pressing it in along its
/// normal, with the volume growing as it does near the touch. A constant of the ledger; the balance does not depend on
/// it.
void VolumeRegion::begin_numbers(int point, int place, const BodyMotion&, double time, const PatchPool& pool,
                                 const PatchNumbers& numbers) const {
  if (time != 0.0) return;
  const VolumeContact& volume = volume_at(point);
  PatchWork stored;
  stored.elastic = volume.has_field ? 0.0 : estimate_volume_energy(pool.patches[place], volume, volume.volume);
  stored.write(numbers.works_of(place));
}

/// A part that breaks off takes its bristles along, and its share of the spring's energy. With loads in proportion to
/// the volumes, force and torque of the bristles stay what they were.
void VolumeRegion::split(int place, const PatchKin& kin, const BodyMotion& motion, const PatchPool& pool,
                         const PatchNumbers& numbers) const {
  double *child = numbers.states_of(place), *parent = numbers.states_of(kin.place);
  const double theta = numbers.stride >= 5 ? calc_twist(parent[4], kin.gyration_radius) : 0.0;
  share_bristles(pool.patches[kin.place].last_normal, kin, theta, numbers.stride, parent, child);
  if (numbers.stride >= 5) {
    child[4] = theta * calc_last_radius(pool.patches[place], motion);
    parent[4] = theta * calc_last_radius(pool.patches[kin.place], motion);
  }
  PatchWork mine, kept = PatchWork::read(numbers.works_of(kin.place));
  mine.elastic = kin.share * kept.elastic;
  kept.elastic -= mine.elastic;
  mine.write(numbers.works_of(place));
  kept.write(numbers.works_of(kin.place));
}

/// A patch that is joined to another hands over its bristles and its spring. Force and torque of the bristles stay what
/// they were; what parts that were bent differently had stored beyond that counts as lost to friction.
void VolumeRegion::merge(const Patch& patch, int place, int heir, const BodyMotion& motion, PatchPool& pool,
                         const PatchNumbers& numbers) const {
  Patch& other = pool.patches[heir];
  const VolumeMetrics from = make_last_metrics(patch), to = make_last_metrics(other), both = join(from, to);
  const Mat3& R = motion.X_WB[table_.colliders[patch.key.collider_b].link].R;
  const Vec3 n = R.transpose() * other.last_normal;  // in the axes of link b, as all of these
  double *mine = numbers.states_of(place), *its = numbers.states_of(heir);
  const int stride = numbers.stride;
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
  PatchWork mine_work = PatchWork::read(numbers.works_of(place)), its_work = PatchWork::read(numbers.works_of(heir));
  its_work.elastic += mine_work.elastic;
  mine_work.elastic = 0.0;
  mine_work.write(numbers.works_of(place));
  its_work.write(numbers.works_of(heir));
}

double VolumeRegion::calc_bristle_energy(int place, const PatchResponse& response, const PatchPool& pool,
                                         const double* states, int stride) const {
  return calc_stored_in_bristles(table_.rules[pool.patches[place].rule].friction, response, states, stride);
}

}  // namespace abut
