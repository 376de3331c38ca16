#include "abut/scene/method_list.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/scene/integrator_list.hpp"

namespace abut {

namespace {

std::string join_words(const std::vector<std::string>& words, const char* last_word) {
  if (words.size() < 2) return words.empty() ? std::string() : words[0];
  const std::vector<std::string> first(words.begin(), words.end() - 1);
  return fmt::format("{} {} {}", fmt::join(first, ", "), last_word, words.back());
}

/// "With explicit: euler, ..., rk5; auto means rk4." for each method that has integrators.
std::string describe_integrators() {
  std::string text;
  for (const MethodTraits& method : kMethods) {
    std::vector<std::string> names;
    for (const IntegratorRow& row : kIntegrators) {
      if (row.method == method.kind || (!row.method && method.automatic[0] == '\0')) names.emplace_back(row.name);
    }
    if (names.size() < 2) continue;
    text += fmt::format("{}With {}: {}", text.empty() ? "" : " ", method.name, fmt::join(names, ", "));
    text += method.automatic[0] == '\0' ? "." : fmt::format("; auto means {}.", method.automatic);
  }
  return text;
}

std::string describe_methods() {
  std::vector<std::string> sentences;
  for (const MethodTraits& method : kMethods) sentences.push_back(fmt::format("{}: {}", method.name, method.doc));
  return fmt::format("{}.", fmt::join(sentences, "; "));
}

/// "Fixed step; required with explicit; 0.001 with micro; refused with adaptive."
std::string describe_step() {
  std::vector<std::string> asking;
  std::string defaults;
  for (const MethodTraits& method : kMethods) {
    if (!method.has_fixed_step) continue;
    if (method.default_step == 0.0)
      asking.emplace_back(method.name);
    else
      defaults += fmt::format("; {:g} with {} unless given", method.default_step, method.name);
  }
  return fmt::format("Fixed step; required with {}{}; refused with {}.", join_words(asking, "and"), defaults,
                     list_methods(false));
}

}  // namespace

const MethodTraits* find_method(std::string_view name) {
  for (const MethodTraits& method : kMethods) {
    if (name == method.name) return &method;
  }
  return nullptr;
}

const MethodTraits* find_method_of_table(std::string_view key) {
  for (const MethodTraits& method : kMethods) {
    if (!key.empty() && key == method.table) return &method;
  }
  return nullptr;
}

std::string list_methods(bool has_fixed_step, const char* last_word) {
  std::vector<std::string> names;
  for (const MethodTraits& method : kMethods) {
    if (method.has_fixed_step == has_fixed_step) names.emplace_back(method.name);
  }
  return join_words(names, last_word);
}

const RunDocs& run_docs() {
  static const RunDocs docs = {describe_methods(), describe_integrators(), describe_step()};
  return docs;
}

}  // namespace abut
