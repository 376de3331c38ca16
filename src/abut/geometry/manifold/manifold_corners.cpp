#include "abut/geometry/manifold/manifold_corners.hpp"

#include <algorithm>
#include <cmath>

namespace abut {
namespace {

/// A corner that has become another one within this part of the size keeps its place.
constexpr double kNear = 0.02;

constexpr int kFreeCorner = 1 << 30;

/// Adds the corners of the overlap of two features seen along n.
void add_overlap(const ContactFeature& a, const ContactFeature& b, const Vec3& n, double slack, int shift,
                 ManifoldCorners& out) {
  const ContactPlane plane(n);
  const Footprint foot_a(a, plane), foot_b(b, plane);
  std::array<OverlapCorner, kMostOverlapCorners> corners;
  const int count = calc_overlap(foot_a, foot_b, slack, corners.data());
  for (int i = 0; i < count; ++i) {
    const double height_a = foot_a.calc_height(corners[i].x), height_b = foot_b.calc_height(corners[i].x);
    out.add({plane.lift(corners[i].x, 0.5 * (height_a + height_b)), n, height_a - height_b, corners[i].id + shift});
  }
}

void place(const ManifoldCorner& corner, int slot, const Pose& X_WB, ManifoldMemory& memory, PointContact* out) {
  memory.ids[slot] = corner.id;
  memory.points[slot] = corner.point;
  out[slot] = {corner.gap, X_WB.R * corner.normal, X_WB * corner.point, Vec3::Zero()};
}

}  // namespace

void ManifoldCorners::add(const ManifoldCorner& corner) {
  if (is_full()) return;
  list[size++] = corner;
  least = std::min(least, corner.gap);
}

void ManifoldCorners::drop_nearest(double gap) {
  int left = 0;
  least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < size; ++i) {
    if (!(list[i].gap > gap)) continue;
    least = std::min(least, list[i].gap);
    list[left++] = list[i];
  }
  size = left;
}

bool is_on_one_side(const SolidPair& pair, const ContactNormal& normal, const ManifoldCorners& corners) {
  Vec3 touching[2];
  int count = 0;
  for (int i = 0; i < corners.size; ++i) {
    if (corners.list[i].gap > corners.least + 10.0 * kAgree * pair.size()) continue;
    if (count == 2) return false;
    touching[count++] = corners.list[i].point;
  }
  const Vec3 d_a = pair.X_BA.R.transpose() * -normal.n;
  const ContactFeature face = normal.face_a >= 0 ? pair.calc_feature_a(pair.a.calc_face(normal.face_a, d_a))
                                                 : pair.b.calc_face(normal.face_b, normal.n);
  if (face.kind != ContactFeature::Kind::polygon) return false;
  for (int j = 0; j < face.size; ++j) {
    const Vec3& p = face.corners[j];
    const Vec3 across = (face.corners[(j + 1) % face.size] - p).cross(face.normal).normalized();
    const auto is_on = [&](const Vec3& q) { return std::abs(across.dot(q - p)) <= kSideBand * pair.size(); };
    if (std::all_of(touching, touching + count, is_on)) return true;
  }
  return false;
}

void add_face_corners(const SolidPair& pair, const ContactNormal& normal, ManifoldCorners& out) {
  const Vec3 d_a = pair.X_BA.R.transpose() * -normal.n;
  const ContactFeature own_a = normal.face_a >= 0 ? pair.a.calc_face(normal.face_a, d_a) : pair.a.calc_facing(d_a);
  const ContactFeature b =
      normal.face_b >= 0 ? pair.b.calc_face(normal.face_b, normal.n) : pair.b.calc_facing(normal.n);
  const ContactFeature a = pair.calc_feature_a(own_a);
  const HalfSpace* plane = pair.b.half_space();
  if (plane == nullptr) return add_overlap(a, b, normal.n, kSameCorner * pair.size(), 0, out);
  for (int i = 0; i < a.size; ++i) {
    out.add({a.corners[i], normal.n, normal.n.dot(a.corners[i]) - plane->offset, a.ids[i] + 1});
  }
}

void add_free_corners(const SolidPair& pair, const Vec3& n, ManifoldCorners& out) {
  const double slack = kSameCorner * pair.size();
  const ContactFeature a = pair.calc_feature_a(pair.a.calc_extreme(pair.X_BA.R.transpose() * -n, slack));
  add_overlap(a, pair.b.calc_extreme(n, slack), n, slack, kFreeCorner, out);
}

void thin_out(double size, int most_kept, ManifoldCorners& corners) {
  if (corners.size <= most_kept) return;
  const double near = corners.least + 0.05 * size;
  const Vec3 side(0.8, 0.48, 0.36);
  double reach = size;
  for (int i = 0; i < corners.size; ++i) reach = std::max(reach, corners.list[i].point.norm());
  for (int kept = 0; kept < most_kept; ++kept) {
    int best = kept;
    double most = -1.0;
    for (int i = kept; i < corners.size; ++i) {
      const ManifoldCorner& corner = corners.list[i];
      double score = std::numeric_limits<double>::infinity();
      for (int k = 0; k < kept; ++k) score = std::min(score, (corner.point - corners.list[k].point).norm());
      if (corner.gap > near) score *= 1e-3;
      // The first: of the deepest the one farthest to one side, which trembling does not change.
      if (kept == 0)
        score = corner.gap > corners.least + kSameCorner * size ? 0.0 : side.dot(corner.point) + 1e3 * reach;
      if (score <= most) continue;
      most = score;
      best = i;
    }
    std::swap(corners.list[kept], corners.list[best]);
  }
  corners.size = most_kept;
}

void assign_places(const ManifoldCorners& corners, double size, int count, const Pose& X_WB, ManifoldMemory& memory,
                   PointContact* out) {
  std::array<bool, kMeshManifoldPoints> is_placed{}, is_taken{};
  const ManifoldMemory old = memory;
  memory.ids.fill(0);
  const auto put = [&](int i, int slot) {
    place(corners.list[i], slot, X_WB, memory, out);
    is_placed[i] = is_taken[slot] = true;
  };
  for (int i = 0; i < corners.size; ++i) {
    for (int slot = 0; slot < count && !is_placed[i]; ++slot) {
      if (!is_taken[slot] && old.ids[slot] == corners.list[i].id) put(i, slot);
    }
  }
  for (int i = 0; i < corners.size; ++i) {
    int best = -1;
    double least = kNear * size;
    for (int slot = 0; slot < count && !is_placed[i]; ++slot) {
      const double distance = (old.points[slot] - corners.list[i].point).norm();
      if (is_taken[slot] || old.ids[slot] == 0 || distance >= least) continue;
      least = distance;
      best = slot;
    }
    if (best >= 0) put(i, best);
  }
  for (const bool may_follow : {false, true}) {
    for (int i = 0; i < corners.size; ++i) {
      for (int slot = 0; slot < count && !is_placed[i]; ++slot) {
        if (!is_taken[slot] && (may_follow || old.ids[slot] == 0)) put(i, slot);
      }
    }
  }
  const Vec3 n = memory.normal.squaredNorm() > 0.5 ? Vec3(X_WB.R * memory.normal) : Vec3(Vec3::UnitZ());
  for (int slot = 0; slot < count; ++slot) {
    if (!is_taken[slot])
      out[slot] = {std::numeric_limits<double>::infinity(), n, X_WB * old.points[slot], Vec3::Zero()};
  }
}

}  // namespace abut
