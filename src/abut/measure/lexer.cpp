#include "abut/measure/lexer.hpp"

#include <charconv>

#include <fmt/format.h>

#include "abut/measure/expression.hpp"

namespace abut {

namespace {

// The character classes of <cctype> depend on the locale; a measure must mean the same everywhere.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

Token read_number(std::string_view text, std::size_t start) {
  Token token;
  const char* first = text.data() + start;
  const std::from_chars_result result = std::from_chars(first, text.data() + text.size(), token.value);
  token.kind = Token::Kind::number;
  token.offset = start;
  token.length = static_cast<std::size_t>(result.ptr - first);
  if (result.ec != std::errc{})
    throw ExpressionError("this number cannot be represented", start, std::max<std::size_t>(1, token.length));
  return token;
}

Token read_word(std::string_view text, std::size_t start) {
  std::size_t end = start;
  while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
  return {Token::Kind::word, std::string(text.substr(start, end - start)), 0.0, start, end - start};
}

Token read_quoted(std::string_view text, std::size_t start) {
  const std::size_t end = text.find('\'', start + 1);
  if (end == std::string_view::npos) throw ExpressionError("this quotation has no end", start, text.size() - start);
  return {Token::Kind::quoted, std::string(text.substr(start + 1, end - start - 1)), 0.0, start, end + 1 - start};
}

}  // namespace

std::vector<Token> tokenize(std::string_view text) {
  constexpr std::string_view kSymbols = "+-*/^(),";
  std::vector<Token> tokens;
  std::size_t place = 0;
  while (place < text.size()) {
    const char c = text[place];
    if (c == ' ') {
      ++place;
      continue;
    }
    if (is_digit(c) || (c == '.' && place + 1 < text.size() && is_digit(text[place + 1]))) {
      tokens.push_back(read_number(text, place));
    } else if (is_letter(c)) {
      tokens.push_back(read_word(text, place));
    } else if (c == '\'') {
      tokens.push_back(read_quoted(text, place));
    } else if (kSymbols.find(c) != std::string_view::npos) {
      tokens.push_back({Token::Kind::symbol, std::string(1, c), 0.0, place, 1});
    } else {
      throw ExpressionError(fmt::format("'{}' has no meaning in a measure", c), place, 1);
    }
    place += tokens.back().length;
  }
  tokens.push_back({Token::Kind::end, "", 0.0, text.size(), 1});
  return tokens;
}

}  // namespace abut
