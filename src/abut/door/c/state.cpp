#include "abut/state.hpp"

#include <cstddef>

#include "abut/c_world.h"
#include "abut/door/c/objects.hpp"

using abut::c::Call;
using abut::c::enter;
using abut::c::StateObject;
using abut::c::WorldObject;

abut_status abut_world_save(abut_world* handle, abut_state** out) {
  return enter(__func__, [&](Call& call) {
    *call.given(out, "state") = nullptr;
    call.make<StateObject>(out, call.write<WorldObject>(handle).world.state());
    return ABUT_OK;
  });
}

abut_status abut_world_load(abut_world* handle, const abut_state* state) {
  return enter(__func__, [&](Call& call) {
    WorldObject& object = call.write<WorldObject>(handle);
    object.world.set_state(call.read<StateObject>(state).state);
    return ABUT_OK;
  });
}

abut_status abut_state_from_bytes(const void* bytes, size_t size, abut_state** out) {
  return enter(__func__, [&](Call& call) {
    *call.given(out, "state") = nullptr;
    const auto* first = static_cast<const std::byte*>(call.given(bytes, "bytes"));
    call.make<StateObject>(out, abut::v0::State::from_bytes({first, size}));
    return ABUT_OK;
  });
}

abut_status abut_state_bytes(const abut_state* handle, const void** bytes, size_t* size) {
  return enter(__func__, [&](Call& call) {
    const StateObject& object = call.read<StateObject>(handle);
    call.given(bytes, "bytes");
    *call.given(size, "size") = object.state.bytes().size();
    *bytes = object.state.bytes().data();
    return ABUT_OK;
  });
}

abut_status abut_state_time(const abut_state* handle, double* time) {
  return enter(__func__, [&](Call& call) {
    *call.given(time, "time") = call.read<StateObject>(handle).state.time();
    return ABUT_OK;
  });
}

abut_status abut_state_equal(const abut_state* a, const abut_state* b, int* is_equal) {
  return enter(__func__, [&](Call& call) {
    const StateObject& one = call.read<StateObject>(a);
    *call.given(is_equal, "is_equal") = one.state == call.read<StateObject>(b).state ? 1 : 0;
    return ABUT_OK;
  });
}

abut_status abut_state_free(abut_state* handle) {
  return enter(__func__, [&](Call& call) { return call.free<StateObject>(handle), ABUT_OK; });
}
