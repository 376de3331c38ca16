#pragma once

#include "abut/contact.hpp"
#include "abut/geometry.hpp"
#include "abut/math/types.hpp"
#include "abut/scene.hpp"
#include "abut/scene/body_sample.hpp"
#include "abut/scene/contact_event.hpp"
#include "abut/scene/contact_sample.hpp"
#include "abut/scene/scene_spec.hpp"
#include "abut/scene/set_value.hpp"
#include "abut/sim/energy.hpp"

namespace abut {

/// Values of the library as those of the door, and back.

inline v0::Vector3 to_array(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
inline Vec3 to_vec(const v0::Vector3& v) { return {v[0], v[1], v[2]}; }
inline v0::Quaternion to_array(const Quat& q) { return {q.w(), q.x(), q.y(), q.z()}; }
/// InputError unless it is a quaternion of length 1 within 1e-6; normalised to rounding.
Quat to_quat(const v0::Quaternion& q);

/// A value for set().
KeyValue to_key_value(const v0::Value& value);

v0::Motion to_motion(const BodySample& sample);
v0::Contact to_contact(const ContactSample& sample, const SceneSpec& scene);
v0::ContactEvent to_event(const ContactEvent& event, const SceneSpec& scene);
v0::Energy to_energy(const EnergyBalance& balance, double residual);

}  // namespace abut
