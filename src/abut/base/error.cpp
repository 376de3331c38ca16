#include "abut/base/error.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace abut {

namespace {

/// Takes "17:" off the front; 0 where there is no number.
int take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data() + text.size() || *end != ':') return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return number;
}

/// The mistake of a report whose first line is "file:line:column: message", or "message".
std::vector<Mistake> find_mistakes(std::string_view report) {
  Mistake mistake;
  const std::size_t end = std::min(report.find('\n'), report.size());
  std::string_view head = report.substr(0, end);
  for (std::size_t colon = head.find(':'); colon < head.size(); colon = head.find(':', colon + 1)) {
    std::string_view rest = head.substr(colon + 1);
    const int line = take_number(rest), column = line > 0 ? take_number(rest) : 0;
    if (column == 0) continue;
    mistake.file = head.substr(0, colon);
    mistake.line = line;
    mistake.column = column;
    head = rest.starts_with(' ') ? rest.substr(1) : rest;
    break;
  }
  mistake.message = head;
  if (end < report.size()) mistake.hint = report.substr(end + 1);
  return {mistake};
}

}  // namespace

InputError::InputError(const std::string& report) : InputError(report, find_mistakes(report)) {}
InputError::InputError(const std::string& report, std::vector<Mistake> mistakes)
    : std::runtime_error(report), mistakes_(std::make_shared<const std::vector<Mistake>>(std::move(mistakes))) {}
// Here, so that each class is one and the same in all libraries of a program.
InputError::InputError(const InputError&) noexcept = default;
InputError& InputError::operator=(const InputError&) noexcept = default;
InputError::~InputError() = default;
SystemError::SystemError(const SystemError&) noexcept = default;
SystemError& SystemError::operator=(const SystemError&) noexcept = default;
SystemError::~SystemError() = default;
InvariantError::InvariantError(const InvariantError&) noexcept = default;
InvariantError& InvariantError::operator=(const InvariantError&) noexcept = default;
InvariantError::~InvariantError() = default;

InvariantError::InvariantError(const char* condition, const char* file, int line, const std::string& message)
    : std::logic_error(
          fmt::format("abut: internal error at {}:{}: {} does not hold: {}", file, line, condition, message)),
      condition_(condition),
      file_(file),
      line_(line) {}

void throw_invariant_error(const char* condition, const char* file, int line, const std::string& message) {
  throw InvariantError(condition, file, line, message);
}

}  // namespace abut
