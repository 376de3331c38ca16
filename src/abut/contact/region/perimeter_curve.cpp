#include "abut/contact/region/perimeter_curve.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace abut {

namespace {

/// A closed curve ends where it began to rounding; more than this part of its length is a gap [1].
constexpr double kClosure = 1e-9;
/// A curve that encloses less than this part of its squared length encloses nothing [1].
constexpr double kLeastArea = 1e-12;

/// Cosine of the angle within which a face lies across the normal of its loop, and by how much the mean of flat faces'
/// normals may be shorter than 1: 1e-3 is a spread of about 2.6 degrees [1].
constexpr double kAcross = 0.9, kFlat = 1e-3;

/// The loops beside a seam push against it within the angle of this cosine, are as long as it within this factor, and
/// lie over it within this part of its length, along their normal and across [1].
constexpr double kAgainst = 0.9, kLengthRatio = 1.3, kBeside = 0.1;

std::uint64_t get_bits(double value) {
  return std::bit_cast<std::uint64_t>(value + 0.0);  // -0 and 0 are one place
}

/// A number of a place whose upper bits depend on all of its bits.
std::uint64_t calc_hash(const Vec3& p) {
  return get_bits(p.x()) * 0x9E3779B97F4A7C15ULL + get_bits(p.y()) * 0xC2B2AE3D27D4EB4FULL +
         get_bits(p.z()) * 0xD6E8FEB86659FD93ULL;
}

}  // namespace

/// Inline: it is asked twice for each segment, and a call costs as much as an answer.
inline int PerimeterCurve::find_node(const Vec3& position) {
  std::uint64_t slot = calc_hash(position) >> shift_;
  while (table_[slot] >= 0) {
    if (nodes_[table_[slot]] == position) return table_[slot];
    slot = (slot + 1) & (table_.size() - 1);
  }
  const int node = sets_.add();
  table_[slot] = node;
  nodes_[node] = position;
  return node;
}

void PerimeterCurve::measure(std::span<const TriangleCrossing> crossings, const SurfaceMesh& a, const SurfaceMesh& b,
                             const Mat3& R_AB) {
  crossings_ = crossings;
  pieces_.resize(crossings.size());
  length_ = 0.0;
  center_ = normal_sum_ = Vec3::Zero();
  for (std::size_t i = 0; i < crossings.size(); ++i) {
    const TriangleCrossing& crossing = crossings[i];
    Piece& piece = pieces_[i];
    piece.length = (crossing.end - crossing.start).norm();
    piece.against_a = -a.normal(crossing.triangle_a);
    piece.along_b = R_AB * b.normal(crossing.triangle_b);
    length_ += piece.length;
    center_ += 0.5 * piece.length * (crossing.start + crossing.end);
    normal_sum_ += piece.length * (piece.along_b + piece.against_a);
  }
  if (length_ > 0.0) center_ /= length_;
}

void PerimeterCurve::find_loops() {
  link();
  sum_up();
  calc_area_normals();
  follow_flat_faces();
  find_seams();
}

/// Joins segments that share an end, and numbers the loops.
void PerimeterCurve::link() {
  const std::uint64_t capacity = std::bit_ceil<std::uint64_t>(4 * crossings_.size() + 8);
  shift_ = 65 - static_cast<int>(std::bit_width(capacity));
  table_.assign(capacity, -1);
  sets_.reset(0);
  nodes_.resize(2 * crossings_.size());
  ends_.resize(crossings_.size());
  for (std::size_t i = 0; i < crossings_.size(); ++i) {
    const int start = find_node(crossings_[i].start), end = find_node(crossings_[i].end);
    sets_.join(start, end);
    ends_[i] = {start, end};
  }
  nodes_.resize(static_cast<std::size_t>(sets_.size()));
  // A loop is named by the node that was met first of it, which comes before the others.
  sums_.clear();
  loop_of_node_.resize(nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const int name = sets_.find(static_cast<int>(n));
    const bool is_first = name == static_cast<int>(n);
    loop_of_node_[n] = is_first ? static_cast<int>(sums_.size()) : loop_of_node_[name];
    if (is_first) sums_.emplace_back().origin = nodes_[n];
  }
}

/// Length, centre, area and mean face normal of each loop.
void PerimeterCurve::sum_up() {
  loops_.assign(sums_.size(), CurveLoop{});
  const bool is_single = loops_.size() == 1;  // then the sums of all are known already
  for (std::size_t i = 0; i < crossings_.size(); ++i) {
    const TriangleCrossing& crossing = crossings_[i];
    Sums& sums = sums_[is_single ? 0 : loop_of_segment(i)];
    const Vec3 step = crossing.end - crossing.start;
    sums.area += 0.5 * Vec3(crossing.start - sums.origin).cross(step);
    sums.gap += step;
    if (is_single) continue;
    const Piece& piece = pieces_[i];
    CurveLoop& loop = loops_[loop_of_segment(i)];
    loop.length += piece.length;
    loop.center += 0.5 * piece.length * (crossing.start + crossing.end);
    sums.normal += piece.length * (piece.along_b + piece.against_a);
  }
  for (CurveLoop& loop : loops_) {
    if (loop.length > 0.0) loop.center /= loop.length;
  }
  if (!is_single) return;
  loops_[0].length = length_;
  loops_[0].center = center_;
  sums_[0].normal = normal_sum_;
}

void PerimeterCurve::calc_area_normals() {
  for (std::size_t k = 0; k < loops_.size(); ++k) {
    CurveLoop& loop = loops_[k];
    const Sums& sums = sums_[k];
    if (!(loop.length > 0.0)) continue;
    const double area = sums.area.norm();
    loop.is_closed = sums.gap.norm() <= kClosure * loop.length && area > kLeastArea * loop.length * loop.length;
    loop.width = 4.0 * area / loop.length;
    const double mean = sums.normal.norm();
    if (loop.is_closed) {
      loop.normal = sums.area * ((sums.area.dot(sums.normal) > 0.0 ? 1.0 : -1.0) / area);
    } else if (mean > 0.0) {
      loop.normal = sums.normal / mean;
    }
  }
}

void PerimeterCurve::follow_flat_faces() {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    const int k = loop_of_segment(i);
    const Vec3& normal = loops_[k].normal;
    if (piece.against_a.dot(normal) > kAcross) sums_[k].across_a.add(piece.against_a, piece.length);
    if (piece.along_b.dot(normal) > kAcross) sums_[k].across_b.add(piece.along_b, piece.length);
  }
  for (std::size_t k = 0; k < loops_.size(); ++k) {
    CurveLoop& loop = loops_[k];
    Vec3 sum = Vec3::Zero();
    double weights = 0.0;
    for (const Faces* faces : {&sums_[k].across_a, &sums_[k].across_b}) {
      const double size = faces->sum.norm();
      if (!(size > 0.0)) continue;
      // 1 for a single flat face, 0 for faces that spread by more than kFlat.
      const double flatness = std::max(0.0, 1.0 - (1.0 - size / faces->length) / kFlat);
      const double weight = flatness * faces->length / loop.length;
      sum += (weight / size) * faces->sum;
      weights += weight;
    }
    // Where half of the curve or more runs along such faces, they alone decide.
    loop.normal = (sum + std::max(0.0, 1.0 - 2.0 * weights) * loop.normal).normalized();
  }
}

void PerimeterCurve::find_seams() {
  bool is_any = false;
  for (CurveLoop& seam : loops_) is_any |= take_seam(seam);
  if (!is_any) return;
  length_ = 0.0;
  for (const CurveLoop& loop : loops_) length_ += loop.share * loop.length;
}

/// Takes a loop away if it is a seam, with as much of the loops beside it; whether it is one.
bool PerimeterCurve::take_seam(CurveLoop& seam) {
  if (!seam.is_closed || seam.share < 1.0) return false;
  CurveLoop *ahead = nullptr, *behind = nullptr;  // the nearest on either side
  double ahead_distance = kBeside * seam.length, behind_distance = ahead_distance;
  for (CurveLoop& loop : loops_) {
    const bool is_alike = loop.length < kLengthRatio * seam.length && seam.length < kLengthRatio * loop.length;
    if (!loop.is_closed || !is_alike || !(loop.share > 0.0) || loop.normal.dot(seam.normal) > -kAgainst) continue;
    const Vec3 apart = loop.center - seam.center;
    const double along = apart.dot(seam.normal);
    if ((apart - along * seam.normal).norm() > kBeside * seam.length) continue;
    double& nearest = along > 0.0 ? ahead_distance : behind_distance;
    if (std::abs(along) > nearest) continue;
    nearest = std::abs(along);
    (along > 0.0 ? ahead : behind) = &loop;
  }
  if (ahead == nullptr || behind == nullptr) return false;
  // Two seams beside the same loops would leave nothing of these.
  if (ahead->share * ahead->length + behind->share * behind->length < 1.5 * seam.length) return false;
  const double distance = ahead_distance + behind_distance;
  const double part = distance > 0.0 ? behind_distance / distance : 0.5;
  ahead->share = std::max(0.0, ahead->share - part * seam.length / ahead->length);
  behind->share = std::max(0.0, behind->share - (1.0 - part) * seam.length / behind->length);
  seam.share = 0.0;
  return true;
}

}  // namespace abut
