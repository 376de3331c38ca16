#include "abut/geometry/volume/slice_cutter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>
#include <utility>

#include "abut/math/trig_quadratic.hpp"

namespace abut {
namespace {

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Grows with the angle of the unit vector u from 0 to 4; costs no arc tangent.
double calc_diamond_angle(const Vec2& u) {
  const double quotient = u.y() / (std::abs(u.x()) + std::abs(u.y()));
  if (u.x() < 0.0) return 2.0 - quotient;
  return quotient < 0.0 ? 4.0 + quotient : quotient;
}

/// F_j = |preimage_j|^2 - 1 around ellipse i.
TrigQuadratic calc_form_around(const EllipseFrame& i, const EllipseFrame& j, double& scale) {
  const Vec2 v = j.preimage(i.center);
  const Eigen::Matrix2d b = j.inverse * i.axes;
  const double cc = b.col(0).squaredNorm(), ss = b.col(1).squaredNorm(), vv = v.squaredNorm();
  scale = 1.0 + vv + cc + ss;
  return {(vv - 1.0) + 0.5 * (cc + ss), 2.0 * v.dot(b.col(0)), 2.0 * v.dot(b.col(1)), 0.5 * (cc - ss),
          b.col(0).dot(b.col(1))};
}

/// Where |h| is largest, roughly: far from a point where it only touches zero.
Vec2 find_farthest(const TrigQuadratic& h) {
  Vec2 best = Vec2::UnitX();
  for (const Vec2& u : {Vec2(Vec2::UnitY()), Vec2(-Vec2::UnitX()), Vec2(-Vec2::UnitY())}) {
    if (std::abs(h.value(u)) > std::abs(h.value(best))) best = u;
  }
  return best;
}

void erase_root(CircleRoots& roots, std::array<Vec2, 4>& images, int k) {
  for (int m = k; m + 1 < roots.points.count; ++m) {
    roots.points.at[m] = roots.points.at[m + 1];
    roots.rising[m] = roots.rising[m + 1];
    images[m] = images[m + 1];
  }
  --roots.points.count;
}

/// Of the first n of four points.
std::array<double, 4> calc_angles(const std::array<Vec2, 4>& points, int n) {
  std::array<double, 4> angles{};
  for (int k = 0; k < n; ++k) angles[k] = calc_diamond_angle(points[k]);
  return angles;
}

/// The first n of four by their angle around the circle.
std::array<int, 4> sort_by_angle(const std::array<double, 4>& angles, int n) {
  std::array<int, 4> order{0, 1, 2, 3};
  for (int k = 1; k < n; ++k) {
    for (int j = k; j > 0 && angles[order[j]] < angles[order[j - 1]]; --j) std::swap(order[j], order[j - 1]);
  }
  return order;
}

/// Takes out the two neighbouring roots that are closest together.
void erase_closest_pair(CircleRoots& roots, std::array<Vec2, 4>& images) {
  const int n = roots.points.count;
  int closest = 0;
  double least = 5.0;
  for (int k = 0; k < n; ++k) {
    const double distance = (roots.points.at[(k + 1) % n] - roots.points.at[k]).squaredNorm();
    if (distance < least) least = distance, closest = k;
  }
  const int other = (closest + 1) % n;
  erase_root(roots, images, std::max(closest, other));
  erase_root(roots, images, std::min(closest, other));
}

/// Two ends of an arc of ellipse `of`, on the unit circle: whether the middle of the longer of the two arcs between
/// them lies on the side of `other` that their order says. Points that coincide are a full turn apart.
bool is_in_order(const EllipseFrame& of, const EllipseFrame& other, const Vec2& enters, const Vec2& leaves) {
  const double turn = cross(enters, leaves);
  const bool is_long = turn < 0.0 || (turn == 0.0 && enters.dot(leaves) > 0.0);
  // Of the longer arc: opposite to the middle of the chord, or at right angles to a chord through the centre.
  const Vec2 sum = enters + leaves, chord = is_long ? Vec2(leaves - enters) : Vec2(enters - leaves);
  const Vec2 middle = (sum.squaredNorm() > 1.0 ? Vec2(-sum) : Vec2(chord.y(), -chord.x())).normalized();
  return (other.preimage(of.point(middle)).squaredNorm() < 1.0) == is_long;
}

/// A chord, in parts of the one and of the other ellipse, bounds a lens as thin as the larger ellipse times an eighth
/// of the product of the parts. Here that is less than the rounding of the poses, 1e-16 of it, and which end of the
/// chord comes first is rounding too.
constexpr double kThinLens = 4e-16;

/// Whether two crossings, or the images of more on ellipse b, make sense: each ellipse enters the other (where the
/// other leaves it) and leaves it in turn, and the longer of two arcs lies on the side it should.
bool is_consistent(const EllipseFrame& a, const EllipseFrame& b, const CircleRoots& roots,
                   const std::array<Vec2, 4>& images) {
  const int n = roots.points.count;
  if (n == 2) {
    const int rising = roots.rising[0] ? 0 : 1, falling = 1 - rising;
    const std::array<Vec2, 4>& points = roots.points.at;
    if ((points[0] - points[1]).norm() * (images[0] - images[1]).norm() < kThinLens) return false;
    return is_in_order(a, b, points[falling], points[rising]) && is_in_order(b, a, images[rising], images[falling]);
  }
  const std::array<int, 4> order = sort_by_angle(calc_angles(images, n), n);
  for (int k = 0; k < n; ++k) {
    if (roots.rising[order[k]] == roots.rising[order[(k + 1) % n]]) return false;
  }
  return true;
}

/// The order of points around the circle, beginning after the widest gap, so that points that coincide to rounding stay
/// neighbours in their true order; -1 beyond the last.
std::array<int, 4> order_around(const std::array<Vec2, 4>& points, int n) {
  const std::array<double, 4> angles = calc_angles(points, n);
  std::array<int, 4> order = sort_by_angle(angles, n);
  int start = 0;
  double widest = -1.0;
  for (int k = 0; k < n; ++k) {
    // To a factor of two, as the diamond has it, which is enough to tell it from a gap of rounding.
    const double before = angles[order[k == 0 ? n - 1 : k - 1]];
    const double gap = angles[order[k]] - before + (k == 0 ? 4.0 : 0.0);
    if (gap > widest) widest = gap, start = k;
  }
  std::rotate(order.begin(), order.begin() + start, order.begin() + n);
  for (int k = n; k < 4; ++k) order[k] = -1;
  return order;
}

/// Two ellipses that barely touch may cross on one of them and, by rounding, in the wrong order on the other: then they
/// count as not crossing there.
void drop_false_crossings(const EllipseFrame& a, const EllipseFrame& b, CircleRoots& roots,
                          std::array<Vec2, 4>& images) {
  while (roots.points.count > 0 && !is_consistent(a, b, roots, images)) erase_closest_pair(roots, images);
}

/// Ends nearer than this part of the slice's extent are one.
constexpr double kClosingGap = 1e-6;
/// Angles closer than this are in the order in which the events were found, not in that of their rounding.
constexpr double kSameAngle = 1e-13;
constexpr int kJoinedKey = 2'000'000'000;

}  // namespace

void SliceCutter::reset(const SliceScene& scene) {
  scene_ = scene;
  ellipses_.resize(scene_.quadrics.size());
  events_.resize(scene_.quadrics.size());
  num_constraints_.resize(scene_.quadrics.size());
  num_satisfied_.resize(scene_.quadrics.size());
  cuts_.resize(scene_.quadrics.size() * scene_.lines.size());
  // How a line lies to an ellipse does not depend on t but for the distance: slices of a quadric are similar.
  for (std::size_t line = 0; line < scene_.lines.size(); ++line) {
    for (std::size_t i = 0; i < scene_.quadrics.size(); ++i) {
      LineCut& cut = cuts_[line * scene_.quadrics.size() + i];
      const Vec2 g = scene_.quadrics[i].axes.transpose() * scene_.lines[line].normal;
      cut.reach = g.norm();
      cut.direction = g / cut.reach;
    }
  }
}

bool SliceCutter::cut(double t) {
  t_ = t;
  pieces_.clear();
  if (!place_ellipses() || !clip_polygon()) return false;
  for (auto& events : events_) events.clear();
  std::fill(num_constraints_.begin(), num_constraints_.end(), 0);
  std::fill(num_satisfied_.begin(), num_satisfied_.end(), 0);
  cut_lines();
  cross_ellipses();
  add_edges();
  for (std::size_t i = 0; i < ellipses_.size(); ++i) add_arcs(static_cast<int>(i));
  close_loops();
  return !pieces_.empty();
}

bool SliceCutter::has_open_ends() const {
  for (const SlicePiece& piece : pieces_) {
    int num_after = 0;
    for (const SlicePiece& other : pieces_) num_after += other.key_p == piece.key_q ? 1 : 0;
    if (num_after != 1) return true;
  }
  return false;
}

void SliceCutter::close_loops() {
  if (!has_open_ends()) return;
  // Three curves through one point may disagree about their order there: ends that all but meet are joined.
  Vec2 lower = pieces_[0].p, upper = lower;
  for (const SlicePiece& piece : pieces_) {
    lower = lower.cwiseMin(piece.p).cwiseMin(piece.q);
    upper = upper.cwiseMax(piece.p).cwiseMax(piece.q);
  }
  const double close = kClosingGap * (upper - lower).norm();
  const auto has_start = [this](int key) {
    return std::count_if(pieces_.begin(), pieces_.end(), [key](const SlicePiece& x) { return x.key_p == key; }) == 1;
  };
  const auto has_end = [this](int key) {
    return std::count_if(pieces_.begin(), pieces_.end(), [key](const SlicePiece& x) { return x.key_q == key; }) == 1;
  };
  int key = kJoinedKey;
  for (SlicePiece& piece : pieces_) {
    if (has_start(piece.key_q)) continue;
    for (SlicePiece& other : pieces_) {
      if (has_end(other.key_p) || (other.p - piece.q).norm() > close) continue;
      piece.key_q = other.key_p = key++;
      break;
    }
  }
  // What is open still bounds nothing.
  for (bool is_closed = false; !is_closed;) {
    const auto is_open = [&](const SlicePiece& piece) { return !has_start(piece.key_q) || !has_end(piece.key_p); };
    const auto open = std::find_if(pieces_.begin(), pieces_.end(), is_open);
    is_closed = open == pieces_.end();
    if (!is_closed) pieces_.erase(open);
  }
}

bool SliceCutter::place_ellipses() {
  for (std::size_t i = 0; i < ellipses_.size(); ++i) {
    const QuadricSlices& quadric = scene_.quadrics[i];
    Ellipse& ellipse = ellipses_[i];
    const double squared = quadric.scale_squared(t_);
    ellipse.is_there = squared > 0.0;
    ellipse.is_dropped = !ellipse.is_there;
    if (!ellipse.is_there && !quadric.is_complement) return false;
    if (!ellipse.is_there) continue;
    ellipse.scale = std::sqrt(squared);
    ellipse.frame = quadric.ellipse(t_, ellipse.scale);
  }
  return true;
}

bool SliceCutter::clip_polygon() {
  polygon_.clear();
  tags_.clear();
  if (scene_.lines.empty()) return true;
  // The start is a box well outside the smallest disc that holds the region; what is left of its own edges cannot
  // bound the region.
  Vec2 center = scene_.bound_center, half = Vec2::Constant(scene_.bound_radius);
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < ellipses_.size(); ++i) {
    if (scene_.quadrics[i].is_complement || ellipses_[i].frame.determinant >= smallest) continue;
    smallest = ellipses_[i].frame.determinant;
    center = ellipses_[i].frame.center;
    half = ellipses_[i].frame.axes.rowwise().norm();
  }
  half *= 1.5;
  for (const auto& [x, y] : {std::pair(1.0, 1.0), std::pair(-1.0, 1.0), std::pair(-1.0, -1.0), std::pair(1.0, -1.0)}) {
    polygon_.push_back(center + Vec2(x * half.x(), y * half.y()));
    tags_.push_back(-1);
  }
  for (std::size_t line = 0; line < scene_.lines.size(); ++line) {
    if (!clip_polygon_by(static_cast<int>(line))) return false;
  }
  return true;
}

bool SliceCutter::clip_polygon_by(int index) {
  const SliceLine& line = scene_.lines[index];
  const double offset = line.offset - line.rate * t_;
  const std::size_t n = polygon_.size();
  sides_.resize(n);
  std::size_t num_outside = 0;
  for (std::size_t k = 0; k < n; ++k) {
    sides_[k] = line.normal.dot(polygon_[k]) - offset;
    num_outside += sides_[k] > 0.0 ? 1 : 0;
  }
  if (num_outside == 0) return true;
  if (num_outside == n) return false;
  next_polygon_.clear();
  next_tags_.clear();
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t next = k + 1 == n ? 0 : k + 1;
    const bool is_inside = sides_[k] <= 0.0, is_next_inside = sides_[next] <= 0.0;
    if (is_inside) {
      next_polygon_.push_back(polygon_[k]);
      next_tags_.push_back(tags_[k]);
    }
    if (is_inside == is_next_inside) continue;
    const double w = sides_[k] / (sides_[k] - sides_[next]);
    next_polygon_.push_back(polygon_[k] + w * (polygon_[next] - polygon_[k]));
    next_tags_.push_back(is_inside ? index : tags_[k]);
  }
  polygon_.swap(next_polygon_);
  tags_.swap(next_tags_);
  return true;
}

int SliceCutter::crossing_key(int line, int quadric, int which) const {
  return 1'000'000 + 2 * (line * static_cast<int>(ellipses_.size()) + quadric) + which;
}

void SliceCutter::add_event(int quadric, const Vec2& u, bool enters, int key) {
  const double angle = calc_diamond_angle(u);
  events_[quadric].push_back({angle < 4.0 - kSameAngle ? angle : 0.0, enters ? 1 : -1, key, u});
}

void SliceCutter::close_constraint(int quadric, std::size_t num_events) {
  const std::vector<Event>& events = events_[quadric];
  std::size_t first = events.size() - num_events;
  for (std::size_t k = first + 1; k < events.size(); ++k) {
    if (events[k].angle < events[first].angle - kSameAngle) first = k;
  }
  ++num_constraints_[quadric];
  if (events[first].step < 0) ++num_satisfied_[quadric];
}

void SliceCutter::cut_lines() {
  const int num_quadrics = static_cast<int>(ellipses_.size());
  for (const int tag : tags_) {
    if (tag < 0) continue;
    const SliceLine& line = scene_.lines[tag];
    for (int i = 0; i < num_quadrics; ++i) {
      LineCut& cut = cuts_[tag * num_quadrics + i];
      cut.state = LineState::inside;
      if (!ellipses_[i].is_there) continue;
      const double distance = line.offset - line.rate * t_ - line.normal.dot(ellipses_[i].frame.center);
      const double side = distance / (cut.reach * ellipses_[i].scale);
      if (side >= 1.0) continue;
      if (side <= -1.0) {
        cut.state = LineState::outside;
        ellipses_[i].is_dropped = true;
        continue;
      }
      cut.state = LineState::cut;
      const Vec2& n = cut.direction;
      const Vec2 half = std::sqrt((1.0 - side) * (1.0 + side)) * Vec2(-n.y(), n.x());
      cut.u_enter = side * n + half;
      cut.u_leave = side * n - half;
      add_event(i, cut.u_enter, true, crossing_key(tag, i, 1));
      add_event(i, cut.u_leave, false, crossing_key(tag, i, 0));
      close_constraint(i, 2);
    }
  }
}

void SliceCutter::cross_ellipses() {
  const int n = static_cast<int>(ellipses_.size());
  int pair = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j, ++pair) {
      if (!ellipses_[i].is_there || !ellipses_[j].is_there) continue;
      const bool is_i_smaller = ellipses_[i].frame.determinant <= ellipses_[j].frame.determinant;
      cross_pair(is_i_smaller ? i : j, is_i_smaller ? j : i, pair);
    }
  }
}

void SliceCutter::set_no_crossing(int i, int j, bool is_i_inside_j) {
  if (is_i_inside_j == scene_.quadrics[j].is_complement) ellipses_[i].is_dropped = true;
}

void SliceCutter::cross_pair(int i, int j, int pair) {
  const EllipseFrame &a = ellipses_[i].frame, &b = ellipses_[j].frame;
  double scale = 0.0;
  const TrigQuadratic form = calc_form_around(a, b, scale);
  CircleRoots roots = find_roots(form, 1e-15 * scale);
  std::array<Vec2, 4> images;
  for (int k = 0; k < roots.points.count; ++k) images[k] = b.preimage(a.point(roots.points.at[k])).normalized();
  drop_false_crossings(a, b, roots, images);
  const int count = roots.points.count;
  if (count == 0) {
    // Without a crossing, one boundary point decides; curves that coincide count as "a inside b", "b outside a".
    const bool is_a_inside = form.value(find_farthest(form)) <= 1e-15 * scale;
    set_no_crossing(i, j, is_a_inside);
    set_no_crossing(j, i, !is_a_inside && a.preimage(b.center).squaredNorm() < 1.0);
    return;
  }
  const int first_key = 500'000 + 4 * pair;
  for (const int k : order_around(roots.points.at, count)) {
    if (k >= 0) add_event(i, roots.points.at[k], roots.rising[k] == scene_.quadrics[j].is_complement, first_key + k);
  }
  for (const int k : order_around(images, count)) {
    // Where a leaves b, b enters a.
    if (k >= 0) add_event(j, images[k], roots.rising[k] != scene_.quadrics[i].is_complement, first_key + k);
  }
  close_constraint(i, static_cast<std::size_t>(count));
  close_constraint(j, static_cast<std::size_t>(count));
}

void SliceCutter::add_edges() {
  for (std::size_t k = 0; k < polygon_.size(); ++k) {
    if (tags_[k] >= 0) add_edge(k);
  }
}

void SliceCutter::add_edge(std::size_t index) {
  const Vec2 a = polygon_[index];
  const std::size_t next = index + 1 == polygon_.size() ? 0 : index + 1;
  const Vec2 ab = polygon_[next] - a;
  const double length_squared = ab.squaredNorm();
  if (!(length_squared > 0.0)) return;
  const int tag = tags_[index], num_quadrics = static_cast<int>(ellipses_.size());
  double from = 0.0, to = 1.0;
  int key_from = static_cast<int>(index), key_to = static_cast<int>(next);
  holes_.clear();
  for (int i = 0; i < num_quadrics; ++i) {
    if (!ellipses_[i].is_there) continue;
    const bool is_complement = scene_.quadrics[i].is_complement;
    const LineCut& cut = cuts_[tag * num_quadrics + i];
    if (cut.state != LineState::cut) {
      if (!is_complement) return;
      continue;
    }
    const double s_0 = (ellipses_[i].frame.point(cut.u_leave) - a).dot(ab) / length_squared;
    const double s_1 = (ellipses_[i].frame.point(cut.u_enter) - a).dot(ab) / length_squared;
    if (is_complement) {
      holes_.push_back({s_0, s_1, crossing_key(tag, i, 0), crossing_key(tag, i, 1)});
      continue;
    }
    if (s_0 > from) std::tie(from, key_from) = std::pair(s_0, crossing_key(tag, i, 0));
    if (s_1 < to) std::tie(to, key_to) = std::pair(s_1, crossing_key(tag, i, 1));
  }
  std::sort(holes_.begin(), holes_.end(), [](const Hole& x, const Hole& y) { return x.from < y.from; });
  holes_.push_back({to, to, key_to, key_to});
  for (const Hole& hole : holes_) {
    if (from >= to) break;
    const bool is_last = hole.from >= to;
    const double end = is_last ? to : hole.from;
    if (end > from) {
      SlicePiece piece;
      piece.p = a + from * ab;
      piece.q = a + end * ab;
      piece.line = tag;
      piece.key_p = key_from;
      piece.key_q = is_last ? key_to : hole.key_from;
      pieces_.push_back(piece);
    }
    if (hole.to > from) std::tie(from, key_from) = std::pair(hole.to, hole.key_to);
  }
}

/// By insertion: there are few, and ties must stay in the order in which close_constraint() saw them.
void SliceCutter::sort_events(std::vector<Event>& events) {
  for (std::size_t k = 1; k < events.size(); ++k) {
    const Event event = events[k];
    std::size_t place = k;
    for (; place > 0 && events[place - 1].angle > event.angle + kSameAngle; --place) events[place] = events[place - 1];
    events[place] = event;
  }
}

void SliceCutter::add_arcs(int quadric) {
  if (ellipses_[quadric].is_dropped) return;
  std::vector<Event>& events = events_[quadric];
  if (events.empty()) {
    const Event any{0.0, 1, -2 - quadric, Vec2::UnitX()};
    add_arc(quadric, any, any, 4.0);
    return;
  }
  sort_events(events);
  const std::size_t n = events.size();
  int count = num_satisfied_[quadric];
  for (std::size_t k = 0; k < n; ++k) {
    count += events[k].step;
    if (count != num_constraints_[quadric] || events[k].step < 0) continue;
    const Event& end = events[(k + 1) % n];
    add_arc(quadric, events[k], end, end.angle - events[k].angle + (k + 1 == n ? 4.0 : 0.0));
  }
}

void SliceCutter::add_arc(int quadric, const Event& from, const Event& to, double span) {
  const EllipseFrame& frame = ellipses_[quadric].frame;
  SlicePiece piece;
  piece.quadric = quadric;
  piece.u_from = from.u;
  piece.u_to = to.u;
  piece.half_angle = calc_half_angle(from.u, to.u);
  // Ends that coincide to rounding: the order of the events knows whether that is no arc or a full turn.
  if (span < 1.0 && piece.half_angle > 0.5 * std::numbers::pi) piece.half_angle = 0.0;
  if (span > 3.0 && piece.half_angle < 0.5 * std::numbers::pi) piece.half_angle = std::numbers::pi;
  piece.p = frame.point(from.u);
  piece.q = frame.point(to.u);
  piece.key_p = from.key;
  piece.key_q = to.key;
  if (scene_.quadrics[quadric].is_complement) {
    std::swap(piece.p, piece.q);
    std::swap(piece.key_p, piece.key_q);
  }
  pieces_.push_back(piece);
}

std::uint64_t SliceCutter::signature() const {
  std::uint64_t sum = 0;
  for (const SlicePiece& piece : pieces_) {
    const std::uint64_t id = piece.line >= 0 ? 2 * piece.line + 1 : 2 * piece.quadric + 2;
    sum += id * 0x9E3779B97F4A7C15ull;  // commutative: the order of the pieces is no event
  }
  return sum;
}

int SliceCutter::find_loops(std::vector<int>& loops) const {
  const std::size_t n = pieces_.size();
  loops.assign(n, -1);
  int num_loops = 0;
  for (std::size_t first = 0; first < n; ++first) {
    if (loops[first] >= 0) continue;
    for (std::size_t k = first; k < n && loops[k] < 0;) {
      loops[k] = num_loops;
      std::size_t next = 0;
      while (next < n && pieces_[next].key_p != pieces_[k].key_q) ++next;
      k = next;
    }
    ++num_loops;
  }
  return num_loops;
}

void SliceCutter::add_moments(const SlicePiece& piece, const Vec2& origin, AreaMoments& moments) const {
  moments.add_triangle(piece.p - origin, piece.q - origin);
  if (piece.quadric < 0) return;
  EllipseFrame frame = ellipses_[piece.quadric].frame;
  frame.center -= origin;
  const double sign = scene_.quadrics[piece.quadric].is_complement ? -1.0 : 1.0;
  add_ellipse_segment(frame, piece.u_from, piece.u_to, piece.half_angle, sign, moments);
}

Vec3 SliceCutter::calc_swept_area(const SlicePiece& piece) const {
  const Vec2 d = piece.q - piece.p;
  if (piece.line >= 0) return {d.y(), -d.x(), scene_.lines[piece.line].rate * d.norm()};
  const QuadricSlices& quadric = scene_.quadrics[piece.quadric];
  const double turn = (quadric.is_complement ? -2.0 : 2.0) * piece.half_angle;
  const double growth = 0.5 * quadric.scale_squared_rate(t_) * quadric.determinant * turn;
  return {d.y(), -d.x(), -(cross(quadric.center_rate, d) + growth)};
}

}  // namespace abut
