#include "abut/geometry/polyhedron/convex_clip.hpp"

#include <algorithm>
#include <limits>

#include "abut/base/error.hpp"

namespace abut {
namespace {

/// Distances of vertices from a plane carry the rounding of two rotations and three sums, about 8 units of the
/// largest length; twice that is taken for "in the plane".
constexpr double kTie = 16.0 * std::numeric_limits<double>::epsilon();

template <class T>
void grow(std::vector<T>& buffer, int size) {
  if (buffer.size() < static_cast<std::size_t>(size)) buffer.resize(static_cast<std::size_t>(size));
}

/// Sums over tetrahedra (O, a, b, c) of det, det m and det (m m' + a a' + b b' + c c'), m = a + b + c, det = a . b x c;
/// with the factors 1/6, 1/24 and 1/120 these are the moments.
struct TetrahedronSums {
  double volume = 0.0;
  Vec3 first = Vec3::Zero();
  double xx = 0.0, yy = 0.0, zz = 0.0, xy = 0.0, yz = 0.0, zx = 0.0;

  void add(double det, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 m = a + b + c;
    volume += det;
    first += det * m;
    xx += det * (m.x() * m.x() + a.x() * a.x() + b.x() * b.x() + c.x() * c.x());
    yy += det * (m.y() * m.y() + a.y() * a.y() + b.y() * b.y() + c.y() * c.y());
    zz += det * (m.z() * m.z() + a.z() * a.z() + b.z() * b.z() + c.z() * c.z());
    xy += det * (m.x() * m.y() + a.x() * a.y() + b.x() * b.y() + c.x() * c.y());
    yz += det * (m.y() * m.z() + a.y() * a.z() + b.y() * b.z() + c.y() * c.z());
    zx += det * (m.z() * m.x() + a.z() * a.x() + b.z() * b.x() + c.z() * c.x());
  }

  VolumeMoments moments() const {
    VolumeMoments m;
    m.volume = volume / 6.0;
    m.first = first / 24.0;
    m.second << xx, xy, zx, xy, yy, yz, zx, yz, zz;
    m.second /= 120.0;
    return m;
  }
};

/// Adds the cone from `center` over a face; twice the area vector of the face [m^2].
Vec3 add_face(const PolyhedronClip& clip, const ClipFace& face, const Vec3& center, TetrahedronSums& sums) {
  Vec3 double_area = Vec3::Zero();
  if (face.count < 3) return double_area;
  const Vec3 a = clip.corner(face, 0) - center;
  Vec3 b = clip.corner(face, 1) - center;
  for (int i = 2; i < face.count; ++i) {
    const Vec3 c = clip.corner(face, i) - center;
    const Vec3 cross = (b - a).cross(c - a);
    sums.add(a.dot(cross), a, b, c);
    double_area += cross;
    b = c;
  }
  return double_area;
}

}  // namespace

void PolyhedronClip::clear() { num_vertices_ = num_edges_ = num_half_edges_ = num_faces_ = 0; }

void PolyhedronClip::start(const ConvexPolyhedron& polyhedron, const Pose& X_WP, ClipOwner owner) {
  origin_ = X_WP.p;
  reach_ = polyhedron.radius();
  num_vertices_ = static_cast<int>(polyhedron.vertices().size());
  num_edges_ = static_cast<int>(polyhedron.edges().size());
  num_half_edges_ = static_cast<int>(polyhedron.half_edges().size());
  num_faces_ = polyhedron.num_faces();
  grow(vertices_, num_vertices_);
  grow(edges_, num_edges_);
  grow(loops_, num_half_edges_);
  grow(faces_, num_faces_);
  for (int i = 0; i < num_vertices_; ++i) vertices_[i] = X_WP.R * polyhedron.vertices()[i];
  std::copy(polyhedron.edges().begin(), polyhedron.edges().end(), edges_.begin());
  std::copy(polyhedron.half_edges().begin(), polyhedron.half_edges().end(), loops_.begin());
  for (int f = 0; f < num_faces_; ++f) {
    const int begin = polyhedron.face_begin()[f];
    faces_[f] = {begin, polyhedron.face_begin()[f + 1] - begin, f, owner};
  }
}

void PolyhedronClip::start(const PolyhedronClip& other) {
  origin_ = other.origin_;
  reach_ = other.reach_;
  num_vertices_ = other.num_vertices_;
  num_edges_ = other.num_edges_;
  num_half_edges_ = other.num_half_edges_;
  num_faces_ = other.num_faces_;
  grow(vertices_, num_vertices_);
  grow(edges_, num_edges_);
  grow(loops_, num_half_edges_);
  grow(faces_, num_faces_);
  std::copy_n(other.vertices_.begin(), num_vertices_, vertices_.begin());
  std::copy_n(other.edges_.begin(), num_edges_, edges_.begin());
  std::copy_n(other.loops_.begin(), num_half_edges_, loops_.begin());
  std::copy_n(other.faces_.begin(), num_faces_, faces_.begin());
}

void PolyhedronClip::cut(std::span<const Plane> planes_P, const Pose& X_WP, ClipOwner owner) {
  const Vec3 shift = X_WP.p - origin_;
  for (std::size_t i = 0; i < planes_P.size() && num_faces_ > 0; ++i) {
    const Vec3 normal = X_WP.R * planes_P[i].normal;
    cut({normal, planes_P[i].offset + normal.dot(shift)}, owner, static_cast<int>(i));
  }
}

void PolyhedronClip::cut(const Plane& plane, ClipOwner owner, int index) {
  grow(distances_, num_vertices_);
  double largest = -std::numeric_limits<double>::infinity(), smallest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < num_vertices_; ++i) {
    const double d = plane.normal.dot(vertices_[i]) - plane.offset;
    distances_[i] = d;
    largest = std::max(largest, d);
    smallest = std::min(smallest, d);
  }
  if (largest <= kTie * (reach_ + std::abs(plane.offset))) return;
  if (!(smallest < 0.0)) {
    clear();
    return;
  }
  reserve_cut();
  cut_edges();
  move_vertices();
  cut_faces();
  close(num_half_edges_, owner, index);
  std::swap(loops_, new_loops_);
}

/// A cut adds at most one vertex for each edge, and one edge, two half-edges and (joined in loops) one face for each
/// of these.
void PolyhedronClip::reserve_cut() {
  grow(vertex_map_, num_vertices_);
  grow(edge_map_, num_edges_);
  grow(new_vertices_, num_edges_);
  grow(seams_, num_edges_);
  grow(vertices_, num_vertices_ + num_edges_);
  grow(edges_, 2 * num_edges_);
  grow(new_loops_, num_half_edges_ + 2 * num_edges_);
  grow(faces_, num_faces_ + num_edges_);
}

void PolyhedronClip::cut_edges() {
  num_kept_ = num_new_ = 0;
  for (int i = 0; i < num_vertices_; ++i) {
    vertex_map_[i] = num_kept_;
    num_kept_ += distances_[i] <= 0.0 ? 1 : 0;
  }
  int count = 0;
  for (int e = 0; e < num_edges_; ++e) {
    const auto [tail, head] = edges_[e];
    const double d_tail = distances_[tail], d_head = distances_[head];
    const int stays = (d_tail <= 0.0 ? 1 : 0) + (d_head <= 0.0 ? 2 : 0);
    edge_map_[e] = stays == 0 ? 0 : 4 * count + stays;
    if (stays == 0) continue;
    edges_[count] = {vertex_map_[tail], vertex_map_[head]};
    if (stays != 3) {
      // From the end that stays, so that a point on an edge is the same whichever way the edge runs.
      const int in = stays == 1 ? tail : head, out = stays == 1 ? head : tail;
      const double t = distances_[in] / (distances_[in] - distances_[out]);
      new_vertices_[num_new_] = vertices_[in] + t * (vertices_[out] - vertices_[in]);
      edges_[count][stays == 1 ? 1 : 0] = num_kept_ + num_new_;
      ++num_new_;
    }
    ++count;
  }
  num_edges_ = first_seam_ = count;
}

void PolyhedronClip::move_vertices() {
  for (int i = 0; i < num_vertices_; ++i) {
    if (distances_[i] <= 0.0) vertices_[vertex_map_[i]] = vertices_[i];
  }
  std::copy_n(new_vertices_.begin(), num_new_, vertices_.begin() + num_kept_);
  num_vertices_ = num_kept_ + num_new_;
}

void PolyhedronClip::cut_faces() {
  int out = 0, count = 0;
  for (int f = 0; f < num_faces_; ++f) {
    const int begin = out;
    out = cut_loop(faces_[f], out);
    if (out == begin) continue;
    faces_[count] = {begin, out - begin, faces_[f].plane, faces_[f].owner};
    ++count;
  }
  num_faces_ = count;
  num_half_edges_ = out;
}

/// Writes what stays of a face; wherever its border leaves the solid, a seam leads to where it comes back.
int PolyhedronClip::cut_loop(const ClipFace& face, int out) {
  int exit = -1, first_entry = -1;
  for (int i = face.begin; i < face.begin + face.count; ++i) {
    const int half_edge = loops_[i], backwards = half_edge & 1;
    const int code = edge_map_[half_edge >> 1];
    if (code == 0) continue;
    const int kept = 2 * (code >> 2) + backwards;
    const bool is_tail_in = ((code >> backwards) & 1) != 0, is_head_in = ((code >> (1 - backwards)) & 1) != 0;
    if (!is_tail_in) {
      if (exit < 0) {
        first_entry = tail(kept);
      } else {
        new_loops_[out++] = add_seam(exit, tail(kept));
        exit = -1;
      }
    }
    new_loops_[out++] = kept;
    if (!is_head_in) exit = tail(kept ^ 1);
  }
  if (exit >= 0) new_loops_[out++] = add_seam(exit, first_entry);
  return out;
}

int PolyhedronClip::add_seam(int exit, int entry) {
  edges_[num_edges_] = {exit, entry};
  seams_[entry - num_kept_] = num_edges_;
  return 2 * num_edges_++;
}

/// The new face runs along the seams the other way. Each new vertex is left by one seam and reached by one, so they
/// form loops: one, unless rounding of vertices next to the plane splits it.
void PolyhedronClip::close(int out, ClipOwner owner, int index) {
  for (int i = 0; i < num_new_; ++i) {
    if (seams_[i] < 0) continue;
    const int begin = out;
    for (int v = i; seams_[v] >= 0;) {
      const int seam = seams_[v];
      seams_[v] = -1;
      new_loops_[out++] = 2 * seam + 1;
      v = edges_[seam][0] - num_kept_;
    }
    faces_[num_faces_++] = {begin, out - begin, index, owner};
  }
  num_half_edges_ = out;
}

void calc_clip(const ConvexPolyhedron& a, const Pose& X_WA, const ConvexPolyhedron& b, const Pose& X_WB,
               PolyhedronClip& clip) {
  if (b.num_faces() > a.num_faces()) {
    calc_clip(std::span<const Plane>(a.planes()), X_WA, b, X_WB, clip);
  } else {
    calc_clip(a, X_WA, std::span<const Plane>(b.planes()), X_WB, clip);
  }
}

void calc_clip(const ConvexPolyhedron& a, const Pose& X_WA, std::span<const Plane> b, const Pose& X_WB,
               PolyhedronClip& clip) {
  clip.start(a, X_WA, ClipOwner::kA);
  clip.cut(b, X_WB, ClipOwner::kB);
}

void calc_clip(std::span<const Plane> a, const Pose& X_WA, const ConvexPolyhedron& b, const Pose& X_WB,
               PolyhedronClip& clip) {
  clip.start(b, X_WB, ClipOwner::kB);
  clip.cut(a, X_WA, ClipOwner::kA);
}

ClipVolume calc_clip_volume(const PolyhedronClip& clip) {
  if (clip.is_empty()) return {};
  Vec3 center = Vec3::Zero();
  for (const Vec3& v : clip.vertices()) center += v;
  center /= static_cast<double>(clip.vertices().size());
  double volume = 0.0;  // six times it, and 24 times the first moment
  Vec3 first = Vec3::Zero();
  for (const ClipFace& face : clip.faces()) {
    if (face.count < 3) continue;
    const Vec3 a = clip.corner(face, 0) - center;
    Vec3 b = clip.corner(face, 1) - center;
    for (int i = 2; i < face.count; ++i) {
      const Vec3 c = clip.corner(face, i) - center;
      const double det = a.dot((b - a).cross(c - a));
      volume += det;
      first += det * (a + b + c);
      b = c;
    }
  }
  if (!(volume > 0.0)) return {};
  return {volume / 6.0, Vec3(center + first / (4.0 * volume))};
}

VolumeMetrics calc_clip_metrics(const PolyhedronClip& clip) {
  if (clip.is_empty()) return make_volume_metrics({}, clip.origin(), Vec3::Zero());
  // About the mean of the vertices: of the size of the overlap, however far the world's origin or the bodies' are.
  Vec3 center = Vec3::Zero();
  for (const Vec3& v : clip.vertices()) center += v;
  center /= static_cast<double>(clip.vertices().size());
  TetrahedronSums sums;
  Vec3 double_area = Vec3::Zero();
  for (const ClipFace& face : clip.faces()) {
    const Vec3 area = add_face(clip, face, center, sums);
    if (face.owner == ClipOwner::kB) double_area += area;
  }
  const VolumeMoments moments = sums.moments();
  const Vec3 origin = clip.origin() + center;
  // Rounding may leave a touch with a volume just below zero.
  if (!(moments.volume > 0.0)) return make_volume_metrics({}, origin, Vec3::Zero());
  return make_volume_metrics(moments, origin, 0.5 * double_area);
}

}  // namespace abut
