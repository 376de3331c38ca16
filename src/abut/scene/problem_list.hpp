#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "abut/base/error.hpp"
#include "abut/scene/field.hpp"
#include "abut/scene/validate.hpp"

namespace abut {

/// Collects the mistakes of one scene. Every check takes one, and a label such as "[[body]] 'ball'" to name its table.
class ProblemList {
 public:
  void add(const SourceLocation& where, std::string message, std::string hint = {}, std::string found = {},
           std::vector<std::string> allowed = {}) {
    problems_.push_back({where, std::move(message), std::move(hint), std::move(found), std::move(allowed)});
  }
  std::vector<Problem> take() { return std::move(problems_); }

 private:
  std::vector<Problem> problems_;
};

/// " Did you mean 'x'?" or nothing.
std::string suggest(std::string_view word, const std::vector<std::string>& candidates);

/// "a, b, c", at most twelve, then "and 5 more".
std::string list_names(const std::vector<std::string>& names);

/// "scene.toml:12", or "an earlier entry" for specs built in code.
std::string describe_place(const SourceLocation& where);

/// Mistakes of a scene without a text to show, one line each, "file:line:column: message", with its hint below.
InputError to_input_error(const std::vector<Problem>& problems);

}  // namespace abut
