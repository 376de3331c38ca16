#pragma once

#include <array>
#include <functional>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "abut/contact/body_motion.hpp"
#include "abut/contact/collider.hpp"
#include "abut/contact/contact_rule.hpp"
#include "abut/geometry/broad_phase.hpp"
#include "abut/geometry/point_pair.hpp"

namespace abut {

/// Two colliders that may touch, with the rule that says how. Their contact points are numbered from first_point.
/// Each may lead a group of cells that count as one body, where the region joins them.
struct Candidate {
  int collider_a = -1;
  int collider_b = -1;
  int rule = -1;
  PointPair pair;  ///< but for contact at points only the number of points means something
  RegionKind region = RegionKind::point;
  int first_point = 0;
  int site = 0;             ///< its number among the pairs of its region
  int first_own_point = 0;  ///< the number of its first point among the points of its region
};

/// The rule for two links: its index (-1: they never touch) and whether the second link plays the part of A.
struct RuleMatch {
  int rule = -1;
  bool swapped = false;
  RegionKind region = RegionKind::point;
  bool is_hard = false;  ///< bodies do not yield: flat faces meet at the corners of their overlap
};

/// Speeds are allowed to grow by this factor within a step that an error-controlled method has taken.
inline constexpr double kSpeedAllowance = 1.5;

/// The pairs worth looking at. Small scenes keep all of them, for good. Large ones keep those whose boxes, widened by a
/// margin, overlap; the list stays valid until some collider has moved by its margin, so the broad phase runs once in
/// many steps. They are then in the order of their owners, the lower of the two links that can move: whoever goes
/// through them has met all pairs of a link when it has met those that the link owns.
///
/// A list may also be made for all that the colliders pass through in some time: begin_sweep(), sweep() at a few
/// instants, cover_sweep(). Such lists are not compared with margins but with what was swept.
class CandidateList {
 public:
  using FindRule = std::function<RuleMatch(int link_a, int link_b)>;

  CandidateList(const std::vector<Collider>& colliders, const std::vector<ContactRule>& rules, FindRule find_rule);

  /// Whether the list may be incomplete at this motion.
  bool needs_refresh(const BodyMotion& motion) const;
  /// The same of a list that has been made, as far as links begin <= link < end are concerned.
  bool needs_refresh(int begin_link, int end_link, const BodyMotion& motion) const;
  /// Makes the list anew if it may be incomplete; true when it did.
  bool refresh(const BodyMotion& motion);

  /// Whether the list holds all pairs that may meet within `time` [s] before or after this motion.
  bool covers(const BodyMotion& motion, double time) const;
  void begin_sweep();
  /// Adds where each collider is, and what it may reach within `time` [s] before or after.
  void sweep(const BodyMotion& motion, double time);
  /// Makes the list anew for all that was swept, and a margin more. Unless it must, it does not where that is more than
  /// a list should hold: false, and the list is as before.
  bool cover_sweep(bool must);

  bool holds_all_pairs() const { return holds_all_pairs_; }
  int size() const { return static_cast<int>(candidates_.size()); }
  Candidate& operator[](int index) { return candidates_[index]; }
  const Candidate& operator[](int index) const { return candidates_[index]; }
  int num_points() const { return static_cast<int>(candidate_of_point_.size()); }
  const Candidate& candidate_of_point(int point) const { return candidates_[candidate_of_point_[point]]; }
  /// Pairs and points of one region.
  int num_sites(RegionKind region) const { return num_sites_[static_cast<std::size_t>(region)]; }
  int num_own_points(RegionKind region) const { return num_own_points_[static_cast<std::size_t>(region)]; }
  int candidate_index_of_point(int point) const { return candidate_of_point_[point]; }
  /// Whether the candidates stand in the order of their owners.
  bool is_owner_order() const { return is_built_ && !holds_all_pairs_; }
  /// The first candidate that `link`, or a later one, owns; only in the order of owners.
  int first_owned(int link) const;

  /// What it was made for decides how long it lasts, and the order of its pairs that of all sums over contacts.
  template <class Archive>
  void visit(Archive& archive) {
    archive(holds_all_pairs_, is_built_, candidates_, cell_groups_, candidate_of_point_, first_owned_, num_sites_,
            num_own_points_, boxes_, swept_, is_static_, margins_, moving_, poses_when_built_, plain_spheres_, others_,
            first_plain_sphere_, first_other_);
  }

 private:
  double calc_travel_left(int collider, const BodyMotion& motion) const;
  void add_pair(int collider_i, int collider_j);
  void build_all_pairs();
  void build_near_pairs(const BodyMotion& motion);
  /// The collider's own box at this motion, and all it may reach within `time` [s].
  Aabb calc_reach(int collider, const BodyMotion& motion, double time) const;
  void finish();
  /// A plane has no bounds, but whatever stays above it for as long as the list is valid need not be looked at.
  bool is_above_static_plane(int collider, int plane) const;
  /// Spheres whose boxes meet may be out of each other's reach all the same: in a lattice ten pairs of thirteen.
  bool are_spheres_apart(int i, int j) const;
  int find_owner(const Candidate& candidate) const;
  void sort_by_kind();
  void sort_by_owner();
  void number_points();

  const std::vector<Collider>& colliders_;
  const std::vector<ContactRule>& rules_;
  FindRule find_rule_;
  bool holds_all_pairs_ = false;
  bool is_built_ = false;
  std::vector<Candidate> candidates_;
  std::set<std::pair<int, int>> cell_groups_;  ///< pairs of leaders that are among them already
  std::vector<int> candidate_of_point_;
  std::vector<int> first_owned_;  ///< by each link, and one more
  std::array<int, kNumRegions> num_sites_{}, num_own_points_{};
  BroadPhase broad_phase_;
  std::vector<Aabb> boxes_;
  std::vector<Aabb> swept_;
  std::vector<unsigned char> is_static_;
  std::vector<std::pair<int, int>> overlaps_;
  std::vector<double> margins_;  ///< [m]
  std::vector<int> moving_;      ///< bounded colliders that may move
  std::vector<Pose> poses_when_built_;
  /// Spheres about their link's centre of mass, which only its travel concerns: most of a pile, checked every step.
  struct PlainSphere {
    int link = -1;
    double margin = 0.0;         ///< [m]
    Vec3 center = Vec3::Zero();  ///< when the list was made [m]
  };
  std::vector<PlainSphere> plain_spheres_;
  std::vector<int> others_;  ///< of moving_, those that are not plain spheres
  /// Where those of each link, and of one more, begin.
  std::vector<int> first_plain_sphere_, first_other_;
};

}  // namespace abut
