#include "abut/base/error.hpp"

#include <cstdio>
#include <cstdlib>

namespace abut {

void abort_with_context(const char* condition, const char* file, int line, const std::string& message) {
  std::fputs(
      fmt::format("abut: internal error at {}:{}: {} does not hold: {}\n", file, line, condition, message).c_str(),
      stderr);
  std::abort();
}

}  // namespace abut
