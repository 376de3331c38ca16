#include "abut/door/c/call.hpp"

#include <new>

namespace abut::c {

namespace {

thread_local std::shared_ptr<const Failure> last_of_thread;

/// Made before it is needed: there is no memory then.
const std::shared_ptr<const Failure>& out_of_memory() {
  static const std::shared_ptr<const Failure> kFailure =
      std::make_shared<const Failure>(Failure{ABUT_ERROR_SYSTEM, "abut: not enough memory", {}, {}});
  return kFailure;
}
[[maybe_unused]] const bool kIsMade = out_of_memory() != nullptr;

Failure describe_input_error(const InputError& error) {
  Failure failure{ABUT_ERROR_INPUT, error.what(), error.mistakes(), {}};
  for (const Mistake& mistake : failure.mistakes) {
    std::string& words = failure.allowed.emplace_back();
    for (const std::string& word : mistake.allowed) words += (words.empty() ? "" : "\n") + word;
  }
  return failure;
}

/// Of the exception that is being handled.
Failure describe_exception() {
  try {
    throw;
  } catch (const Refusal& refusal) {
    return {refusal.status, refusal.message, {}, {}};
  } catch (const InputError& error) {
    return describe_input_error(error);
  } catch (const InvariantError& error) {
    return {ABUT_ERROR_INVARIANT, error.what(), {}, {}};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return {ABUT_ERROR_SYSTEM, error.what(), {}, {}};
  } catch (...) {
    return {ABUT_ERROR_SYSTEM, "abut: something unknown was thrown", {}, {}};
  }
}

}  // namespace

std::shared_ptr<const Failure> thread_failure() noexcept { return last_of_thread; }

Object& Call::use(const void* handle, Access access, bool (*accepts)(const Object&), const char* kind) {
  Used& used = used_.at(num_used_++);
  used.use.emplace(handle, access);
  if (used.use->answer() != Use::Answer::ok) {
    --num_used_;
    refuse_handle(handle, used.use->answer(), kind);
  }
  Object& object = *used.use->object();
  if (!accepts(object)) {
    --num_used_;
    refuse_handle(handle, Use::Answer::unknown, kind);
  }
  if (object.is_broken)
    throw Refusal{ABUT_ERROR_INVARIANT,
                  fmt::format("{}: a defect of abut has left this {} broken; it can only be freed", function_, kind)};
  used.is_written = access == Access::write;
  return object;
}

void Call::refuse_handle(const void* handle, Use::Answer answer, const char* kind) const {
  if (answer == Use::Answer::busy)
    throw Refusal{ABUT_ERROR_BUSY, fmt::format("{}: another thread is using this {}", function_, kind)};
  throw Refusal{ABUT_ERROR_HANDLE,
                handle == nullptr ? fmt::format("{}: NULL is no {}", function_, kind)
                                  : fmt::format("{}: this is no {}: it was freed, or never was one", function_, kind)};
}

std::size_t Call::index(std::size_t i, std::size_t count) const {
  if (i >= count)
    throw Refusal{ABUT_ERROR_ARGUMENT, fmt::format("{}: there is no index {}, but {} of them", function_, i, count)};
  return i;
}

void Call::check_size(std::size_t given_size, std::size_t needed) const {
  if (given_size < needed)
    throw Refusal{ABUT_ERROR_ARGUMENT,
                  fmt::format("{}: a struct says that its size is {}, but {} are needed: set `size` to its sizeof",
                              function_, given_size, needed)};
}

abut_status Call::keep(std::shared_ptr<const Failure> failure) noexcept {
  const abut_status status = failure->status;
  if (status == ABUT_ERROR_INVARIANT) {
    for (std::size_t i = 0; i < num_used_; ++i) {
      if (used_[i].is_written) used_[i].use->object()->is_broken = true;
    }
  }
  if (num_used_ > 0) used_[0].use->object()->set_failure(failure);
  last_of_thread = std::move(failure);
  return status;
}

abut_status Call::fail() noexcept {
  try {
    return keep(std::make_shared<const Failure>(describe_exception()));
  } catch (...) {
    return keep(out_of_memory());
  }
}

abut_status Call::stop(const std::string& message) {
  return keep(std::make_shared<const Failure>(Failure{ABUT_STOPPED, message, {}, {}}));
}

}  // namespace abut::c
