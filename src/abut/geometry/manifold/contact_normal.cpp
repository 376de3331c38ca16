#include "abut/geometry/manifold/contact_normal.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace abut {
namespace {

/// Up to so many faces are all tried; of more only those that face the other solid.
constexpr int kFewFaces = 14;

/// What is tried later must be better by this part of the size to be taken: faces that lie on each other would take
/// turns otherwise, and where an edge lies on an edge rounding would choose among all normals between the faces.
constexpr double kPreference = 1e-7;

/// Nearer than this part of the size the direction between nearest points is no longer trusted alone.
constexpr double kTouching = 1e-6;

/// Lines through one corner that are looked at.
constexpr int kMostLines = 12;

void try_face_of_a(const SolidPair& pair, int face, ContactNormal& best) {
  const Vec3 n = -(pair.X_BA.R * pair.a.face_normal(face));
  const double gap = pair.calc_gap(n);
  if (gap > best.gap + kPreference * pair.size()) best = {n, gap, face, -1};
}

void try_face_of_b(const SolidPair& pair, int face, ContactNormal& best) {
  const Vec3 n = pair.b.face_normal(face);
  const double gap = pair.calc_gap(n);
  if (gap > best.gap) best = {n, gap, -1, face};
}

int find_face(const ContactSolid& solid, const Vec3& d) {
  int best = 0;
  for (int f = 1; f < solid.num_faces(); ++f) {
    if (solid.face_normal(f).dot(d) > solid.face_normal(best).dot(d)) best = f;
  }
  return best;
}

void try_normal(const SolidPair& pair, const Vec3& n, ContactNormal& best) {
  const double gap = pair.calc_gap(n);
  if (gap > best.gap + kPreference * pair.size()) best = {n, gap, -1, -1};
}

Vec3 calc_direction_apart(const SolidPair& pair) {
  const Vec3 apart = pair.X_BA * pair.a.center() - pair.b.center();
  const double length = apart.norm();
  return length > 0.0 ? Vec3(apart / length) : Vec3(Vec3::UnitZ());
}

/// Direction of nearest points: of the solids, or where these overlap of smaller copies inside them.
ContactNormal find_nearest(const SolidPair& pair, ManifoldMemory& memory) {
  ContactNormal best;
  const Separation apart = calc_separation(pair.a.support(), pair.X_BA, pair.b.support(), Pose(), memory.separation);
  // Where sharp solids touch, rounding chooses the direction between their nearest points; not so within a margin.
  const bool is_apart = apart.distance > kTouching * pair.size();
  const bool has_margin = pair.a.support().margin() + pair.b.support().margin() > 0.0;
  if (apart.has_normal && (is_apart || has_margin)) try_normal(pair, apart.normal, best);
  if (is_apart) return best;
  for (const double factor : {0.999, 0.99, 0.9, 0.7, 0.4, 0.1}) {
    const SupportSolid a = pair.a.support().make_smaller(pair.a.center(), factor);
    const SupportSolid b = pair.b.support().make_smaller(pair.b.center(), factor);
    SeparationMemory start = memory.separation;
    const Separation inside = calc_separation(a, pair.X_BA, b, Pose(), start);
    if (!inside.has_normal) continue;
    try_normal(pair, inside.normal, best);
    if (apart.has_normal) try_normal(pair, apart.normal, best);
    return best;
  }
  try_normal(pair, calc_direction_apart(pair), best);
  return best;
}

void try_crossings(const SolidPair& pair, ContactNormal& best) {
  Vec3 lines_a[kMostLines], lines_b[kMostLines];
  const Vec3 n = best.n;
  const int count_a = pair.a.list_lines(pair.X_BA.R.transpose() * -n, lines_a, kMostLines);
  const int count_b = pair.b.list_lines(n, lines_b, kMostLines);
  for (int i = 0; i < count_a; ++i) {
    const Vec3 line = pair.X_BA.R * lines_a[i];
    for (int j = 0; j < count_b; ++j) {
      const Vec3 across = line.cross(lines_b[j]);
      const double length = across.norm();
      if (length < 1e-6) continue;
      try_normal(pair, across / (across.dot(n) < 0.0 ? -length : length), best);
    }
  }
}

}  // namespace

ContactFeature SolidPair::calc_feature_a(const ContactFeature& own) const {
  ContactFeature feature = own;
  feature.normal = X_BA.R * own.normal;
  for (int i = 0; i < own.size; ++i) feature.corners[i] = X_BA * own.corners[i];
  return feature;
}

ContactNormal find_face_normal(const SolidPair& pair, const ManifoldMemory& memory) {
  ContactNormal best;
  if (pair.b.is_half_space()) {
    try_face_of_b(pair, 0, best);
    return best;
  }
  const Vec3 seeds[2] = {calc_direction_apart(pair), memory.normal};
  const int num_seeds = memory.normal.squaredNorm() > 0.5 ? 2 : 1;
  const auto try_all = [&](const ContactSolid& solid, const auto& try_face, const auto& to_own) {
    if (solid.num_faces() == 0) return;
    if (solid.num_faces() <= kFewFaces) {
      for (int f = 0; f < solid.num_faces(); ++f) try_face(f);
      return;
    }
    for (int k = 0; k < num_seeds; ++k) try_face(find_face(solid, to_own(seeds[k])));
  };
  try_all(
      pair.b, [&](int f) { try_face_of_b(pair, f, best); }, [](const Vec3& d) { return d; });
  try_all(
      pair.a, [&](int f) { try_face_of_a(pair, f, best); },
      [&](const Vec3& d) { return Vec3(pair.X_BA.R.transpose() * -d); });
  return best;
}

bool is_grazing(const SolidPair& pair) {
  constexpr double kAcross = 0.5;          // cosine of the angle between the two faces
  constexpr double kParallel = 1 - 1e-10;  // of faces in one plane
  if (pair.b.is_half_space()) return false;
  const double slack = kTouching * pair.size();
  struct Face {
    Vec3 n;
    double gap;
  };
  std::array<Face, 2 * kFewFaces> near;
  int count = 0;
  bool any_touches = false;
  const auto look = [&](const Vec3& n) {
    const double gap = pair.calc_gap(n);
    if (gap < -slack) return;
    near[count++] = {n, gap};
    any_touches = any_touches || gap <= slack;
  };
  for (int f = 0; f < std::min(pair.b.num_faces(), kFewFaces); ++f) look(pair.b.face_normal(f));
  for (int f = 0; f < std::min(pair.a.num_faces(), kFewFaces); ++f) look(-(pair.X_BA.R * pair.a.face_normal(f)));
  if (!any_touches || count < 2) return false;
  const auto is_shared = [&](const Vec3& n) {
    const Vec3 own = -(pair.X_BA.R.transpose() * n);
    return pair.a.num_faces() > 0 && pair.b.num_faces() > 0 &&
           pair.a.face_normal(find_face(pair.a, own)).dot(own) > kParallel &&
           pair.b.face_normal(find_face(pair.b, n)).dot(n) > kParallel;
  };
  for (int i = 0; i < count; ++i) {
    if (near[i].gap > slack) continue;
    for (int j = 0; j < count; ++j) {
      if (std::abs(near[i].n.dot(near[j].n)) >= kAcross) continue;
      if (is_shared(near[i].n)) return true;
    }
  }
  return false;
}

ContactNormal find_free_normal(const SolidPair& pair, ManifoldMemory& memory) {
  ContactNormal best = find_nearest(pair, memory);
  if (memory.normal.squaredNorm() > 0.5) try_normal(pair, memory.normal, best);
  if (best.gap > kTouching * pair.size()) return best;
  // A corner's lines depend on the direction; twice is enough for straight ones, rims come nearer each time.
  for (int k = 0; k < 3; ++k) try_crossings(pair, best);
  return best;
}

}  // namespace abut
