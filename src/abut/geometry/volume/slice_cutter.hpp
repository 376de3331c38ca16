#pragma once

#include <cstdint>
#include <vector>

#include "abut/geometry/volume/area_moments.hpp"
#include "abut/geometry/volume/quadric_slices.hpp"

namespace abut {

/// Trace of a half-space in the planes z = t: normal . y <= offset - rate t, normal unit.
struct SliceLine {
  Vec2 normal = Vec2::UnitX();
  double offset = 0.0;  ///< [m]
  double rate = 0.0;    ///< normal's component along t over the one in the plane
  int owner = 0;
};

/// Everything that bounds a region, as seen by the planes z = t: the region is the intersection of it all.
struct SliceScene {
  std::vector<QuadricSlices> quadrics;
  std::vector<SliceLine> lines;
  Vec2 bound_center = Vec2::Zero();  ///< a disc about the region, needed where no quadric bounds the slices
  double bound_radius = 0.0;
};

/// Part of the boundary of a slice, from p to q with the region on its left.
struct SlicePiece {
  Vec2 p = Vec2::Zero(), q = Vec2::Zero();
  int line = -1;     ///< index of its line, or
  int quadric = -1;  ///< of its quadric: then the arc runs anticlockwise u_from -> u_to, and p -> q along it, or
                     ///< against it when the quadric is a complement
  Vec2 u_from = Vec2::Zero(), u_to = Vec2::Zero();
  double half_angle = 0.0;
  int key_p = -1, key_q = -1;  ///< pieces that meet carry the same key
};

/// Cuts a region by one plane: finds the boundary of the slice exactly, as straight pieces and arcs of ellipses, and
/// integrates over it by Green's theorem, each arc as a chord and a segment so that thin crescents lose nothing.
///
/// Every crossing of two curves is computed once and used for both, and neighbouring crossings alternate, so that the
/// pieces always close; curves that coincide are kept once. Keeps its scratch: one object, one thread.
class SliceCutter {
 public:
  void reset(const SliceScene& scene);
  const SliceScene& scene() const { return scene_; }

  /// Finds the pieces; false when the slice is empty.
  bool cut(double t);
  const std::vector<SlicePiece>& pieces() const { return pieces_; }
  /// Number of pieces of every curve, condensed: two slices that differ have an event between them.
  std::uint64_t signature() const;

  /// Follows the pieces around: loops[k] is the number of the loop that piece k belongs to. Returns their number.
  int find_loops(std::vector<int>& loops) const;

  /// Of the slice, or of some of its pieces, about `origin` (in the plane).
  void add_moments(const SlicePiece& piece, const Vec2& origin, AreaMoments& moments) const;
  /// Integral of the outward normal over the part of the surface that the piece sweeps, for unit dt.
  Vec3 calc_swept_area(const SlicePiece& piece) const;
  int owner(const SlicePiece& piece) const {
    return piece.line >= 0 ? scene_.lines[piece.line].owner : scene_.quadrics[piece.quadric].owner;
  }
  /// The ellipse of an arc in the last cut.
  const EllipseFrame& ellipse(int quadric) const { return ellipses_[quadric].frame; }

 private:
  struct Ellipse {
    EllipseFrame frame;
    double scale = 1.0;
    bool is_there = false;
    bool is_dropped = false;  ///< its boundary takes no part
  };
  enum class LineState { inside, outside, cut };
  struct LineCut {
    Vec2 direction = Vec2::UnitX();  ///< of the line's normal on the unit circle
    double reach = 1.0;              ///< of the ellipse of scale 1 in that direction [m]
    LineState state = LineState::inside;
    Vec2 u_enter, u_leave;  ///< going anticlockwise around the ellipse
  };
  struct Event {
    double angle;  ///< a monotone function of it in [0, 4)
    int step;      ///< +1 enters, -1 leaves
    int key;
    Vec2 u;
  };
  struct Hole {
    double from, to;
    int key_from, key_to;
  };

  bool place_ellipses();
  bool clip_polygon();
  bool clip_polygon_by(int line);
  void cut_lines();
  void cross_ellipses();
  void cross_pair(int i, int j, int pair);
  void set_no_crossing(int i, int j, bool is_i_inside_j);
  void add_event(int quadric, const Vec2& u, bool enters, int key);
  /// Ends the list of events of one more constraint on an ellipse.
  void close_constraint(int quadric, std::size_t num_events);
  /// Rounding can leave pieces that do not close where the true slice has hardly any area; they would count from
  /// wherever the origin is.
  void close_loops();
  bool has_open_ends() const;
  void add_edges();
  void add_edge(std::size_t index);
  static void sort_events(std::vector<Event>& events);
  void add_arcs(int quadric);
  void add_arc(int quadric, const Event& from, const Event& to, double span);
  int crossing_key(int line, int quadric, int which) const;

  SliceScene scene_;
  double t_ = 0.0;
  std::vector<Ellipse> ellipses_;
  std::vector<Vec2> polygon_, next_polygon_;
  std::vector<int> tags_, next_tags_;  ///< line of the edge that starts at each corner, or -1
  std::vector<double> sides_;
  std::vector<LineCut> cuts_;               ///< [line * number of quadrics + quadric]
  std::vector<std::vector<Event>> events_;  ///< for each quadric
  std::vector<int> num_constraints_;        ///< that have events, for each quadric
  std::vector<int> num_satisfied_;          ///< of them, where the angle is 0
  std::vector<Hole> holes_;
  std::vector<SlicePiece> pieces_;
};

}  // namespace abut
