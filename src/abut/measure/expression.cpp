#include "abut/measure/expression.hpp"

#include <algorithm>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "abut/base/spelling.hpp"
#include "abut/measure/lexer.hpp"
#include "abut/sim/energy.hpp"

namespace abut {

namespace {

using Kind = Expression::Kind;

std::string suggest_spelling(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_spelling(word, candidates);
  return nearest.empty() ? "" : fmt::format(" Did you mean '{}'?", nearest);
}

class Parser {
 public:
  Parser(std::string_view text, const MeasureNames* names) : tokens_(tokenize(text)), names_(names) {}

  Expression parse() {
    Expression result = parse_sum();
    if (here().kind != Token::Kind::end) fail(fmt::format("expected an operator or the end, found '{}'", shown()));
    return result;
  }

 private:
  const Token& here() const { return tokens_[place_]; }
  std::string shown() const {
    return here().kind == Token::Kind::number ? fmt::format("{}", here().value) : here().text;
  }
  bool accept(char symbol) {
    if (!here().is_symbol(symbol)) return false;
    ++place_;
    return true;
  }
  [[noreturn]] void fail(const std::string& message) const {
    throw ExpressionError(message, here().offset, here().length);
  }
  void expect(char symbol) {
    if (accept(symbol)) return;
    const std::string found = here().kind == Token::Kind::end ? "the end" : fmt::format("'{}'", shown());
    fail(fmt::format("expected '{}', found {}", symbol, found));
  }

  static Expression join(Kind kind, Expression left, Expression right) {
    Expression result;
    result.kind = kind;
    result.operands.push_back(std::move(left));
    result.operands.push_back(std::move(right));
    return result;
  }

  Expression parse_sum() {
    Expression left = parse_product();
    while (true) {
      if (accept('+')) {
        left = join(Kind::add, std::move(left), parse_product());
      } else if (accept('-')) {
        left = join(Kind::subtract, std::move(left), parse_product());
      } else {
        return left;
      }
    }
  }

  Expression parse_product() {
    Expression left = parse_signed();
    while (true) {
      if (accept('*')) {
        left = join(Kind::multiply, std::move(left), parse_signed());
      } else if (accept('/')) {
        left = join(Kind::divide, std::move(left), parse_signed());
      } else {
        return left;
      }
    }
  }

  Expression parse_signed() {
    if (!accept('-')) return parse_power();
    Expression result;
    result.kind = Kind::negate;
    result.operands.push_back(parse_signed());
    return result;
  }

  Expression parse_power() {
    Expression base = parse_primary();
    return accept('^') ? join(Kind::power, std::move(base), parse_signed()) : base;
  }

  Expression parse_primary() {
    if (accept('(')) {
      Expression inner = parse_sum();
      expect(')');
      return inner;
    }
    if (here().kind == Token::Kind::number) {
      Expression number;
      number.value = here().value;
      ++place_;
      return number;
    }
    if (here().kind == Token::Kind::word) return parse_word();
    fail(here().kind == Token::Kind::end ? "expected a number or a function, found the end"
                                         : fmt::format("expected a number or a function, found '{}'", shown()));
  }

  Expression parse_word() {
    Expression result;
    const std::string& word = here().text;
    if (word == "pi") {
      result.value = std::numbers::pi;
    } else if (word == "t") {
      result.kind = Kind::time;
    } else if (word == "duration") {
      result.kind = Kind::duration;
    } else if (word == "n") {
      if (!binds_count_) fail("'n' has a meaning only inside first_contact");
      result.kind = Kind::count;
    } else {
      return parse_call();
    }
    if (result.kind != Kind::number && names_ == nullptr)
      fail(fmt::format("'{}' reads a run, but the check names no scene", word));
    ++place_;
    return result;
  }

  Expression parse_call() {
    const std::string& word = here().text;
    const FunctionInfo* info = find_function(word);
    if (info == nullptr) {
      std::vector<std::string> known = function_names();
      known.insert(known.end(), {"pi", "t", "duration"});
      fail(fmt::format("unknown function '{}'.{}", word, suggest_spelling(word, known)));
    }
    if (info->needs_run && names_ == nullptr) fail(fmt::format("'{}' reads a run, but the check names no scene", word));
    Expression call;
    call.kind = Kind::call;
    call.function = info->function;
    ++place_;
    if (info->parameters.empty()) return call;
    if (!here().is_symbol('(')) fail(fmt::format("{} takes arguments: {}", info->name, info->usage));
    expect('(');
    for (std::size_t i = 0; i < info->parameters.size(); ++i) {
      if (i > 0 && !accept(',')) fail(fmt::format("too few arguments: {}", info->usage));
      parse_argument(info->parameters[i], call);
    }
    if (here().is_symbol(',')) fail(fmt::format("too many arguments: {}", info->usage));
    expect(')');
    return call;
  }

  void parse_argument(Parameter parameter, Expression& call) {
    switch (parameter) {
      case Parameter::number:
      case Parameter::signal:
        call.operands.push_back(parse_sum());
        return;
      case Parameter::count: {
        const bool outer = std::exchange(binds_count_, true);
        call.operands.push_back(parse_sum());
        binds_count_ = outer;
        return;
      }
      case Parameter::body:
        parse_name("body", names_->bodies, call);
        return;
      case Parameter::joint:
        parse_name("joint", names_->joints, call);
        return;
      case Parameter::sensor:
        parse_name("sensor", names_->sensors, call);
        return;
      case Parameter::reaction:
        parse_reaction(call);
        return;
      case Parameter::axis:
        parse_axis(call);
        return;
      case Parameter::energy: {
        std::vector<std::string> columns(kEnergyNames.begin(), kEnergyNames.end());
        columns.emplace_back("residual");
        parse_name("energy", columns, call);
        return;
      }
    }
  }

  void parse_reaction(Expression& call) {
    const std::string joint = here().text;
    const std::size_t place = place_;
    parse_name("joint", names_->joints, call);
    const auto index = static_cast<std::size_t>(call.indices.back());
    call.indices.back() = index < names_->reaction_of_joint.size() ? names_->reaction_of_joint[index] : -1;
    if (call.indices.back() >= 0) return;
    place_ = place;
    fail(fmt::format("no [[sensor]] of type \"reaction\" looks at joint '{}'", joint));
  }

  void parse_axis(Expression& call) {
    const std::string_view axes = "xyz";
    const bool is_axis =
        here().kind == Token::Kind::word && here().text.size() == 1 && axes.find(here().text) != axes.npos;
    if (!is_axis) fail("expected an axis: x, y or z");
    parse_name("axis", {"x", "y", "z"}, call);
  }

  void parse_name(const char* what, const std::vector<std::string>& known, Expression& call) {
    if (here().kind != Token::Kind::word && here().kind != Token::Kind::quoted)
      fail(fmt::format("expected the name of a {}", what));
    const auto found = std::find(known.begin(), known.end(), here().text);
    if (found == known.end())
      fail(fmt::format("there is no {} '{}'.{}", what, here().text, suggest_spelling(here().text, known)));
    call.indices.push_back(static_cast<int>(found - known.begin()));
    call.words.push_back(here().text);
    ++place_;
  }

  std::vector<Token> tokens_;
  const MeasureNames* names_;
  std::size_t place_ = 0;
  bool binds_count_ = false;
};

}  // namespace

Expression parse_expression(std::string_view text, const MeasureNames* names) { return Parser(text, names).parse(); }

}  // namespace abut
