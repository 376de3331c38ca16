#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "abut/measure/function_table.hpp"

namespace abut {

/// A measure, e.g. "touch_time(ball, floor, 2) - sqrt(2 * 1.0 / 9.81)", as a tree.
///
///   sum     = product { ("+" | "-") product }
///   product = signed { ("*" | "/") signed }
///   signed  = "-" signed | power
///   power   = primary [ "^" signed ]                  so that -2^2 = -4 and 2^-1 = 0.5
///   primary = number | "(" sum ")" | pi | t | n | duration | function [ "(" arguments ")" ]
///
/// Names of bodies and joints are bare words or, where they hold other characters, 'quoted'.
struct Expression {
  enum class Kind { number, time, count, duration, negate, add, subtract, multiply, divide, power, call };

  Kind kind = Kind::number;
  double value = 0.0;                 ///< of a number
  Function function = Function::abs;  ///< of a call
  std::vector<Expression> operands;   ///< or arguments that are expressions, in order
  std::vector<int> indices;           ///< arguments that are names: bodies, joints, energies, axes, in order
  std::vector<std::string> words;     ///< the same as written, for messages
};

/// Names that a measure may use, in the order of their indices.
struct MeasureNames {
  std::vector<std::string> bodies;
  std::vector<std::string> joints;
  std::vector<std::string> sensors{};
  std::vector<int> reaction_of_joint{};  ///< sensor of type reaction that looks at a joint; -1: none does
};

/// Where a measure is wrong: offset and length count characters of its text.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(const std::string& message, std::size_t offset, std::size_t length)
      : std::runtime_error(message), offset_(offset), length_(length) {}
  std::size_t offset() const { return offset_; }
  std::size_t length() const { return length_; }

 private:
  std::size_t offset_, length_;
};

/// Throws ExpressionError with the place and the nearest valid spelling. Without names (no scene) functions that read a
/// run are refused.
Expression parse_expression(std::string_view text, const MeasureNames* names);

}  // namespace abut
