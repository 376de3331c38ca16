// Quickhull [Barber, Dobkin and Huhdanpaa 1996] over triangles with exact predicates: a point sees a facet
// only if it lies strictly above it. Then the facets a point sees are connected, their border is one simple loop and no
// facet is ever without area, whatever the input. Facets that lie in one plane to rounding are joined afterwards.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "abut/base/error.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/geometry/polyhedron/exact_orientation.hpp"

namespace abut {
namespace {

struct Facet {
  std::array<int, 3> corners = {-1, -1, -1};    // anticlockwise seen from outside
  std::array<int, 3> neighbors = {-1, -1, -1};  // across the edge from corner i to corner i + 1
  std::vector<int> outside;                     // points that see this facet and wait for their turn
  bool is_alive = true;
};

class Quickhull {
 public:
  explicit Quickhull(std::span<const Vec3> points) : points_(points) {}

  /// From four points in general position; afterwards facets() holds the hull.
  void run(const std::array<int, 4>& simplex);
  std::vector<Facet> take_facets();

 private:
  struct Horizon {
    int tail, head, beyond;
  };

  bool is_above(int point, const Facet& f) const {
    return calc_orientation(points_[f.corners[0]], points_[f.corners[1]], points_[f.corners[2]], points_[point]) > 0;
  }
  int find_farthest(const Facet& f) const;
  void add_point(int seed, int eye);
  void share_out(const std::vector<int>& waiting, std::size_t first_facet);

  std::span<const Vec3> points_;
  std::vector<Facet> facets_;
};

void Quickhull::run(const std::array<int, 4>& simplex) {
  auto [a, b, c, d] = simplex;
  if (calc_orientation(points_[a], points_[b], points_[c], points_[d]) > 0) std::swap(b, c);
  // d is now below (a, b, c).
  facets_.push_back({{a, b, c}, {1, 2, 3}, {}, true});
  facets_.push_back({{b, a, d}, {0, 3, 2}, {}, true});
  facets_.push_back({{c, b, d}, {0, 1, 3}, {}, true});
  facets_.push_back({{a, c, d}, {0, 2, 1}, {}, true});
  std::vector<int> waiting;
  for (int i = 0; i < static_cast<int>(points_.size()); ++i) {
    if (std::find(simplex.begin(), simplex.end(), i) == simplex.end()) waiting.push_back(i);
  }
  share_out(waiting, 0);
  for (std::size_t f = 0; f < facets_.size(); ++f) {
    if (facets_[f].is_alive && !facets_[f].outside.empty()) add_point(static_cast<int>(f), find_farthest(facets_[f]));
  }
}

int Quickhull::find_farthest(const Facet& f) const {
  const Vec3& a = points_[f.corners[0]];
  const Vec3 normal = (points_[f.corners[1]] - a).cross(points_[f.corners[2]] - a);
  const auto height = [&](int p) { return normal.dot(points_[p] - a); };
  return *std::max_element(f.outside.begin(), f.outside.end(), [&](int p, int q) { return height(p) < height(q); });
}

void Quickhull::share_out(const std::vector<int>& waiting, std::size_t first_facet) {
  for (const int point : waiting) {
    for (std::size_t f = first_facet; f < facets_.size(); ++f) {
      if (!is_above(point, facets_[f])) continue;
      facets_[f].outside.push_back(point);
      break;
    }
  }
}

/// Replaces all facets that the point sees, `seed` among them, by a fan from their border.
void Quickhull::add_point(int seed, int eye) {
  std::vector<int> visible = {seed}, waiting;
  std::vector<Horizon> horizon;
  facets_[seed].is_alive = false;
  for (std::size_t i = 0; i < visible.size(); ++i) {
    const Facet f = facets_[visible[i]];
    for (int k = 0; k < 3; ++k) {
      Facet& next = facets_[f.neighbors[k]];
      if (!next.is_alive) continue;
      if (is_above(eye, next)) {
        next.is_alive = false;
        visible.push_back(f.neighbors[k]);
      }
    }
  }
  for (const int v : visible) {
    Facet& f = facets_[v];
    for (int k = 0; k < 3; ++k) {
      if (facets_[f.neighbors[k]].is_alive) horizon.push_back({f.corners[k], f.corners[(k + 1) % 3], f.neighbors[k]});
    }
    waiting.insert(waiting.end(), f.outside.begin(), f.outside.end());
    f.outside.clear();
  }
  waiting.erase(std::remove(waiting.begin(), waiting.end(), eye), waiting.end());
  const std::size_t first = facets_.size();
  std::map<int, int> by_tail, by_head;
  for (const Horizon& edge : horizon) {
    const int index = static_cast<int>(facets_.size());
    facets_.push_back({{edge.tail, edge.head, eye}, {edge.beyond, -1, -1}, {}, true});
    by_tail[edge.tail] = by_head[edge.head] = index;
    Facet& beyond = facets_[edge.beyond];
    for (int k = 0; k < 3; ++k) {
      if (beyond.corners[k] == edge.head && beyond.corners[(k + 1) % 3] == edge.tail) beyond.neighbors[k] = index;
    }
  }
  ABUT_REQUIRE(by_tail.size() == horizon.size(), "hull: border of {} edges with {} corners", horizon.size(),
               by_tail.size());
  for (std::size_t f = first; f < facets_.size(); ++f) {
    facets_[f].neighbors[1] = by_tail.at(facets_[f].corners[1]);
    facets_[f].neighbors[2] = by_head.at(facets_[f].corners[0]);
  }
  share_out(waiting, first);
}

/// The facets that are left, numbered anew.
std::vector<Facet> Quickhull::take_facets() {
  std::vector<int> index(facets_.size(), -1);
  std::vector<Facet> result;
  for (std::size_t f = 0; f < facets_.size(); ++f) {
    if (!facets_[f].is_alive) continue;
    index[f] = static_cast<int>(result.size());
    result.push_back(facets_[f]);
  }
  for (Facet& f : result) {
    for (int& neighbor : f.neighbors) neighbor = index[neighbor];
  }
  return result;
}

/// Four points far from each other, or InputError where there are none.
std::array<int, 4> find_simplex(std::span<const Vec3> points) {
  const auto farthest = [&](const auto& measure) {
    int best = 0;
    for (int i = 1; i < static_cast<int>(points.size()); ++i) {
      if (measure(points[i]) > measure(points[best])) best = i;
    }
    return best;
  };
  const Vec3 start = points[0];
  const int a = farthest([&](const Vec3& p) { return (p - start).norm(); });
  const int b = farthest([&](const Vec3& p) { return (p - points[a]).norm(); });
  const double size = (points[b] - points[a]).norm();
  const auto refuse = [&](const char* where) {
    throw InputError(fmt::format("convex hull: all {} points lie {} (to {} of their extent, {} m): no volume",
                                 points.size(), where, ConvexPolyhedron::kFlatness, size));
  };
  if (!(size > 0.0)) refuse("at one point");
  const Vec3 along = (points[b] - points[a]) / size;
  const auto off_line = [&](const Vec3& p) { return (p - points[a]).cross(along).norm(); };
  const int c = farthest(off_line);
  if (off_line(points[c]) <= ConvexPolyhedron::kFlatness * size) refuse("on one line");
  const Vec3 normal = along.cross(points[c] - points[a]).normalized();
  const auto off_plane = [&](const Vec3& p) { return std::abs(normal.dot(p - points[a])); };
  const int d = farthest(off_plane);
  const bool is_flat = off_plane(points[d]) <= ConvexPolyhedron::kFlatness * size;
  if (is_flat || calc_orientation(points[a], points[b], points[c], points[d]) == 0) refuse("in one plane");
  return {a, b, c, d};
}

/// Group of each facet: facets about a large one whose corners all lie in its plane. Thin facets, whose own normal
/// means nothing, so go to a neighbour that has one.
std::vector<int> group_facets(std::span<const Vec3> points, const std::vector<Facet>& facets, double tolerance) {
  const auto area = [&](int f) {
    const auto& [a, b, c] = facets[f].corners;
    return Vec3((points[b] - points[a]).cross(points[c] - points[a]));
  };
  std::vector<std::pair<double, int>> by_area;
  for (int f = 0; f < static_cast<int>(facets.size()); ++f) by_area.emplace_back(-area(f).norm(), f);
  std::sort(by_area.begin(), by_area.end());
  std::vector<int> group(facets.size(), -1);
  for (const auto& [ignored, seed] : by_area) {
    if (group[seed] >= 0) continue;
    group[seed] = seed;
    const Vec3 normal = area(seed).normalized();
    const Vec3& origin = points[facets[seed].corners[0]];
    std::vector<int> front = {seed};
    while (!front.empty()) {
      const int f = front.back();
      front.pop_back();
      for (const int next : facets[f].neighbors) {
        const auto is_off = [&](int p) { return std::abs(normal.dot(points[p] - origin)) > tolerance; };
        if (group[next] >= 0 || std::any_of(facets[next].corners.begin(), facets[next].corners.end(), is_off)) continue;
        group[next] = seed;
        front.push_back(next);
      }
    }
  }
  return group;
}

/// Border of the group of `facet` starting with its edge k, as points.
std::vector<int> trace_border(const std::vector<Facet>& facets, const std::vector<int>& group, int facet, int k) {
  std::vector<int> border;
  int f = facet, i = k;
  do {
    border.push_back(facets[f].corners[i]);
    i = (i + 1) % 3;
    while (group[facets[f].neighbors[i]] == group[f]) {
      const int corner = facets[f].corners[i];
      f = facets[f].neighbors[i];
      i = static_cast<int>(std::find(facets[f].corners.begin(), facets[f].corners.end(), corner) -
                           facets[f].corners.begin());
    }
  } while (f != facet || i != k);
  return border;
}

ConvexPolyhedron make_polyhedron(std::span<const Vec3> points, const std::vector<Facet>& facets, double flatness,
                                 double size) {
  const std::vector<int> group = group_facets(points, facets, 0.5 * flatness * size);
  std::map<int, std::set<int>> groups_at;
  for (std::size_t f = 0; f < facets.size(); ++f) {
    for (const int p : facets[f].corners) groups_at[p].insert(group[f]);
  }
  std::map<int, int> index;  // points where three faces or more meet
  std::vector<Vec3> vertices;
  for (const auto& [p, groups] : groups_at) {
    if (groups.size() < 3) continue;
    index[p] = static_cast<int>(vertices.size());
    vertices.push_back(points[p]);
  }
  std::vector<int> face_begin = {0}, loops;
  std::vector<bool> is_done(facets.size(), false);
  for (int f = 0; f < static_cast<int>(facets.size()); ++f) {
    for (int k = 0; k < 3; ++k) {
      if (is_done[group[f]] || group[facets[f].neighbors[k]] == group[f]) continue;
      is_done[group[f]] = true;
      for (const int p : trace_border(facets, group, f, k)) {
        if (index.contains(p)) loops.push_back(index[p]);
      }
      face_begin.push_back(static_cast<int>(loops.size()));
    }
  }
  return {std::move(vertices), std::move(face_begin), std::move(loops), flatness};
}

/// Points that coincide to this part of the size are one: edges between them would have no direction to go by, and
/// rounding of a cut is a few hundredths of that [1].
constexpr double kSamePoint = 1e-12;

/// The points, of each group that coincides the first only, in their order.
std::vector<Vec3> leave_out_copies(std::span<const Vec3> points, double size) {
  const double reach = kSamePoint * size;
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int i, int j) { return std::pair(points[i].x(), i) < std::pair(points[j].x(), j); });
  std::vector<char> is_copy(points.size(), 0);
  for (std::size_t a = 0; a < order.size(); ++a) {
    for (std::size_t b = a + 1; b < order.size() && points[order[b]].x() - points[order[a]].x() <= reach; ++b) {
      const auto [first, second] = std::minmax(order[a], order[b]);
      if ((points[first] - points[second]).squaredNorm() <= reach * reach) is_copy[second] = 1;
    }
  }
  std::vector<Vec3> distinct;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (is_copy[i] == 0) distinct.push_back(points[i]);
  }
  return distinct;
}

}  // namespace

ConvexPolyhedron make_convex_hull(std::span<const Vec3> all_points) {
  if (all_points.size() < 4) {
    throw InputError(fmt::format("convex hull: needs at least 4 points, got {}", all_points.size()));
  }
  double size = 0.0;
  for (std::size_t i = 0; i < all_points.size(); ++i) {
    if (!all_points[i].allFinite()) throw InputError(fmt::format("convex hull: point {} is not finite", i));
    size = std::max(size, (all_points[i] - all_points[0]).norm());
  }
  std::vector<Vec3> points = leave_out_copies(all_points, size);
  if (points.size() < 4) points.assign(all_points.begin(), all_points.end());  // a needle, or nothing: see below
  Quickhull hull(points);
  hull.run(find_simplex(points));
  const std::vector<Facet> facets = hull.take_facets();
  std::string reason;
  // Points rounded to fewer digits than a double has are hardly ever in one plane to rounding: allow for more until the
  // faces are flat and the solid is convex to what was allowed.
  for (double flatness = ConvexPolyhedron::kFlatness; flatness <= kCoarsestFlatness; flatness *= 4.0) {
    try {
      return make_polyhedron(points, facets, flatness, size);
    } catch (const InputError& error) {
      reason = error.what();
    }
  }
  throw InputError(fmt::format("convex hull: {} points of extent {} m enclose no solid with flat faces ({})",
                               points.size(), size, reason));
}

}  // namespace abut
