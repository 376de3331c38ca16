#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "abut/geometry/mesh/mesh_queries.hpp"
#include "abut/geometry/volume/conic_arc.hpp"
#include "abut/geometry/volume/region.hpp"
#include "abut/geometry/volume/unit_quadric.hpp"
#include "abut/math/union_find.hpp"

namespace abut {

/// A bit (fan, p, q) of a flat part of the boundary; p to q is a straight piece of that part's outline.
struct FlatElement {
  Vec3 fan, p, q;
  int node = 0;    ///< of the search for connected pieces
  int owner = 0;   ///< which of the two solids the face belongs to
  int plane = -1;  ///< that face, if it is not a triangle: `fan` is any point of it then
};

/// A piece of the curve in which a flat face meets the quadric, with the quadric's inside to its left on that face.
struct ArcElement {
  int first = 0, last = 0;  ///< range of nodes
  Vec3 p, q, fan;
  int node = 0;
  int owner = 0;                   ///< of the flat face
  int plane = -1;                  ///< that face, if it is not a triangle: `fan` is any point of it then
  std::uint64_t from = 0, to = 0;  ///< names of its ends
};

/// A straight piece of the outline of the region's part of one of its planes.
struct PlaneElement {
  Vec3 p, q;
  int plane = 0, node = 0;
  std::uint64_t from = 0, to = 0;  ///< names of its ends
};

/// A point on the rim of a plane with the quadric, or on the edge of two planes.
struct RimPoint {
  double position = 0.0;  ///< angle, or along the edge
  Vec3 x = Vec3::Zero();
  bool enters = false;  ///< the mesh (or the half-space of another plane), going on from here
  int node = -1;        ///< of the triangle there, if there is one
  std::uint64_t key = 0;
};

/// The boundary of what a closed mesh, some half-spaces and at most one quadric have in common, as directed pieces of
/// the outlines of its faces, in the unit coordinates of the quadric (see UnitFrame) or, without one, in the frame of
/// the region. The parts of triangles inside are found exactly, from the signs of vertices; points that two faces share
/// are computed once or from the same numbers, so that the pieces close to rounding. Cost follows the triangles inside
/// or cut.
///
/// Half-spaces count as larger by 1e-14 of the coordinates, so that a face of the mesh in their plane is inside.
class MeshBoundary {
 public:
  /// Requires one mesh and at most one quadric.
  void find(const Region& region);

  const UnitFrame& frame() const { return frame_; }
  bool has_quadric() const { return quadric_.has_value(); }
  const UnitQuadric& quadric() const { return *quadric_; }
  bool is_complement() const { return is_complement_; }  ///< of the quadric
  int quadric_owner() const { return quadric_owner_; }
  double coordinates() const { return coordinates_; }  ///< their largest, the scale of rounding
  int num_nodes() const { return sets_.size(); }
  int root(int node) { return sets_.find(node); }
  void join(int i, int j) { sets_.join_into(i, j); }
  /// Whether a point (unit coordinates) lies inside the mesh and all half-spaces.
  bool is_inside_flats(const Vec3& y);
  /// A node of its own for a part of the quadric without a boundary.
  int add_node() { return sets_.add(); }

  std::vector<FlatElement> flats;
  std::vector<ArcElement> arcs;
  std::vector<CurveNode> nodes;  ///< along the arcs
  std::vector<PlaneElement> plane_elements;
  struct Plane {
    Vec3 normal, fan;
    double offset;
    int owner;
  };
  std::vector<Plane> planes;

 private:
  struct Corner {
    Vec3 x;
    int tag = 0;  ///< of the edge that starts here: 0 to 2 an edge of the triangle, 3 + k one on plane k
    bool is_in = true;
  };
  struct Vertex {
    Vec3 y;
    bool is_in = true;  ///< inside the quadric
  };
  /// Part of an edge of the polygon inside or outside the quadric.
  struct Stretch {
    Vec3 p, q;
    std::uint64_t from = 0, to = 0;
    bool is_in = true, starts_at_root = false, ends_at_root = false;
    int tag = 0, slot = 0;  ///< slot: which of the two stretches of a mesh edge
    int tag_before = 0;     ///< of the polygon's edge before, where it starts at a corner
  };
  struct RimEvent {
    int plane = 0;
    Vec3 x;
    bool enters = false;  ///< going around anticlockwise, or along n_k x n_l
    int node = 0;
    std::uint64_t key = 0;
    int other = -1;  ///< the second plane, for edges
  };
  /// A point where three faces of the region other than triangles meet.
  struct SolidCorner {
    std::uint64_t key;
    int node;
  };

  void begin(const Region& region);
  void visit_triangles_near();
  bool may_matter(const BoundingTree::Node& node) const;
  const Vertex& vertex(int v);
  void add_triangle(int triangle);
  bool clip_by_plane(int plane);
  Vec3 cut_edge(std::size_t i, int plane) const;
  std::uint64_t name_corner(int tag_before, int tag) const;
  bool split_edge(std::size_t i);
  void add_whole_polygon();
  bool add_closed_curve();
  void add_inside_part();
  void add_outside_parts();
  void add_stretch(const Stretch& stretch, const Vec3& fan, int node);
  void add_rim_event(const Stretch& stretch, bool at_start, int node);
  void add_triangle_arc(const Stretch& before, const Stretch& after, const Vec3& fan, int node);
  std::uint64_t make_key() { return next_key_++; }
  /// Full edge of the triangle in its canonical direction.
  struct MeshEdge {
    Vec3 p, q;
    int half_edge;
    bool is_along;  ///< the polygon runs along it
  };
  MeshEdge get_edge(int local) const;

  void add_rims();
  void add_rim(int plane);
  void add_edges();
  void add_edge(int k, int l);
  bool find_rim_cuts(int plane, const Vec3& inside, std::vector<RimPoint>& cuts, int& num_planes, int& num_satisfied);
  void add_rim_part(int plane, const RimPoint& from, const RimPoint& to);
  void add_edge_interval(int k, int l, const RimPoint& from, const RimPoint& to, const std::vector<RimPoint>& events);
  void add_edge_part(int k, int l, const RimPoint& from, const RimPoint& to);
  void join_end(const RimPoint& end, int node);

  UnitFrame frame_;
  std::optional<UnitQuadric> quadric_;
  bool is_complement_ = false;
  int quadric_owner_ = 0, mesh_owner_ = 0;
  const ClosedMesh* mesh_ = nullptr;
  bool is_mesh_complement_ = false;
  Mat3 A_ = Mat3::Identity();  ///< y = A v + b for a vertex v of the mesh
  Vec3 b_ = Vec3::Zero();
  Mat3 A_inverse_ = Mat3::Identity();
  double least_scale_ = 1.0, reach_ = 1.0, coordinates_ = 1.0;
  Vec3 mesh_center_ = Vec3::Zero();
  MeshQueryScratch scratch_;
  std::vector<int> stack_;

  std::vector<Vertex> vertices_;
  std::vector<std::uint32_t> stamp_;
  std::uint32_t now_ = 0;
  std::vector<int> edge_node_, touched_;  ///< node of the piece at a stretch of a mesh edge, or -1
  UnionFind sets_;                        ///< of nodes
  std::uint64_t next_key_ = 0;

  int triangle_ = 0;
  Vec3 normal_ = Vec3::UnitZ();
  std::vector<Corner> polygon_, next_polygon_;
  std::vector<double> sides_;
  std::vector<Stretch> stretches_;
  std::vector<RimEvent> rim_events_, edge_events_;
  std::vector<SolidCorner> corners_;
};

}  // namespace abut
