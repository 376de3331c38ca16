#include "abut/geometry/volume/chord_integral.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut {
namespace {

constexpr int kNumStarts = 8;  ///< stretches to begin with, in each direction; 15 nodes in each

}  // namespace

void ChordIntegral::calc(const Region& region, int side, const QuadratureOptions& options) {
  region_ = region;
  side_ = side;
  forms_.clear();
  for (const Quadric& quadric : region_.quadrics) forms_.push_back(make_quadratic_form(quadric));
  inner_options_ = {0.05 * options.relative_error, options.max_intervals};
  outer_.calc(*this, make_breaks(region_.center.z()), options);
}

std::vector<double> ChordIntegral::make_breaks(double center) const {
  std::vector<double> breaks;
  for (int k = 0; k <= kNumStarts; ++k) {
    breaks.push_back(center + region_.radius * (2.0 * k / kNumStarts - 1.0) * (1.0 + 1e-9));
  }
  return breaks;
}

std::uint64_t ChordIntegral::calc(double t, SliceSums& sums) {
  t_ = t;
  Inner inner(*this);
  inner_.calc(inner, make_breaks(region_.center.y()), inner_options_);
  sums = inner_.total();
  return inner_.signature();
}

std::uint64_t ChordIntegral::calc_line(double y, SliceSums& sums) {
  sums.setZero();
  find_chords(y);
  const double v = y - region_.center.y(), w = t_ - region_.center.z();
  std::uint64_t signature = 0;
  for (const Chord& chord : chords_) {
    const double a = chord.from.x - region_.center.x(), b = chord.to.x - region_.center.x();
    const double length = b - a, first = 0.5 * length * (a + b), second = length * (a * a + a * b + b * b) / 3.0;
    SliceSums added;
    added << length, first, length * v, length * w, second, first * v, length * v * v, first * w, length * v * w,
        length * w * w, 0.0, 0.0, 0.0;
    sums += added;
    add_end(chord.from, y, -1.0, sums);
    add_end(chord.to, y, 1.0, sums);
    signature = (signature * 1000003u + static_cast<std::uint64_t>(chord.from.face + 1)) * 1000003u +
                static_cast<std::uint64_t>(chord.to.face + 1);
  }
  return signature;
}

void ChordIntegral::add_end(const End& end, double y, double sign, SliceSums& sums) const {
  const int num_planes = static_cast<int>(region_.planes.size());
  Vec3 normal = Vec3::Zero();
  if (end.face < 0) return;
  if (end.face < num_planes) {
    if (region_.planes[end.face].owner != side_) return;
    normal = region_.planes[end.face].normal;
  } else {
    const int k = end.face - num_planes;
    if (region_.quadrics[k].owner != side_) return;
    normal = forms_[k].Q * Vec3(end.x, y, t_) + forms_[k].b;
  }
  // n dS = (sign, n_y / n_x, n_z / n_x sign) dy dz: the normal's direction along the chord is known, its scale is not.
  if (normal.x() != 0.0) sums.tail<3>() += (sign / normal.x()) * normal.array();
}

void ChordIntegral::find_chords(double y) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Vec3 p(0.0, y, t_);
  const int num_planes = static_cast<int>(region_.planes.size());
  Chord whole{{-kInfinity, -1}, {kInfinity, -1}};
  const auto limit = [&whole](double from, double to, int face) {
    if (from > whole.from.x) whole.from = {from, face};
    if (to < whole.to.x) whole.to = {to, face};
  };
  chords_.clear();
  for (int k = 0; k < num_planes; ++k) {
    const RegionPlane& plane = region_.planes[k];
    const double rest = plane.offset - plane.normal.dot(p), slope = plane.normal.x();
    if (slope == 0.0 && rest < 0.0) return;
    if (slope > 0.0) limit(-kInfinity, rest / slope, k);
    if (slope < 0.0) limit(rest / slope, kInfinity, k);
  }
  for (std::size_t k = 0; k < region_.quadrics.size(); ++k) {
    if (region_.quadrics[k].is_complement) continue;
    const std::optional<LineInterval> inside = calc_line_interval(region_.quadrics[k], p, Vec3::UnitX());
    if (!inside) return;
    limit(inside->lower, inside->upper, num_planes + static_cast<int>(k));
  }
  if (!(whole.from.x < whole.to.x)) return;
  chords_.push_back(whole);
  for (std::size_t k = 0; k < region_.quadrics.size(); ++k) {
    if (!region_.quadrics[k].is_complement) continue;
    const std::optional<LineInterval> hole = calc_line_interval(region_.quadrics[k], p, Vec3::UnitX());
    const int face = num_planes + static_cast<int>(k);
    if (hole) cut_out({hole->lower, face}, {hole->upper, face});
  }
}

void ChordIntegral::cut_out(const End& from, const End& to) {
  next_.clear();
  for (const Chord& chord : chords_) {
    if (to.x <= chord.from.x || from.x >= chord.to.x) {
      next_.push_back(chord);
      continue;
    }
    if (from.x > chord.from.x) next_.push_back({chord.from, from});
    if (to.x < chord.to.x) next_.push_back({to, chord.to});
  }
  chords_.swap(next_);
}

void ChordIntegral::add_samples(int detail, std::vector<VolumeSample>& samples) {
  const std::size_t first = samples.size();
  const int count = 3 + 2 * std::max(detail, 1);
  std::vector<QuadratureNode> slices;
  outer_.add_coarse_nodes(count, slices);
  for (const QuadratureNode& slice : slices) {
    SliceSums sums;
    calc(slice.t, sums);
    std::vector<QuadratureNode> lines;
    inner_.add_coarse_nodes(count, lines);
    for (const QuadratureNode& line : lines) {
      find_chords(line.t);
      for (const Chord& chord : chords_) {
        // Two Gauss points to a chord.
        const double middle = 0.5 * (chord.from.x + chord.to.x), half = 0.5 * (chord.to.x - chord.from.x);
        for (const double s : {-1.0, 1.0}) {
          const Vec3 point(middle + s * half / std::sqrt(3.0), line.t, slice.t);
          samples.push_back({point, half * line.weight * slice.weight});
        }
      }
    }
  }
  double sum = 0.0;
  for (std::size_t k = first; k < samples.size(); ++k) sum += samples[k].weight;
  if (!(sum > 0.0)) return;
  for (std::size_t k = first; k < samples.size(); ++k) samples[k].weight *= sums()[0] / sum;
}

}  // namespace abut
