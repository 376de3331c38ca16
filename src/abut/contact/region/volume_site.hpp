#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "abut/contact/body_motion.hpp"
#include "abut/contact/collider.hpp"
#include "abut/contact/contact_rule.hpp"
#include "abut/contact/patch.hpp"
#include "abut/contact/region/volume_cells.hpp"
#include "abut/contact/region/volume_contact.hpp"
#include "abut/geometry/point_contact.hpp"

namespace abut {

/// Connected pieces of one pair's interference that are told apart; a pair with more has the surplus joined to the
/// piece nearest to it.
inline constexpr int kMaxVolumePieces = 16;

/// How many contact points a pair needs under the volumetric model: one, or several where meshes may meet in several
/// places.
int count_volume_slots(const VolumeCells& a, const VolumeCells& b);

/// A pair of bodies, or cells of bodies, under the volumetric model: turns poses into the geometry of its patches. Each
/// connected piece of the interference has a slot, and keeps it while it lasts.
class VolumeSite {
 public:
  /// The colliders must outlive it.
  VolumeSite(const VolumeCells& a, const VolumeCells& b, const VolumeRule& rule);
  /// One collider each.
  VolumeSite(const Collider& a, const Collider& b, const VolumeRule& rule);

  int num_slots() const { return num_slots_; }
  /// Whether a depth field is wanted and neither body has one.
  bool lacks_field() const { return rule_.normal == VolumeNormal::field && !has_field_; }

  /// Fills one entry of `geometry` and `volumes` for each slot. `patches`: the patch of each slot, null where there is
  /// none; their memory decides which piece goes on as which, and which principal axis is the normal. `gaps`: whether
  /// bodies that are apart are told how far; otherwise they get some gap above zero.
  void calc(const BodyMotion& motion, std::span<const Patch* const> patches, Gaps gaps, PointContact* geometry,
            VolumeContact* volumes);

  /// The law of force over volume turned into one over depth of approach along `normal`, by probing how V grows there.
  NormalCoefficients make_law_by_depth(const NormalCoefficients& by_volume, const BodyMotion& motion,
                                       const Vec3& normal);

  /// Of its pairs of cells.
  template <class Use>
  void for_each_watch(const Use& use) {
    pair_.for_each_watch(use);
  }
  template <class Use>
  void for_each_watch(const Use& use) const {
    pair_.for_each_watch(use);
  }
  template <class Archive>
  void visit(Archive& archive) {
    for_each_watch([&](ApartWatch& watch) { archive(watch); });
  }

 private:
  /// Of the links.
  struct Poses {
    Pose X_WA, X_WB;
  };
  Poses calc_poses(const BodyMotion& motion) const;
  /// Sets pieces and, if wanted, wrenches. Rates, events and responses look at the same pose in turn: what was found
  /// there last is taken again.
  void look(const Poses& poses, Gaps gaps, bool wants_wrenches);
  /// -1 where none is of these poses.
  int find_known(const Poses& poses, bool wants_wrenches) const;
  /// Where they are known to be far apart since they were looked at last: gaps that are no larger than the true ones.
  bool calc_far(const Poses& poses, std::span<const Patch* const> patches, PointContact* geometry,
                VolumeContact* volumes) const;
  void assign_pieces(const Pose& X_WL, std::span<const Patch* const> patches);
  void take_nearest(const Pose& X_WL, std::span<const Patch* const> patches);
  void place_new_piece(int piece, std::span<const Patch* const> patches);
  int find_slot_beside(const VolumeMetrics& piece, std::span<const Patch* const> patches) const;
  /// Slot whose patch had `piece` in it, or beside it, at the end of the last step; -1 where there is none.
  int find_past(const VolumeMetrics& piece, const Pose& X_WL, std::span<const Patch* const> patches) const;
  void find_kin(const Pose& X_WL, std::span<const Patch* const> patches, VolumeContact* volumes) const;
  void join_pieces(int into, int from);
  Vec3 choose_normal(int index, const Vec3& geometric, const Vec3& previous, double& definition) const;
  void describe_piece(int index, const Vec3& fallback, const Patch* patch, PointContact& geometry,
                      VolumeContact& volume) const;
  /// Distance of the two, or a little more than nothing where only their volumes tell that they do not touch [m].
  double calc_gap(const Poses& poses);
  /// Whether hulls at no distance from each other are not in each other.
  bool do_hulls_touch(const Poses& poses, const Vec3& fallback, std::span<const Patch* const> patches);
  /// `wants_normal`: where they all but touch, point and normal of the touch are looked for.
  bool is_about_to_show(const Patch& patch, const BodyMotion& motion) const;
  void describe_apart(const Poses& poses, const Vec3& fallback, bool wants_normal, PointContact& geometry);
  /// Normal and point of bodies that all but touch, or have just begun to, from a push of 1e-7 of their size.
  void look_closely(const Poses& poses, const Vec3& fallback, PointContact& geometry);
  void clear_slots(double gap, const Vec3& normal, const Vec3& point, PointContact* geometry,
                   VolumeContact* volumes) const;
  /// The largest piece when A is pushed by `depth` [m] against `direction`; its volume is 0 where nothing overlaps.
  VolumeMetrics probe(const Poses& poses, const Vec3& direction, double depth);
  /// Where A meets B when pushed by `depth` [m] from a place where they just touch, `expected` being the likely normal.
  VolumeMetrics probe_touch(const Poses& poses, const Vec3& expected, double depth);
  Vec3 calc_fallback_normal(const Poses& poses) const;
  void share_samples(const Poses& poses, VolumeContact* volumes);

  VolumeCells a_, b_;
  VolumeRule rule_;
  int num_slots_;
  double size_;  ///< of the smaller body [m]
  CellInterference pair_;
  bool has_field_;
  /// What pair_ has found in one pose.
  struct Found {
    Poses poses;
    bool is_valid = false, has_wrenches = false;
    std::vector<VolumeMetrics> pieces;
    std::vector<FieldWrench> wrenches;
    std::optional<PointContact> apart;  ///< where there are no pieces
    bool has_normal = false;            ///< of those that are apart
  };
  /// Of the last look for forces, and of the last one for gaps alone: events inside a step are looked for between the
  /// end of its forces and their next use.
  std::array<Found, 2> found_;
  int now_ = 0;    ///< the one of this look
  int last_ = -1;  ///< the one that pair_ is at; -1 where it has been elsewhere since
  std::vector<VolumeMetrics> pieces_;
  std::vector<FieldWrench> wrenches_;  ///< of the pieces, where there are fields and they are wanted
  std::vector<int> piece_of_slot_;
  std::vector<int> slot_of_piece_;  ///< also of pieces that are counted with others
  std::vector<std::vector<VolumeSample>> samples_of_piece_, samples_of_slot_;
};

}  // namespace abut
