#include "abut/sim/assumptions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "abut/contact/law/hertz_stiffness.hpp"
#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/volume/cell_layout.hpp"
#include "abut/geometry/volume/mass_properties.hpp"

namespace abut {

namespace {

/// Depth over size above which volumetric contact is not shallow, and an overlap at the start is no touch.
constexpr double kDeep = 0.1;
/// Depth over size below which nobody means an overlap at the start, but a touch.
constexpr double kMark = 0.01;
/// Root mean square height over width above which a patch is not flat: its normals then differ by 20 degrees and more.
constexpr double kUneven = 0.12;
/// Error of Hertz's force under a ball above which it is worth a word: moduli and radii are hardly known better [1].
constexpr double kShapeError = 0.02;
/// A body counts as slender from this length over its width on.
constexpr double kSlender = 4.0;
/// A blow that lasts two periods of the lowest vibration leaves about a hundredth of its energy in it: the response of
/// an oscillator to a half sine falls as 1 / (4 n^2 - 1) with the n periods it lasts.
constexpr double kPeriods = 2.0;

std::string format_pressure(double pressure) {
  return pressure >= 1e9 ? fmt::format("{:.3g} GPa", 1e-9 * pressure) : fmt::format("{:.3g} MPa", 1e-6 * pressure);
}

/// Extents of a link's bounded shapes in its own axes [m], and their volume [m^3].
struct LinkExtent {
  Vec3 size = Vec3::Zero();
  double volume = 0.0;
};

std::optional<LinkExtent> find_extent(const Model& model, int link) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  LinkExtent extent;
  Vec3 lower = Vec3::Constant(kInfinity), upper = Vec3::Constant(-kInfinity);
  for (const Collider& collider : model.colliders) {
    if (collider.link != link) continue;
    const auto* mesh = std::get_if<Mesh>(&collider.shape);
    if (!is_finite(collider.shape) || (mesh != nullptr && mesh->solid == nullptr)) return std::nullopt;
    const Aabb box = calc_aabb(collider.shape, collider.X_LS);
    lower = lower.cwiseMin(box.lower);
    upper = upper.cwiseMax(box.upper);
    extent.volume += calc_volume(collider.shape);
  }
  if (!(extent.volume > 0.0)) return std::nullopt;
  extent.size = upper - lower;
  return extent;
}

/// Period of the lowest vibration of a slender body that a blow along n excites [s]; 0 for others.
/// Along: 2 L / c with c = sqrt(E / rho). Across: L^2 / (3.56 c r) with the radius of gyration r of its section, a
/// quarter of its width (free ends).   [Weaver et al. 1990, 5.7 and 5.11]
double calc_lowest_period(const Model& model, int link, const Vec3& n, double young) {
  const auto extent = find_extent(model, link);
  const double mass = model.tree.link(link).mass.mass;
  if (!extent || !(mass > 0.0)) return 0.0;
  int longest = 0;
  const double length = extent->size.maxCoeff(&longest);
  Vec3 others = extent->size;
  others[longest] = 0.0;
  const double width = others.maxCoeff();
  if (length < kSlender * width) return 0.0;
  const double wave_speed = std::sqrt(young * extent->volume / mass);
  const double along = std::abs(n[longest]);
  return along > std::sqrt(0.5) ? 2.0 * length / wave_speed : length * length / (3.56 * wave_speed * 0.25 * width);
}

}  // namespace

std::optional<double> find_value(const ContactRule& rule, std::string_view key) {
  for (const ResolvedValue& value : rule.resolved) {
    if (value.key == key) return value.value;
  }
  return std::nullopt;
}

double calc_pair_size(const Model& model, int link_a, int link_b) {
  double least = std::numeric_limits<double>::infinity();
  for (const Collider& collider : model.colliders) {
    // Cells that count as one shape have the size of the first of them.
    const bool is_part =
        collider.layout != nullptr && collider.layout->leader(collider.cell, CellJoining::joined) != collider.cell;
    if ((collider.link == link_a || collider.link == link_b) && !is_part)
      least = std::min(least, collider.bounding_radius);
  }
  return least;
}

std::optional<std::string> judge_patch(double short_axis, double long_axis, double ratio, bool conforms) {
  if (ratio <= kPatchRatioWarning) return std::nullopt;
  const std::string patch =
      long_axis == 0.0 || short_axis > 0.5 * long_axis
          ? fmt::format("patch of radius {:.3g} mm", 1e3 * std::max(short_axis, long_axis))
          : fmt::format("patch of {:.3g} by {:.3g} mm (half-axes)", 1e3 * short_axis, 1e3 * long_axis);
  if (conforms) {
    return fmt::format(
        "{}, {:.3g} of the radius of the body: the surfaces conform, and Hertz assumes a patch that is small; region = "
        "\"volume\" with a stiffness for the layer takes such contacts",
        patch, ratio);
  }
  const double error = ratio < 1.0 ? std::abs(calc_hertz_shape_error(ratio)) : 1.0;
  if (error < kShapeError) return std::nullopt;
  return fmt::format(
      "{}, {:.3g} of the radius of the body: Hertz assumes it small; expect {:.3g} % error in the force from the shape "
      "alone",
      patch, ratio, 100.0 * error);
}

std::optional<std::string> judge_pressure(const ContactRule& rule, double pressure, bool is_hertz) {
  const auto first = find_value(rule, "yield"), second = find_value(rule, "yield_b");
  if (!first) return std::nullopt;
  const double yield = std::min(*first, second.value_or(*first)),
               limit = (is_hertz ? kYieldPressureRatio : 1.0) * yield;
  if (!(pressure > limit)) return std::nullopt;
  return fmt::format(
      "{} pressure {} is beyond the elastic limit: a yield stress of {} bears {} in a contact; the material flows, "
      "and less comes back than the law gives",
      is_hertz ? "largest" : "mean", format_pressure(pressure), format_pressure(yield), format_pressure(limit));
}

std::optional<std::string> judge_waves(const Model& model, const BodyMotion& motion, int link_a, int link_b,
                                       const Vec3& normal, double duration) {
  const RuleMatch match = model.find_rule(link_a, link_b);
  if (match.rule < 0 || !(duration > 0.0)) return std::nullopt;
  const ContactRule& rule = model.rules[match.rule];
  const auto first = find_value(rule, "young"), second = find_value(rule, "young_b");
  if (!first) return std::nullopt;
  for (const int link : {link_a, link_b}) {
    const bool is_first = (link == link_a) != match.swapped;
    const double young = is_first ? *first : second.value_or(*first);
    const double period = calc_lowest_period(model, link, motion.X_WB[link].R.transpose() * normal, young);
    if (period <= 0.0 || duration >= kPeriods * period) continue;
    return fmt::format(
        "the blow lasts {:.3g} ms, the slowest vibration of '{}' {:.3g} ms: waves in so slender a body take part of "
        "the energy, and a rigid body knows none",
        1e3 * duration, model.body_name(link), 1e3 * period);
  }
  return std::nullopt;
}

std::optional<std::string> judge_depth(double depth, double size) {
  if (!(depth > kDeep * size)) return std::nullopt;
  // V / A of a ball is 3 of its radii where all but 4 % of it are below a plane; the area vanishes where all of it is.
  constexpr double kSwallowed = 3.0;
  if (depth > kSwallowed * size) {
    return "one was all but wholly inside the other, where the volume they share tells no way out; what happened since "
           "means nothing: let them start apart, or make the contact stiffer";
  }
  return fmt::format("mean depth {:.3g} mm in a body of size {:.3g} mm; volumetric contact assumes it shallow",
                     1e3 * depth, 1e3 * size);
}

std::optional<std::string> judge_flatness(double flatness) {
  if (!(flatness > kUneven)) return std::nullopt;
  return fmt::format(
      "the patch stands out of its plane by {:.2g} of its width (root mean square): volumetric contact takes it for "
      "flat, with one normal",
      flatness);
}

std::optional<std::string> judge_overlap(const StartOverlap& start, double gravity, double duration) {
  const bool is_deep = start.depth > kDeep * start.size;
  const double speed = std::sqrt(2.0 * start.stored / std::max(start.mass, 1e-300));
  // Enough to lift it by a tenth of its size; without weight, to take it as far.
  const bool is_charged = std::isfinite(start.size) &&
                          (gravity > 0.0 ? start.stored > kDeep * start.mass * gravity * start.size
                                         : start.depth > kMark * start.size && speed * duration > kDeep * start.size);
  if (!is_deep && !is_charged) return std::nullopt;
  std::string text = fmt::format("starts {:.3g} mm inside", 1e3 * start.depth);
  if (std::isfinite(start.size)) text += fmt::format(" (size {:.3g} mm)", 1e3 * start.size);
  if (start.stored > 0.0) {
    text +=
        fmt::format(", with {:.4g} J stored in the contact, enough to throw it off at {:.3g} m/s", start.stored, speed);
  }
  return text + ": begin with the bodies apart or touching";
}

}  // namespace abut
