#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "abut/contact/collider.hpp"
#include "abut/contact/gaps.hpp"
#include "abut/contact/region/apart_watch.hpp"
#include "abut/contact/region/carrier_field.hpp"
#include "abut/geometry/volume/cell_joining.hpp"
#include "abut/geometry/volume/interference.hpp"
#include "abut/math/union_find.hpp"

namespace abut {

class CellLayout;

/// The colliders of one link that count as one body in a volumetric contact.
struct VolumeCells {
  std::vector<const Collider*> list;
  const CellLayout* layout = nullptr;  ///< of the link's cells; null where there is one only
  CellJoining joining = CellJoining::separate;
  bool is_convex = false;  ///< all of them together

  const Collider& first() const { return *list.front(); }
};

/// The group of cells that collider `leader` leads.
VolumeCells make_volume_cells(const std::vector<Collider>& colliders, int leader, CellJoining joining);

/// Whether the interference of the two may fall into several pieces.
bool may_have_several_pieces(const VolumeCells& a, const VolumeCells& b);

/// The interference of two bodies made of cells: that of all pairs of cells, with the pieces that meet across joints of
/// cells put together. So cutting a body into more cells changes nothing but rounding. One thread at a time.
class CellInterference {
 public:
  /// `with_field`: the colliders have their depth fields, of which wrenches are wanted.
  CellInterference(VolumeCells a, VolumeCells b, double relative_error, bool with_field);

  /// The connected pieces; poses are those of the links. With Gaps::sign pairs of cells that are known to be apart are
  /// passed over. `wrenches`: what the depth fields do to A in each piece; only where has_field().
  void calc(const Pose& X_WA, const Pose& X_WB, Gaps gaps, std::vector<VolumeMetrics>& pieces,
            std::vector<FieldWrench>* wrenches = nullptr);
  /// The wrenches of the pieces that calc() gave last, which must have been at these poses.
  void calc_wrenches(const Pose& X_WA, const Pose& X_WB, std::vector<FieldWrench>& wrenches);
  /// Whether one of each pair of cells carries a depth field.
  bool has_field() const;
  SeparationBound calc_separation(const Pose& X_WA, const Pose& X_WB);
  /// A bound on their distance by how far they have moved since calc_separation() [m]; zero where it has worn out.
  double calc_distance_left(const Pose& X_WA, const Pose& X_WB) const;
  /// Samples of the interference computed last, each list belonging to one of the pieces calc() gave.
  void calc_samples(const Pose& X_WA, const Pose& X_WB, int detail, std::vector<std::vector<VolumeSample>>& samples);

  /// What is known of pairs that are apart: gaps told without a look depend on it.
  template <class Use>
  void for_each_watch(const Use& use) {
    for (CellPair& pair : pairs_) use(pair.watch);
  }
  template <class Use>
  void for_each_watch(const Use& use) const {
    for (const CellPair& pair : pairs_) use(pair.watch);
  }

 private:
  struct CellPair {
    const Collider* a;
    const Collider* b;
    int cell_a, cell_b;  ///< in the layouts
    ApartWatch watch;
    Interference interference;
    std::optional<CarrierField> field_a, field_b;
    double share;  ///< of b's field in the energy [1]
  };
  /// One piece of one pair of cells.
  struct Part {
    int pair;
    VolumeMetrics metrics;
  };
  /// What two parts may meet across: a joint of a's cells, or one cell of a, and the same of b.
  struct Crossing {
    int joint_a = -1, joint_b = -1;
  };

  void set_carriers(CellPair& pair) const;
  void add_wrenches(CellPair& pair, const Pose& X_WSa, const Pose& X_WSb, std::span<const VolumeMetrics> parts);
  void add_part_wrenches(const Pose& X_WA, const Pose& X_WB);
  void sum_wrenches(std::vector<FieldWrench>& wrenches) const;
  bool is_known_apart(CellPair& pair, const Pose& X_WA, const Pose& X_WB) const;
  void note_apart(CellPair& pair, const Pose& X_WA, const Pose& X_WB);
  void connect(const Pose& X_WA, const Pose& X_WB);
  void connect_across(int i, int j, bool both_sides, const Pose& X_WA, const Pose& X_WB);
  /// Where a joint (or cell) of a and one of b interfere.
  const std::vector<VolumeMetrics>& cross(int i, const Crossing& crossing, const Pose& X_WA, const Pose& X_WB);
  int find_part_at(int pair, const Vec3& point) const;

  VolumeCells a_, b_;
  double relative_error_;
  std::vector<CellPair> pairs_;
  std::vector<Part> parts_;
  UnionFind connected_parts_;
  std::vector<FieldWrench> part_wrenches_;
  std::vector<int> piece_of_part_;
  std::map<std::tuple<int, int, int, int>, Interference> crossings_;
  std::vector<VolumeMetrics> found_;
};

}  // namespace abut
