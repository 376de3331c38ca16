#pragma once

#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace abut {

/// Three levels of failure, each with its own way out:
///   InputError   the user's file or option is wrong; thrown once, at the door; exit status 1, nothing was run.
///   SystemError  a file or the machine refused; exit status 3.
///   ABUT_REQUIRE a broken invariant of ours; aborts with context, because going on would corrupt a result.
/// Numerical outcomes (a step that did not converge) are none of these: they are data, returned as a Status.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class SystemError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void abort_with_context(const char* condition, const char* file, int line, const std::string& message);

}  // namespace abut

/// Checks an invariant in every build type; the message is formatted only on failure.
#define ABUT_REQUIRE(condition, ...)                                                                        \
  do {                                                                                                      \
    if (!(condition)) ::abut::abort_with_context(#condition, __FILE__, __LINE__, fmt::format(__VA_ARGS__)); \
  } while (false)
