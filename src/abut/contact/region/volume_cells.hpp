#pragma once

#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "abut/contact/collider.hpp"
#include "abut/contact/region/apart_watch.hpp"
#include "abut/geometry/volume/cell_joining.hpp"
#include "abut/geometry/volume/interference.hpp"

namespace abut {

class CellLayout;

/// What a look at the geometry has to tell of points that are apart: how far (for locating a touch), or only that.
enum class Gaps { exact, sign };

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
  CellInterference(VolumeCells a, VolumeCells b, double relative_error);

  /// The connected pieces; poses are those of the links. With Gaps::sign pairs of cells that are known to be apart are
  /// passed over.
  void calc(const Pose& X_WA, const Pose& X_WB, Gaps gaps, std::vector<VolumeMetrics>& pieces);
  SeparationBound calc_separation(const Pose& X_WA, const Pose& X_WB);
  /// Samples of the interference computed last, each list belonging to one of the pieces calc() gave.
  void calc_samples(const Pose& X_WA, const Pose& X_WB, int detail, std::vector<std::vector<VolumeSample>>& samples);

 private:
  struct CellPair {
    const Collider* a;
    const Collider* b;
    int cell_a, cell_b;  ///< in the layouts
    ApartWatch watch;
    Interference interference;
  };
  /// One piece of one pair of cells.
  struct Part {
    int pair;
    VolumeMetrics metrics;
    int root;  ///< a part that it is connected to, the first of them all in the end
  };
  /// What two parts may meet across: a joint of a's cells, or one cell of a, and the same of b.
  struct Crossing {
    int joint_a = -1, joint_b = -1;
  };

  bool is_known_apart(CellPair& pair, const Pose& X_WA, const Pose& X_WB) const;
  void note_apart(CellPair& pair, const Pose& X_WA, const Pose& X_WB);
  int find_root(int part) const;
  void connect(const Pose& X_WA, const Pose& X_WB);
  void connect_across(int i, int j, bool both_sides, const Pose& X_WA, const Pose& X_WB);
  /// Where a joint (or cell) of a and one of b interfere.
  const std::vector<VolumeMetrics>& cross(int i, const Crossing& crossing, const Pose& X_WA, const Pose& X_WB);
  int find_part_at(int pair, const Vec3& point) const;

  VolumeCells a_, b_;
  double relative_error_;
  std::vector<CellPair> pairs_;
  std::vector<Part> parts_;
  std::vector<int> piece_of_part_;
  std::map<std::tuple<int, int, int, int>, Interference> crossings_;
  std::vector<VolumeMetrics> found_;
};

}  // namespace abut
