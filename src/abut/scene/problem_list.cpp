#include "abut/scene/problem_list.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "abut/base/spelling.hpp"

namespace abut {

std::string suggest(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_spelling(word, candidates);
  return nearest.empty() ? std::string() : fmt::format(" Did you mean '{}'?", nearest);
}

std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 12;
  const std::size_t shown = std::min(names.size(), kMost);
  std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<long>(shown), ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string describe_place(const SourceLocation& where) {
  if (!where.is_known()) return "an earlier entry";
  return where.line > 0 ? fmt::format("{}:{}", where.file, where.line) : where.file;
}

InputError to_input_error(const std::vector<Problem>& problems) {
  std::string report;
  std::vector<Mistake> mistakes;
  for (const Problem& problem : problems) {
    const SourceLocation& where = problem.where;
    if (!report.empty()) report += "\n";
    if (where.line > 0) {
      report += fmt::format("{}:{}:{}: ", where.file, where.line, where.column);
    } else if (!where.file.empty()) {
      report += where.file + ": ";
    }
    report += problem.message;
    if (!problem.hint.empty()) report += "\n" + problem.hint;
    mistakes.push_back(
        {where.file, where.line, where.column, problem.message, problem.hint, problem.found, problem.allowed});
  }
  return InputError(report, std::move(mistakes));
}

void sort_problems(std::vector<Problem>& problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.where.line, a.where.column) < std::tie(b.where.line, b.where.column);
  });
}

}  // namespace abut
