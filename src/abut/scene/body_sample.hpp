#pragma once

#include <array>

#include "abut/scene/record_column.hpp"

namespace abut {

/// One body at one instant. Meaning and units: the table below.
struct BodySample {
  Vec3 position = Vec3::Zero();  ///< p_WB
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();          ///< v_WB
  Vec3 angular_velocity = Vec3::Zero();  ///< w_WB
};

inline constexpr auto kBodyColumns = std::to_array<RecordColumn<BodySample>>({
    make_column<BodySample, &BodySample::position>(
        {.name = "position", .unit = "m", .doc = "Of the body frame's origin."}),
    make_column<BodySample, &BodySample::orientation>({.name = "orientation",
                                                       .doc = "Of the body frame, a quaternion (w, x, y, z), w >= 0.",
                                                       .is_unitless_text = true}),
    make_column<BodySample, &BodySample::velocity>(
        {.name = "velocity", .unit = "m/s", .doc = "Of the body frame's origin."}),
    make_column<BodySample, &BodySample::angular_velocity>(
        {.name = "angular_velocity", .unit = "rad/s", .doc = "Of the body."}),
});

}  // namespace abut
