#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/contact/patch_shape.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// What the laws of contact take for granted, judged alike before a run, after it and on its record. Each answers in
/// words that follow the name of the pair, or with nothing where the assumption holds.

/// Hertz's patch has to be small against the bodies where they touch: `ratio` as calc_patch_ratio() gives it.
/// Where the surfaces conform, as do_conform() tells, neither is a half-space to the other well before its shape costs
/// force; elsewhere the error of the shape is what counts.
std::optional<std::string> judge_patch(double short_axis, double long_axis, double ratio, bool conforms);

/// A pressure [Pa] in the middle of a Hertzian patch (`is_hertz`), or the mean one of a flat patch, against what the
/// materials bear: nothing where the rule gives no yield.
std::optional<std::string> judge_pressure(const ContactRule& rule, double pressure, bool is_hertz);

/// Bodies that touch for a time `duration` [s] move as rigid ones only if waves cross them many times meanwhile. Looks
/// at slender bodies whose material the rule gives; `normal` in the world at these poses.
std::optional<std::string> judge_waves(const Model& model, const BodyMotion& motion, int link_a, int link_b,
                                       const Vec3& normal, double duration);

/// Volumetric contact assumes bodies that interfere little: depth and size of the smaller body [m]. [Gonthier
/// 2007, 4.1.1]
std::optional<std::string> judge_depth(double depth, double size);

/// ... and a patch that is flat, with one normal for all of it.   [Gonthier 2007, 4.1.1]
std::optional<std::string> judge_flatness(double flatness);

/// An overlap at the start.
struct StartOverlap {
  double depth = 0.0;   ///< [m]
  double size = 0.0;    ///< of the smaller body [m]; infinite where neither is bounded
  double stored = 0.0;  ///< energy in the contact [J]
  double mass = 0.0;    ///< effective [kg]
};
std::optional<std::string> judge_overlap(const StartOverlap& start, double gravity, double duration);

inline void take_note(const std::optional<std::string>& text, std::vector<std::string>& notes) {
  if (text) notes.push_back(*text);
}

/// A value of a rule that the scene gave or that followed from one; nothing where the rule has none.
std::optional<double> find_value(const ContactRule& rule, std::string_view key);

/// Smallest size of the colliders of either link [m]; infinite where neither has one that is bounded.
double calc_pair_size(const Model& model, int link_a, int link_b);

}  // namespace abut
