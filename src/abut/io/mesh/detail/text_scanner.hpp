#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace abut::detail {

/// Words of a text, with the line they are on. Blanks are everything up to ' '.
class TextScanner {
 public:
  explicit TextScanner(std::string_view text, long line = 1) : text_(text), line_(line) {}

  /// Next word on the current line; empty at its end. A backslash at the end of a line continues it.
  std::string_view next_on_line();
  /// Next word anywhere; empty at the end of the text.
  std::string_view next();
  /// Goes to the start of the next line; false at the end of the text.
  bool skip_line();
  /// The rest of the current line.
  std::string_view rest_of_line() const;

  long line() const { return line_; }
  std::size_t position() const { return position_; }
  bool is_at_end() const { return position_ >= text_.size(); }

 private:
  bool skip_continuation();
  std::string_view text_;
  std::size_t position_ = 0;
  long line_ = 1;
};

/// The whole word as a number; nothing if it is none. A leading + is allowed.
std::optional<double> parse_double(std::string_view word);
std::optional<long long> parse_integer(std::string_view word);

/// A word as it may be shown in a message: cut, and without control characters.
std::string make_printable(std::string_view word);

}  // namespace abut::detail
