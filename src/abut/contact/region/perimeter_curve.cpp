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

std::uint64_t mix(std::uint64_t h, double value) {
  h ^= std::bit_cast<std::uint64_t>(value + 0.0);  // -0 and 0 are one place
  h *= 0x9E3779B97F4A7C15ULL;
  return h ^ (h >> 29);
}

}  // namespace

int PerimeterCurve::find_node(const Vec3& position) {
  std::uint64_t slot = mix(mix(mix(0, position.x()), position.y()), position.z()) & mask_;
  while (table_[slot] >= 0) {
    if (nodes_[table_[slot]] == position) return table_[slot];
    slot = (slot + 1) & mask_;
  }
  const int node = static_cast<int>(nodes_.size());
  table_[slot] = node;
  nodes_.push_back(position);
  parents_.push_back(node);
  return node;
}

int PerimeterCurve::find_root(int node) {
  while (parents_[node] != node) {
    parents_[node] = parents_[parents_[node]];
    node = parents_[node];
  }
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
}

/// Joins segments that share an end.
void PerimeterCurve::link() {
  const std::uint64_t capacity = std::bit_ceil<std::uint64_t>(4 * crossings_.size() + 8);
  mask_ = capacity - 1;
  table_.assign(capacity, -1);
  nodes_.clear();
  parents_.clear();
  ends_.clear();
  for (const TriangleCrossing& crossing : crossings_) {
    const int start = find_node(crossing.start), end = find_node(crossing.end);
    const int first = find_root(start), second = find_root(end);
    // The smaller number becomes the root, so that the result depends on the order of the segments only.
    if (first != second) parents_[std::max(first, second)] = std::min(first, second);
    ends_.push_back({start, end});
  }
}

/// Length, centre, area and mean face normal of each loop.
void PerimeterCurve::sum_up() {
  loop_of_root_.assign(nodes_.size(), -1);
  loop_of_segment_.resize(crossings_.size());
  loops_.clear();
  areas_.clear();
  gaps_.clear();
  means_.clear();
  for (std::size_t i = 0; i < crossings_.size(); ++i) {
    const TriangleCrossing& crossing = crossings_[i];
    const Piece& piece = pieces_[i];
    const int root = find_root(ends_[i][0]);
    if (loop_of_root_[root] < 0) {
      loop_of_root_[root] = static_cast<int>(loops_.size());
      loops_.emplace_back();
      areas_.push_back(Vec3::Zero());
      gaps_.push_back(Vec3::Zero());
      means_.push_back(Vec3::Zero());
    }
    const int k = loop_of_segment_[i] = loop_of_root_[root];
    const Vec3& origin = nodes_[root];  // near the loop, so that little cancels
    const Vec3 step = crossing.end - crossing.start;
    loops_[k].length += piece.length;
    loops_[k].center += 0.5 * piece.length * (crossing.start + crossing.end);
    areas_[k] += 0.5 * Vec3(crossing.start - origin).cross(step);
    gaps_[k] += step;
    means_[k] += piece.length * (piece.along_b + piece.against_a);
  }
}

void PerimeterCurve::calc_area_normals() {
  for (std::size_t k = 0; k < loops_.size(); ++k) {
    CurveLoop& loop = loops_[k];
    if (!(loop.length > 0.0)) continue;
    loop.center /= loop.length;
    const double area = areas_[k].norm();
    const bool is_closed = gaps_[k].norm() <= kClosure * loop.length && area > kLeastArea * loop.length * loop.length;
    const double mean = means_[k].norm();
    if (is_closed) {
      loop.normal = areas_[k] * ((areas_[k].dot(means_[k]) > 0.0 ? 1.0 : -1.0) / area);
    } else if (mean > 0.0) {
      loop.normal = means_[k] / mean;
    }
  }
}

void PerimeterCurve::follow_flat_faces() {
  for (std::vector<Faces>& faces : faces_) faces.assign(loops_.size(), Faces{});
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const int k = loop_of_segment_[i];
    const double length = pieces_[i].length;
    const Vec3* normals[2] = {&pieces_[i].against_a, &pieces_[i].along_b};
    for (int s = 0; s < 2; ++s) {
      if (!(normals[s]->dot(loops_[k].normal) > kAcross)) continue;
      faces_[s][k].length += length;
      faces_[s][k].sum += length * *normals[s];
    }
  }
  for (std::size_t k = 0; k < loops_.size(); ++k) {
    CurveLoop& loop = loops_[k];
    Vec3 sum = Vec3::Zero();
    double weights = 0.0;
    for (const std::vector<Faces>& faces : faces_) {
      const double size = faces[k].sum.norm();
      if (!(size > 0.0)) continue;
      // 1 for a single flat face, 0 for faces that spread by more than kFlat.
      const double flatness = std::max(0.0, 1.0 - (1.0 - size / faces[k].length) / kFlat);
      const double weight = flatness * faces[k].length / loop.length;
      sum += (weight / size) * faces[k].sum;
      weights += weight;
    }
    // Where half of the curve or more runs along such faces, they alone decide.
    loop.normal = (sum + std::max(0.0, 1.0 - 2.0 * weights) * loop.normal).normalized();
  }
}

}  // namespace abut
