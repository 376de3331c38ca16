#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace abut {

template <class Signature>
class FunctionView;

/// A callable lent for the duration of a call: unlike std::function it never allocates and keeps nothing alive. For
/// parameters only; what is passed has to outlive the call. Empty when made of nothing.
template <class Result, class... Arguments>
class FunctionView<Result(Arguments...)> {
 public:
  FunctionView() = default;
  template <class Function>
  requires(!std::same_as<std::remove_cvref_t<Function>, FunctionView> &&
           !std::is_function_v<std::remove_reference_t<Function>> &&
           std::is_invocable_r_v<Result, Function&, Arguments...>)
      FunctionView(Function&& function)  // NOLINT(google-explicit-constructor): stands for any callable
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(function)))),
        call_([](void* object, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<Function>*>(object))(std::forward<Arguments>(arguments)...);
        }) {}

  /// Plain functions are no objects: their address itself is kept.
  FunctionView(Result (*function)(Arguments...))  // NOLINT(google-explicit-constructor)
      : object_(reinterpret_cast<void*>(function)), call_([](void* object, Arguments... arguments) -> Result {
          return reinterpret_cast<Result (*)(Arguments...)>(object)(std::forward<Arguments>(arguments)...);
        }) {}

  explicit operator bool() const { return call_ != nullptr; }
  Result operator()(Arguments... arguments) const { return call_(object_, std::forward<Arguments>(arguments)...); }

 private:
  void* object_ = nullptr;
  Result (*call_)(void*, Arguments...) = nullptr;
};

}  // namespace abut
