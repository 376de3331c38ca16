#include "abut/c_base.h"
#include "abut/door/c/call.hpp"
#include "abut/version.h"
#include "abut/version.hpp"

namespace abut::c {

namespace {

/// Holds what texts were handed out of, until this thread asks again.
const Failure& show_failure(const void* handle) noexcept {
  static const Failure kNone;
  thread_local std::shared_ptr<const Failure> shown;
  try {
    shown = handle == nullptr ? thread_failure() : find_failure(handle);
  } catch (...) {  // a lock that the machine refuses
    shown = nullptr;
  }
  return shown == nullptr ? kNone : *shown;
}

}  // namespace

}  // namespace abut::c

using abut::c::Call;

const char* abut_version() { return abut::v0::library_version(); }
int abut_version_number() { return ABUT_VERSION_NUMBER; }

const char* abut_status_name(int status) {
  switch (status) {
    case ABUT_OK:
      return "ok";
    case ABUT_ERROR_ARGUMENT:
      return "argument";
    case ABUT_ERROR_HANDLE:
      return "handle";
    case ABUT_ERROR_BUSY:
      return "busy";
    case ABUT_ERROR_INPUT:
      return "input";
    case ABUT_ERROR_SYSTEM:
      return "system";
    case ABUT_ERROR_INVARIANT:
      return "invariant";
    case ABUT_STOPPED:
      return "stopped";
  }
  return "unknown";
}

abut_status abut_error_status(const void* handle) { return abut::c::show_failure(handle).status; }
const char* abut_error_message(const void* handle) { return abut::c::show_failure(handle).message.c_str(); }
size_t abut_error_count(const void* handle) { return abut::c::show_failure(handle).mistakes.size(); }

abut_status abut_error_mistake(const void* handle, size_t index, abut_mistake* mistake) {
  // By itself no failure to be remembered: that would take away what is being read.
  const abut::c::Failure& failure = abut::c::show_failure(handle);
  if (mistake == nullptr || mistake->size < sizeof(abut_mistake) || index >= failure.mistakes.size())
    return ABUT_ERROR_ARGUMENT;
  const abut::Mistake& found = failure.mistakes[index];
  *mistake = {mistake->size,         found.file.c_str(), found.line,          found.column,
              found.message.c_str(), found.hint.c_str(), found.found.c_str(), failure.allowed[index].c_str()};
  return ABUT_OK;
}

size_t abut_count_handles() { return abut::c::count_handles(); }
