#include <string_view>

#include "abut/c_world.h"
#include "abut/door/c/objects.hpp"
#include "abut/door/c/values.hpp"

using abut::c::Call;
using abut::c::enter;
using abut::c::ModelObject;
using abut::c::WorldObject;
using abut::v0::World;

namespace {

/// A step, and how it ended.
template <class Act>
abut_status move(const char* function, abut_world* handle, abut_step_report* report, const Act& act) {
  return enter(function, [&](Call& call) {
    WorldObject& object = call.write<WorldObject>(handle);
    if (report != nullptr) call.check_size(report->size, sizeof(abut_step_report));
    object.report = act(object.world);
    if (report != nullptr) call.give(report, abut::c::from_report(object.report));
    return object.report.is_ok() ? ABUT_OK : call.stop(object.report.message);
  });
}

/// A look at one number.
template <class Look>
abut_status show(const char* function, abut_world* handle, double* value, const Look& look) {
  return enter(function, [&](Call& call) {
    const WorldObject& object = call.write<WorldObject>(handle);
    *call.given(value, "the number to be filled") = look(call, object.world);
    return ABUT_OK;
  });
}

template <class Act>
abut_status push(const char* function, abut_world* handle, const Act& act) {
  return enter(function, [&](Call& call) { return act(call, call.write<WorldObject>(handle)), ABUT_OK; });
}

}  // namespace

abut_status abut_world_make(const abut_model* model, int threads, abut_world** out) {
  return enter(__func__, [&](Call& call) {
    *call.given(out, "world") = nullptr;
    if (threads < 0)
      throw abut::c::Refusal{ABUT_ERROR_ARGUMENT, fmt::format("abut_world_make: {} threads are none", threads)};
    call.make<WorldObject>(out, World(call.read<ModelObject>(model).model, threads));
    return ABUT_OK;
  });
}

abut_status abut_world_copy(abut_world* handle, abut_world** out) {
  return enter(__func__, [&](Call& call) {
    *call.given(out, "copy") = nullptr;
    call.make<WorldObject>(out, World(call.write<WorldObject>(handle).world));
    return ABUT_OK;
  });
}

abut_status abut_world_free(abut_world* handle) {
  return enter(__func__, [&](Call& call) { return call.free<WorldObject>(handle), ABUT_OK; });
}

abut_status abut_world_model(abut_world* handle, abut_model** out) {
  return enter(__func__, [&](Call& call) {
    *call.given(out, "model") = nullptr;
    call.make<ModelObject>(out, call.write<WorldObject>(handle).world.model());
    return ABUT_OK;
  });
}

abut_status abut_world_step(abut_world* handle, abut_step_report* report) {
  return move(__func__, handle, report, [](World& world) { return world.step(); });
}

abut_status abut_world_advance(abut_world* handle, double time, abut_step_report* report) {
  return move(__func__, handle, report, [&](World& world) { return world.advance(time); });
}

abut_status abut_world_report(abut_world* handle, abut_step_report* report) {
  return enter(__func__, [&](Call& call) {
    WorldObject& object = call.write<WorldObject>(handle);
    object.report = object.world.report();
    call.give(report, abut::c::from_report(object.report));
    return ABUT_OK;
  });
}

abut_status abut_world_time(abut_world* handle, double* time) {
  return show(__func__, handle, time, [](Call&, const World& world) { return world.time(); });
}

abut_status abut_world_body(abut_world* handle, const char* body, abut_motion* motion) {
  return enter(__func__, [&](Call& call) {
    const WorldObject& object = call.write<WorldObject>(handle);
    call.given(motion, "motion");
    *motion = abut::c::from_motion(object.world.body(call.given(body, "body")));
    return ABUT_OK;
  });
}

abut_status abut_world_energy(abut_world* handle, abut_energy* energy) {
  return enter(__func__, [&](Call& call) {
    call.give(energy, abut::c::from_energy(call.write<WorldObject>(handle).world.energy()));
    return ABUT_OK;
  });
}

abut_status abut_world_joint_position(abut_world* handle, const char* joint, double* position) {
  return show(__func__, handle, position,
              [&](Call& call, const World& world) { return world.joint_position(call.given(joint, "joint")); });
}

abut_status abut_world_joint_velocity(abut_world* handle, const char* joint, double* velocity) {
  return show(__func__, handle, velocity,
              [&](Call& call, const World& world) { return world.joint_velocity(call.given(joint, "joint")); });
}

abut_status abut_world_coordinates(abut_world* handle, double* values, size_t capacity, size_t* count) {
  return enter(__func__, [&](Call& call) {
    call.give_numbers(call.write<WorldObject>(handle).world.coordinates(), values, capacity, count);
    return ABUT_OK;
  });
}

abut_status abut_world_velocities(abut_world* handle, double* values, size_t capacity, size_t* count) {
  return enter(__func__, [&](Call& call) {
    call.give_numbers(call.write<WorldObject>(handle).world.velocities(), values, capacity, count);
    return ABUT_OK;
  });
}

abut_status abut_world_find_contacts(abut_world* handle, size_t* count) {
  return enter(__func__, [&](Call& call) {
    WorldObject& object = call.write<WorldObject>(handle);
    call.given(count, "count");
    object.contacts = object.world.contacts();
    *count = object.contacts.size();
    return ABUT_OK;
  });
}

abut_status abut_world_contact(abut_world* handle, size_t index, abut_contact* contact) {
  return enter(__func__, [&](Call& call) {
    const WorldObject& object = call.write<WorldObject>(handle);
    call.give(contact, abut::c::from_contact(object.contacts[call.index(index, object.contacts.size())]));
    return ABUT_OK;
  });
}

abut_status abut_world_take_events(abut_world* handle, size_t* count) {
  return enter(__func__, [&](Call& call) {
    WorldObject& object = call.write<WorldObject>(handle);
    call.given(count, "count");
    object.events = object.world.take_events();
    *count = object.events.size();
    return ABUT_OK;
  });
}

abut_status abut_world_event(abut_world* handle, size_t index, abut_event* event) {
  return enter(__func__, [&](Call& call) {
    const WorldObject& object = call.write<WorldObject>(handle);
    call.give(event, abut::c::from_event(object.events[call.index(index, object.events.size())]));
    return ABUT_OK;
  });
}

abut_status abut_world_set_force(abut_world* handle, const char* body, const abut_wrench* wrench,
                                 const double point[3]) {
  return push(__func__, handle, [&](Call& call, WorldObject& object) {
    const abut_wrench& w = *call.given(wrench, "wrench");
    abut::v0::ExternalForce force{{w.force[0], w.force[1], w.force[2]}, {w.torque[0], w.torque[1], w.torque[2]}, {}};
    if (point != nullptr) force.point = {point[0], point[1], point[2]};
    object.world.set_force(call.given(body, "body"), force);
  });
}

abut_status abut_world_set_command(abut_world* handle, const char* joint, double value) {
  return push(__func__, handle,
              [&](Call& call, WorldObject& object) { object.world.set_command(call.given(joint, "joint"), value); });
}

abut_status abut_world_set_motion(abut_world* handle, const char* joint, double time, double position, double rate) {
  return push(__func__, handle, [&](Call& call, WorldObject& object) {
    object.world.set_motion(call.given(joint, "joint"), time, position, rate);
  });
}

abut_status abut_world_clear_inputs(abut_world* handle) {
  return push(__func__, handle, [](Call&, WorldObject& object) { object.world.clear_inputs(); });
}

abut_status abut_world_start_record(abut_world* handle, const char* path) {
  return push(__func__, handle, [&](Call& call, WorldObject& object) {
    abut::v0::Recorder recorder(object.world, call.given(path, "path"));
    object.recorder.emplace(std::move(recorder));
  });
}

abut_status abut_world_stop_record(abut_world* handle) {
  return push(__func__, handle, [](Call&, WorldObject& object) {
    if (!object.recorder)
      throw abut::c::Refusal{ABUT_ERROR_ARGUMENT, "abut_world_stop_record: this world is not being recorded"};
    abut::v0::Recorder recorder = std::move(*object.recorder);
    object.recorder.reset();
    recorder.close();
  });
}
