#include "abut/sim/pair_distance.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/geometry/distance/support_distance.hpp"
#include "abut/geometry/point_pair.hpp"
#include "abut/sim/convex_support.hpp"

namespace abut {

namespace {

std::optional<PointPair> find_pair(const Collider& a, const Collider& b) {
  const std::optional<PointPair> pair = find_point_pair(a.shape, b.shape);
  return pair && !is_manifold(pair->kind) ? pair : std::nullopt;
}

}  // namespace

double calc_pair_distance(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB) {
  if (const std::optional<PointPair> pair = find_pair(a, b)) {
    PointPairMemory memory;
    std::array<PointContact, kMaxPairPoints> points;
    calc_point_contacts(*pair, a.shape, X_WA, b.shape, X_WB, memory, points.data());
    double least = points[0].gap;
    for (int i = 1; i < pair->num_points; ++i) least = std::min(least, points[static_cast<std::size_t>(i)].gap);
    return least;
  }
  const std::optional<SupportSolid> solid_a = find_convex_support(a.shape), solid_b = find_convex_support(b.shape);
  if (solid_a && solid_b) {
    SeparationMemory memory;
    return calc_separation(*solid_a, X_WA, *solid_b, X_WB, memory).distance;
  }
  if (const auto* ground = std::get_if<HalfSpace>(&b.shape); ground != nullptr && solid_a)
    return calc_separation(*solid_a, X_WA, *ground, X_WB);
  if (const auto* ground = std::get_if<HalfSpace>(&a.shape); ground != nullptr && solid_b)
    return calc_separation(*solid_b, X_WB, *ground, X_WA);
  ABUT_REQUIRE(false, "no distance of a {} and a {}", shape_name(a.shape), shape_name(b.shape));
  return 0.0;
}

std::string find_distance_obstacle(const Collider& a, const Collider& b) {
  if (find_pair(a, b)) return {};
  const auto fits = [](const Collider& c) { return find_convex_support(c.shape).has_value(); };
  const auto is_ground = [](const Collider& c) { return std::holds_alternative<HalfSpace>(c.shape); };
  if ((fits(a) && (fits(b) || is_ground(b))) || (is_ground(a) && fits(b))) return {};
  const Collider& culprit = fits(a) || is_ground(a) ? b : a;
  return fmt::format("a {} is neither convex nor bounded enough for a distance; give the body convex shapes, as cells",
                     shape_name(culprit.shape));
}

}  // namespace abut
