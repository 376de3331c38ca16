#include "abut/io/mesh/detail/text_scanner.hpp"

#include <charconv>
#include <string>

namespace abut::detail {
namespace {

bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' '; }

template <class Number>
std::optional<Number> parse_number(std::string_view word) {
  if (!word.empty() && word[0] == '+') word.remove_prefix(1);
  Number value{};
  const std::from_chars_result result = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || result.ec != std::errc() || result.ptr != word.data() + word.size()) return std::nullopt;
  return value;
}

}  // namespace

bool TextScanner::skip_continuation() {
  std::size_t i = position_ + 1;
  if (i < text_.size() && text_[i] == '\r') ++i;
  if (i >= text_.size() || text_[i] != '\n') return false;
  position_ = i + 1;
  ++line_;
  return true;
}

std::string_view TextScanner::next_on_line() {
  while (position_ < text_.size() && text_[position_] != '\n') {
    if (text_[position_] == '\\' && skip_continuation()) continue;
    if (!is_blank(text_[position_])) break;
    ++position_;
  }
  const std::size_t begin = position_;
  while (position_ < text_.size() && !is_blank(text_[position_])) ++position_;
  return text_.substr(begin, position_ - begin);
}

std::string_view TextScanner::next() {
  while (position_ < text_.size() && is_blank(text_[position_])) {
    if (text_[position_] == '\n') ++line_;
    ++position_;
  }
  const std::size_t begin = position_;
  while (position_ < text_.size() && !is_blank(text_[position_])) ++position_;
  return text_.substr(begin, position_ - begin);
}

bool TextScanner::skip_line() {
  const std::size_t end = text_.find('\n', position_);
  position_ = end == std::string_view::npos ? text_.size() : end + 1;
  if (end != std::string_view::npos) ++line_;
  return position_ < text_.size();
}

std::string_view TextScanner::rest_of_line() const {
  const std::size_t end = text_.find('\n', position_);
  return text_.substr(position_, end == std::string_view::npos ? end : end - position_);
}

std::optional<double> parse_double(std::string_view word) { return parse_number<double>(word); }
std::optional<long long> parse_integer(std::string_view word) { return parse_number<long long>(word); }

std::string make_printable(std::string_view word) {
  std::string shown(word.substr(0, 40));
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') c = '?';
  }
  return word.size() > 40 ? shown + "..." : shown;
}

}  // namespace abut::detail
