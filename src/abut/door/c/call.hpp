#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "abut/door/c/handle.hpp"

namespace abut::c {

/// How a function of the C interface is left early: by a status and a message. Never leaves the interface.
struct Refusal {
  abut_status status;
  std::string message;
};

/// What objects are called in messages, by class; each is named beside its class (objects.hpp).
template <class T>
inline constexpr const char* kKindName = nullptr;

/// One call of a function of the interface: the objects that it uses, until it is over. The first one is told what went
/// wrong.
class Call {
 public:
  explicit Call(const char* function_in) : function_(function_in) {}

  template <class T>
  T& write(const void* handle) {
    return static_cast<T&>(use(handle, Access::write, &is_a<T>, kKindName<T>));
  }
  template <class T>
  const T& read(const void* handle) {
    return static_cast<const T&>(use(handle, Access::read, &is_a<T>, kKindName<T>));
  }
  template <class T>
  void free(const void* handle) {
    if (handle == nullptr) return;
    auto [object, answer] = remove_handle(handle, &is_a<T>);
    if (answer != Use::Answer::ok) refuse_handle(handle, answer, kKindName<T>);
  }

  /// An argument that must not be NULL. Of a handle to be made it is NULL until it is made.
  template <class P>
  P* given(P* pointer, const char* name) const {
    if (pointer == nullptr) throw Refusal{ABUT_ERROR_ARGUMENT, fmt::format("{}: {} is NULL", function_, name)};
    return pointer;
  }
  /// Refuses an index that is none of `count`.
  std::size_t index(std::size_t i, std::size_t count) const;

  /// Hands a struct over as far as the caller knows it.
  template <class S>
  void give(S* out, S full) const {
    check_size(given(out, "the struct to be filled")->size, sizeof(S));
    full.size = out->size;
    std::memcpy(out, &full, sizeof(S));
  }
  /// Hands over as many numbers as there is room for, and how many there are.
  template <class Numbers>
  void give_numbers(const Numbers& numbers, double* out, std::size_t capacity, std::size_t* count) const {
    given(count, "count");
    if (capacity > 0) given(out, "values");
    *count = numbers.size();
    for (std::size_t i = 0; i < std::min(capacity, numbers.size()); ++i) out[i] = numbers[i];
  }
  template <class T, class Handle, class... Arguments>
  void make(Handle** out, Arguments&&... arguments) const {
    const void* handle = add_handle(std::make_unique<T>(std::forward<Arguments>(arguments)...));
    *out = static_cast<Handle*>(const_cast<void*>(handle));
  }

  void check_size(std::size_t given_size, std::size_t needed) const;

  /// In a handler: what is being handled becomes the failure of the thread and of the first object.
  abut_status fail() noexcept;
  /// The world stands still: no exception, but to be asked for in the same way.
  abut_status stop(const std::string& message);

 private:
  template <class T>
  static bool is_a(const Object& object) {
    return dynamic_cast<const T*>(&object) != nullptr;
  }
  Object& use(const void* handle, Access access, bool (*accepts)(const Object&), const char* kind);
  [[noreturn]] void refuse_handle(const void* handle, Use::Answer answer, const char* kind) const;
  abut_status keep(std::shared_ptr<const Failure> failure) noexcept;

  struct Used {
    std::optional<Use> use;
    bool is_written = false;
  };

  const char* function_;
  std::array<Used, 3> used_;
  std::size_t num_used_ = 0;
};

/// Every function of the interface is one of these around what it does: nothing is thrown out of it.
template <class Act>
abut_status enter(const char* function, const Act& act) noexcept {
  Call call(function);
  try {
    return act(call);
  } catch (...) {
    return call.fail();
  }
}

/// Null where nothing has failed in this thread.
std::shared_ptr<const Failure> thread_failure() noexcept;

}  // namespace abut::c
