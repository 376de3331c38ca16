#include <algorithm>
#include <iterator>
#include <span>

#include "abut/c_pair.h"
#include "abut/door/c/objects.hpp"
#include "abut/door/c/pair_texts.hpp"
#include "abut/door/c/values.hpp"

using abut::c::Call;
using abut::c::enter;
using abut::c::PairObject;
using abut::c::PairStateObject;
using abut::v0::ContactPair;
using abut::v0::Motion;

namespace {

/// A pair, a state that it made, and where the bodies are.
struct Question {
  Question(Call& call, abut_pair* pair_in, abut_pair_state* state_in, const abut_motion* a_in, const abut_motion* b_in)
      : pair(call.write<PairObject>(pair_in)),
        state(call.write<PairStateObject>(state_in)),
        a(abut::c::to_motion(*call.given(a_in, "a"))),
        b(abut::c::to_motion(*call.given(b_in, "b"))) {
    check_mark(call, pair, state);
  }

  static void check_mark(const Call&, const PairObject& pair, const PairStateObject& state) {
    if (pair.mark != state.mark)
      throw abut::c::Refusal{ABUT_ERROR_ARGUMENT, "this abut_pair_state was started by another abut_pair"};
  }

  PairObject& pair;
  PairStateObject& state;
  Motion a, b;
};

/// None: the state's own.
std::span<const double> to_span(const double* numbers, size_t count) {
  return {numbers, numbers == nullptr ? 0 : count};
}

/// How many numbers there are has to be said by whoever gives or takes them.
void check_count(const PairStateObject& state, size_t count) {
  if (count != state.state.numbers.size())
    throw abut::c::Refusal{ABUT_ERROR_ARGUMENT,
                           fmt::format("a pair with {} numbers was given {}: abut_pair_begin_step() changes how many "
                                       "there are",
                                       state.state.numbers.size(), count)};
}

}  // namespace

abut_status abut_pair_make(const abut_scene* scene, const char* body_a, const char* body_b, abut_pair** out) {
  return enter(__func__, [&](Call& call) {
    *call.given(out, "pair") = nullptr;
    call.make<PairObject>(out,
                          ContactPair(call.read<abut::c::SceneObject>(scene).scene, call.given(body_a, "body_a"),
                                      call.given(body_b, "body_b")),
                          std::make_shared<const int>());
    return ABUT_OK;
  });
}

abut_status abut_pair_read_texts(const char* body_a, const char* body_b, const char* contact, abut_pair** out) {
  return enter(__func__, [&](Call& call) {
    *call.given(out, "pair") = nullptr;
    call.make<PairObject>(out,
                          abut::c::read_pair_texts(call.given(body_a, "body_a"), call.given(body_b, "body_b"),
                                                   call.given(contact, "contact")),
                          std::make_shared<const int>());
    return ABUT_OK;
  });
}

abut_status abut_pair_free(abut_pair* handle) {
  return enter(__func__, [&](Call& call) { return call.free<PairObject>(handle), ABUT_OK; });
}

abut_status abut_pair_start(const abut_pair* handle, abut_pair_state** out) {
  return enter(__func__, [&](Call& call) {
    *call.given(out, "state") = nullptr;
    const PairObject& object = call.read<PairObject>(handle);
    call.make<PairStateObject>(out, object.pair.start(), object.mark);
    return ABUT_OK;
  });
}

abut_status abut_pair_state_copy(const abut_pair_state* handle, abut_pair_state** out) {
  return enter(__func__, [&](Call& call) {
    *call.given(out, "copy") = nullptr;
    const PairStateObject& object = call.read<PairStateObject>(handle);
    call.make<PairStateObject>(out, object.state, object.mark);
    return ABUT_OK;
  });
}

abut_status abut_pair_state_assign(abut_pair_state* handle, const abut_pair_state* other) {
  return enter(__func__, [&](Call& call) {
    PairStateObject& object = call.write<PairStateObject>(handle);
    if (handle == other) return ABUT_OK;
    const PairStateObject& from = call.read<PairStateObject>(other);
    object.state = from.state;
    object.mark = from.mark;
    return ABUT_OK;
  });
}

abut_status abut_pair_state_free(abut_pair_state* handle) {
  return enter(__func__, [&](Call& call) { return call.free<PairStateObject>(handle), ABUT_OK; });
}

abut_status abut_pair_state_numbers(const abut_pair_state* handle, double* values, size_t capacity, size_t* count) {
  return enter(__func__, [&](Call& call) {
    call.give_numbers(call.read<PairStateObject>(handle).state.numbers, values, capacity, count);
    return ABUT_OK;
  });
}

abut_status abut_pair_begin_step(abut_pair* pair, abut_pair_state* state, double time, double step,
                                 const abut_motion* a, const abut_motion* b, size_t* num_events) {
  return enter(__func__, [&](Call& call) {
    const Question q(call, pair, state, a, b);
    q.pair.events = q.pair.pair.begin_step(q.state.state, time, step, q.a, q.b);
    if (num_events != nullptr) *num_events = q.pair.events.size();
    return ABUT_OK;
  });
}

abut_status abut_pair_event(abut_pair* handle, size_t index, abut_event* event) {
  return enter(__func__, [&](Call& call) {
    const PairObject& object = call.write<PairObject>(handle);
    call.give(event, abut::c::from_event(object.events[call.index(index, object.events.size())]));
    return ABUT_OK;
  });
}

abut_status abut_pair_evaluate(abut_pair* pair, abut_pair_state* state, double time, const abut_motion* a,
                               const abut_motion* b, const double* numbers, double* rates, size_t count,
                               abut_pair_force* force) {
  return enter(__func__, [&](Call& call) {
    const Question q(call, pair, state, a, b);
    call.check_size(call.given(force, "force")->size, sizeof(abut_pair_force));
    if (numbers != nullptr || rates != nullptr) check_count(q.state, count);
    abut::v0::PairForce found = q.pair.pair.evaluate(q.state.state, time, q.a, q.b, to_span(numbers, count));
    if (rates != nullptr) std::copy(found.rates.begin(), found.rates.end(), rates);
    q.pair.contacts = std::move(found.contacts);
    call.give(force, abut_pair_force{force->size, q.pair.contacts.size(), abut::c::from_wrench(found.on_a),
                                     abut::c::from_wrench(found.on_b)});
    return ABUT_OK;
  });
}

abut_status abut_pair_contact(abut_pair* handle, size_t index, abut_contact* contact) {
  return enter(__func__, [&](Call& call) {
    const PairObject& object = call.write<PairObject>(handle);
    call.give(contact, abut::c::from_contact(object.contacts[call.index(index, object.contacts.size())]));
    return ABUT_OK;
  });
}

abut_status abut_pair_end_step(abut_pair* pair, abut_pair_state* state, double time, const double* numbers,
                               size_t count, int* is_done) {
  return enter(__func__, [&](Call& call) {
    PairObject& object = call.write<PairObject>(pair);
    PairStateObject& memory = call.write<PairStateObject>(state);
    Question::check_mark(call, object, memory);
    call.given(is_done, "is_done");
    check_count(memory, count);
    if (count > 0) std::copy_n(call.given(numbers, "numbers"), count, memory.state.numbers.begin());
    *is_done = object.pair.end_step(memory.state, time) ? 1 : 0;
    return ABUT_OK;
  });
}

abut_status abut_pair_energy(abut_pair* pair, abut_pair_state* state, double time, const abut_motion* a,
                             const abut_motion* b, abut_energy* energy) {
  return enter(__func__, [&](Call& call) {
    const Question q(call, pair, state, a, b);
    call.give(energy, abut::c::from_energy(q.pair.pair.energy(q.state.state, time, q.a, q.b)));
    return ABUT_OK;
  });
}

abut_status abut_pair_jacobian(abut_pair* pair, abut_pair_state* state, double time, const abut_motion* a,
                               const abut_motion* b, const double* numbers, size_t count, abut_jacobian* jacobian) {
  return enter(__func__, [&](Call& call) {
    const Question q(call, pair, state, a, b);
    call.check_size(call.given(jacobian, "jacobian")->size, sizeof(abut_jacobian));
    if (numbers != nullptr) check_count(q.state, count);
    const abut::v0::PairJacobian found = q.pair.pair.jacobian(q.state.state, time, q.a, q.b, to_span(numbers, count));
    const auto put = [](const abut::v0::PairJacobian::Matrix& from, double(&to)[12][12]) {
      for (std::size_t row = 0; row < 12; ++row) std::copy(from[row].begin(), from[row].end(), std::begin(to[row]));
    };
    put(found.by_a, jacobian->by_a);
    put(found.by_b, jacobian->by_b);
    put(found.error_by_a, jacobian->error_by_a);
    put(found.error_by_b, jacobian->error_by_b);
    return ABUT_OK;
  });
}
