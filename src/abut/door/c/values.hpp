#pragma once

#include <string>
#include <vector>

#include "abut/c_scene.h"
#include "abut/c_values.h"
#include "abut/contact.hpp"
#include "abut/door/c/call.hpp"
#include "abut/scene.hpp"
#include "abut/world.hpp"

namespace abut::c {

/// Structs of the C interface as those of the door, and back. Texts are those of what is given: they live as long.

v0::Motion to_motion(const abut_motion& motion);
abut_motion from_motion(const v0::Motion& motion);
abut_wrench from_wrench(const v0::Wrench& wrench);
abut_contact from_contact(const v0::Contact& contact);
abut_event from_event(const v0::ContactEvent& event);
abut_energy from_energy(const v0::Energy& energy);
abut_step_report from_report(const v0::StepReport& report);

/// Of an array whose elements may be longer than ours.
std::vector<v0::Change> to_changes(const Call& call, const abut_change* changes, std::size_t count);
std::vector<std::string> to_texts(const Call& call, const char* const* texts, std::size_t count, const char* name);

}  // namespace abut::c
