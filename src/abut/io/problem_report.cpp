#include "abut/io/problem_report.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace abut {
namespace {

constexpr std::size_t kMostProblems = 20;
constexpr int kMostColumns = 100;

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

/// Characters of a UTF-8 line, one string each, tabs as one space: columns count characters.
std::vector<std::string> split_characters(std::string_view line) {
  std::vector<std::string> characters;
  for (const char c : line) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (continues && !characters.empty()) {
      characters.back() += c;
    } else {
      characters.emplace_back(1, c == '\t' ? ' ' : c);
    }
  }
  return characters;
}

std::string format_excerpt(const SourceLocation& where, std::string_view line) {
  const std::vector<std::string> characters = split_characters(line);
  const int size = static_cast<int>(characters.size());
  const int column = std::clamp(where.column, 1, size + 1);
  const int first = column > kMostColumns ? column - kMostColumns / 2 : 1;
  const int last = std::min(size, first + kMostColumns - 1);
  std::string shown;
  for (int c = first; c <= last; ++c) shown += characters[static_cast<std::size_t>(c - 1)];
  const int length = std::clamp(where.length, 1, std::max(1, last - column + 1));
  return fmt::format("{:>5} | {}\n{:>5} | {}{}\n", where.line, shown, "",
                     std::string(static_cast<std::size_t>(column - first), ' '),
                     std::string(static_cast<std::size_t>(length), '^'));
}

std::string format_problem(const Problem& problem, const std::vector<std::string_view>& lines) {
  const SourceLocation& where = problem.where;
  std::string text;
  if (where.line > 0) {
    text = fmt::format("{}:{}:{}: {}\n", where.file, where.line, where.column, problem.message);
    const std::size_t index = static_cast<std::size_t>(where.line - 1);
    if (index < lines.size()) text += format_excerpt(where, lines[index]);
  } else {
    text = where.file.empty() ? problem.message + "\n" : fmt::format("{}: {}\n", where.file, problem.message);
  }
  if (!problem.hint.empty()) text += problem.hint + "\n";
  return text;
}

}  // namespace

std::string format_problems(std::vector<Problem> problems, const std::string& text) {
  sort_problems(problems);
  const std::vector<std::string_view> lines = split_lines(text);
  std::string report;
  for (std::size_t i = 0; i < std::min(problems.size(), kMostProblems); ++i) {
    report += format_problem(problems[i], lines);
  }
  if (problems.size() > kMostProblems) report += fmt::format("... and {} more.\n", problems.size() - kMostProblems);
  return report + "Nothing was run.";
}

}  // namespace abut
