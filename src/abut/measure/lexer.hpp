#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace abut {

struct Token {
  enum class Kind { number, word, quoted, symbol, end };

  Kind kind = Kind::end;
  std::string text;    ///< without quotes
  double value = 0.0;  ///< of a number
  std::size_t offset = 0;
  std::size_t length = 1;

  bool is_symbol(char c) const { return kind == Kind::symbol && text[0] == c; }
};

/// Splits a measure into tokens, the last of kind `end`. Throws ExpressionError at a character that belongs to none.
std::vector<Token> tokenize(std::string_view text);

}  // namespace abut
