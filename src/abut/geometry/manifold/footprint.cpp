#include "abut/geometry/manifold/footprint.hpp"

#include <algorithm>
#include <cmath>

namespace abut {
namespace {

using Kind = ContactFeature::Kind;

/// Cosine below which a flat feature is seen from its side.
constexpr double kSteep = 0.02;

/// Lines nearer to parallel than this lie side by side: over a length of ten radii two bars then part by 5e-5 radii.
constexpr double kSideBySide = 1e-3;

/// A number for a corner made of two others; their order counts.
int mix(int a, int b) {
  const unsigned h = static_cast<unsigned>(a) * 2654435761u ^ (static_cast<unsigned>(b) + 0x9e3779b9u) * 2246822519u;
  return 1 + static_cast<int>((h ^ (h >> 15)) & 0x1fffffffu);
}
constexpr int kEdgeOfA = 1 << 16, kEdgeOfB = 1 << 17, kRimMark = 1 << 18;

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Edge j of a polygon as a half-plane: inside where the distance is not positive [m].
struct Side {
  Vec2 outward;
  double offset;
  double calc_distance(const Vec2& x) const { return outward.dot(x) - offset; }
};
Side make_side(const Footprint& polygon, int j) {
  const Vec2& p = polygon.corners[j];
  const Vec2 along = polygon.corners[(j + 1) % polygon.size] - p;
  const double length = along.norm();
  const Vec2 outward = length > 0.0 ? Vec2(Vec2(along.y(), -along.x()) / length) : Vec2(0.0, 0.0);
  return {outward, outward.dot(p)};
}

bool is_inside(const Footprint& f, const Vec2& x, double slack) {
  if (f.kind == Kind::disc) {
    const double size = std::sqrt(f.e1.norm() * f.e2.norm());
    return f.calc_disc_place(x).norm() <= 1.0 + slack / size;
  }
  for (int j = 0; j < f.size; ++j) {
    if (make_side(f, j).calc_distance(x) > slack) return false;
  }
  return true;
}

class Overlap {
 public:
  Overlap(double slack, OverlapCorner* out) : slack_(slack), out_(out) {}
  int count() const { return count_; }

  void add(const Vec2& x, int id) {
    for (int i = 0; i < count_; ++i) {
      if ((out_[i].x - x).squaredNorm() <= slack_ * slack_) return;
    }
    if (count_ < kMostOverlapCorners) out_[count_++] = {x, id};
  }

  /// Sutherland and Hodgman: the polygon of A, cut by each side of B.
  void cut_polygons(const Footprint& a, const Footprint& b) {
    struct Corner {
      Vec2 x;
      int id, leaving;  // the corner, and the edge that begins there
    };
    std::array<Corner, kMostOverlapCorners> now, next;
    int size = a.size;
    for (int i = 0; i < size; ++i) now[i] = {a.corners[i], a.ids[i] + 1, kEdgeOfA + a.ids[i]};
    for (int j = 0; j < b.size && size > 0; ++j) {
      const Side side = make_side(b, j);
      const int edge = kEdgeOfB + b.ids[j];
      int made = 0;
      const auto put = [&](const Corner& corner) {
        if (made < kMostOverlapCorners) next[made++] = corner;
      };
      for (int i = 0; i < size; ++i) {
        const Corner& p = now[i];
        const Corner& q = now[(i + 1) % size];
        const double dp = side.calc_distance(p.x), dq = side.calc_distance(q.x);
        const bool has_p = dp <= slack_, has_q = dq <= slack_;
        if (has_p) put(p);
        if (has_p == has_q) continue;
        const double t = std::clamp(dp / (dp - dq), 0.0, 1.0);
        put({p.x + t * (q.x - p.x), mix(p.leaving, edge), has_p ? edge : p.leaving});
      }
      size = made;
      std::swap(now, next);
    }
    for (int i = 0; i < size; ++i) add(now[i].x, now[i].id);
  }

  /// The part of a line inside the other; its ends.
  void cut_line(const Footprint& line, const Footprint& other) {
    const Vec2 p = line.corners[0], along = line.corners[1] - p;
    double from = 0.0, to = 1.0;
    int id_from = line.ids[0] + 1, id_to = line.ids[1] + 1;
    const auto limit = [&](double t, bool is_upper, int id) {
      if (is_upper && t < to) {
        to = t;
        id_to = id;
      } else if (!is_upper && t > from) {
        from = t;
        id_from = id;
      }
    };
    if (other.kind == Kind::disc) {
      // |w_0 + t w| = 1
      const Vec2 w0 = other.calc_disc_place(p), w = other.calc_disc_place(line.corners[1]) - w0;
      const double a = w.squaredNorm(), b = w0.dot(w), c = w0.squaredNorm() - 1.0, root = b * b - a * c;
      if (!(a > 0.0) || root < 0.0) return;
      limit((-b - std::sqrt(root)) / a, false, mix(kEdgeOfA, 1));
      limit((-b + std::sqrt(root)) / a, true, mix(kEdgeOfA, 2));
    } else {
      for (int j = 0; j < other.size; ++j) {
        const Side side = make_side(other, j);
        const double d0 = side.calc_distance(p) - slack_, rate = side.outward.dot(along);
        if (std::abs(rate) <= 1e-12 * along.norm()) {
          if (d0 > 0.0) return;
          continue;
        }
        limit(-d0 / rate, rate > 0.0, mix(kEdgeOfA, kEdgeOfB + other.ids[j]));
      }
    }
    if (from > to) return;
    add(p + from * along, id_from);
    add(p + to * along, id_to);
  }

  void cut_disc(const Footprint& disc, const Footprint& polygon) {
    for (int k = 0; k < disc.size; ++k) {
      if (is_inside(polygon, disc.corners[k], slack_)) add(disc.corners[k], kRimMark + disc.ids[k]);
    }
    for (int j = 0; j < polygon.size; ++j) {
      if (disc.calc_disc_place(polygon.corners[j]).norm() <= 1.0) add(polygon.corners[j], polygon.ids[j] + 1);
      // outward . (center + e1 cos + e2 sin) = offset
      const Side side = make_side(polygon, j);
      const double a = side.outward.dot(disc.e1), b = side.outward.dot(disc.e2);
      const double amplitude = std::hypot(a, b), level = side.offset - side.outward.dot(disc.center);
      if (!(amplitude > 0.0) || std::abs(level) > amplitude) continue;
      const double middle = std::atan2(b, a), half = std::acos(std::clamp(level / amplitude, -1.0, 1.0));
      for (int k = 0; k < 2; ++k) {
        const double angle = middle + (k == 0 ? half : -half);
        const Vec2 x = disc.center + std::cos(angle) * disc.e1 + std::sin(angle) * disc.e2;
        if (is_inside(polygon, x, slack_)) add(x, mix(kEdgeOfB + polygon.ids[j], k));
      }
    }
  }

  /// Crossings are those of circles: where one of the two leans, its deepest mark is what matters.
  void cut_discs(const Footprint& a, const Footprint& b) {
    for (int k = 0; k < 4; ++k) {
      if (is_inside(b, a.corners[k], slack_)) add(a.corners[k], kRimMark + a.ids[k]);
    }
    for (int k = 0; k < 4; ++k) {
      if (is_inside(a, b.corners[k], slack_)) add(b.corners[k], 2 * kRimMark + b.ids[k]);
    }
    const double ra = a.e1.norm(), rb = b.e1.norm();
    const Vec2 apart = b.center - a.center;
    const double d = apart.norm();
    if (!(d > 0.0) || d > ra + rb || d < std::abs(ra - rb)) return;
    const double along = (d * d + ra * ra - rb * rb) / (2.0 * d);
    const double across = std::sqrt(std::max(0.0, ra * ra - along * along));
    const Vec2 t = apart / d;
    for (int k = 0; k < 2; ++k)
      add(a.center + along * t + (k == 0 ? across : -across) * Vec2(-t.y(), t.x()), mix(kRimMark, k));
  }

  void cross_lines(const Footprint& a, const Footprint& b) {
    const Vec2 p = a.corners[0], q = b.corners[0];
    const Vec2 s = a.corners[1] - p, t = b.corners[1] - q;
    const double ls = s.norm(), lt = t.norm(), area = cross(s, t);
    if (std::abs(area) > kSideBySide * ls * lt) {
      const double x = std::clamp(cross(q - p, t) / area, 0.0, 1.0);
      add(p + x * s, mix(1, 1));
      return;
    }
    if (!(ls > 0.0)) return add(p, mix(1, 1));
    double from = s.dot(q - p) / (ls * ls), to = s.dot(q + t - p) / (ls * ls);
    int id_from = mix(2, b.ids[0]), id_to = mix(2, b.ids[1]);
    if (from > to) {
      std::swap(from, to);
      std::swap(id_from, id_to);
    }
    if (from < 0.0) {
      from = 0.0;
      id_from = a.ids[0] + 1;
    }
    if (to > 1.0) {
      to = 1.0;
      id_to = a.ids[1] + 1;
    }
    if (from > to) return add(p + std::clamp(0.5 * (from + to), 0.0, 1.0) * s, mix(1, 1));
    add(p + from * s, id_from);
    add(p + to * s, id_to);
  }

 private:
  double slack_;
  OverlapCorner* out_;
  int count_ = 0;
};

}  // namespace

Footprint::Footprint(const ContactFeature& feature, const ContactPlane& plane)
    : kind(feature.kind), size(feature.size) {
  for (int i = 0; i < size; ++i) {
    corners[i] = plane.project(feature.corners[i]);
    heights[i] = plane.n.dot(feature.corners[i]);
    ids[i] = feature.ids[i];
  }
  if (kind == Kind::point || kind == Kind::segment || size == 0) return;
  const double cosine = plane.n.dot(feature.normal);
  is_steep = std::abs(cosine) < kSteep;
  if (is_steep) return;
  slope = -plane.project(feature.normal) / cosine;
  Vec2 middle = Vec2::Zero();
  double height = 0.0;
  for (int i = 0; i < size; ++i) {
    middle += corners[i] / size;
    height += heights[i] / size;
  }
  base = height - slope.dot(middle);
  if (kind == Kind::disc) {
    center = 0.5 * (corners[0] + corners[2]);
    e1 = 0.5 * (corners[0] - corners[2]);
    e2 = 0.5 * (corners[1] - corners[3]);
    return;
  }
  // Faces run anticlockwise seen from outside their solid.
  if (cosine < 0.0) {
    std::reverse(corners.begin(), corners.begin() + size);
    std::reverse(heights.begin(), heights.begin() + size);
    std::reverse(ids.begin(), ids.begin() + size);
  }
}

double Footprint::calc_height(const Vec2& x) const {
  if (kind == Kind::point) return heights[0];
  if (kind != Kind::segment) return base + slope.dot(x);
  const Vec2 along = corners[1] - corners[0];
  const double square = along.squaredNorm();
  if (!(square > 0.0)) return std::min(heights[0], heights[1]);
  const double t = std::clamp((x - corners[0]).dot(along) / square, 0.0, 1.0);
  return heights[0] + t * (heights[1] - heights[0]);
}

Vec2 Footprint::calc_disc_place(const Vec2& x) const {
  const double area = cross(e1, e2);
  const Vec2 d = x - center;
  return {cross(d, e2) / area, cross(e1, d) / area};
}

int calc_overlap(const Footprint& a, const Footprint& b, double slack, OverlapCorner* out) {
  Overlap overlap(slack, out);
  if (a.is_steep || b.is_steep) return 0;
  if (a.kind == Kind::point) {
    if (b.kind == Kind::point || b.kind == Kind::segment || is_inside(b, a.corners[0], slack))
      overlap.add(a.corners[0], 1);
  } else if (b.kind == Kind::point) {
    if (a.kind == Kind::segment || is_inside(a, b.corners[0], slack)) overlap.add(b.corners[0], 1);
  } else if (a.kind == Kind::segment && b.kind == Kind::segment) {
    overlap.cross_lines(a, b);
  } else if (a.kind == Kind::segment) {
    overlap.cut_line(a, b);
  } else if (b.kind == Kind::segment) {
    overlap.cut_line(b, a);
  } else if (a.kind == Kind::polygon && b.kind == Kind::polygon) {
    overlap.cut_polygons(a, b);
  } else if (a.kind == Kind::disc && b.kind == Kind::polygon) {
    overlap.cut_disc(a, b);
  } else if (a.kind == Kind::polygon) {
    overlap.cut_disc(b, a);
  } else {
    overlap.cut_discs(a, b);
  }
  return overlap.count();
}

}  // namespace abut
