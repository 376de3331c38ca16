#pragma once

#include <string>

#include <fmt/format.h>

#include "abut/errors.hpp"

namespace abut {

/// Three levels of failure, each with its own way out (include/abut/errors.hpp):
///   InputError   the user's file or option is wrong; thrown once, at the door; exit status 1, nothing was run.
///   SystemError  a file or the machine refused; exit status 3.
///   ABUT_REQUIRE a broken invariant of ours; throws InvariantError with its context, because going on would corrupt a
///                result. The command prints it and aborts; a host may drop what it was working on and live.
/// Numerical outcomes (a step that did not converge) are none of these: they are data, returned as a Status.
[[noreturn]] void throw_invariant_error(const char* condition, const char* file, int line, const std::string& message);

}  // namespace abut

/// Checks an invariant in every build type; the message is formatted only on failure. Never in a destructor or another
/// function that must not throw.
#define ABUT_REQUIRE(condition, ...)                                                                           \
  do {                                                                                                         \
    if (!(condition)) ::abut::throw_invariant_error(#condition, __FILE__, __LINE__, fmt::format(__VA_ARGS__)); \
  } while (false)
