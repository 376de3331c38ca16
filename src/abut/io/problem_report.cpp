#include "abut/io/problem_report.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

#include <fmt/format.h>

namespace abut {
namespace {

constexpr std::size_t kMostProblems = 20;
constexpr int kMostColumns = 100;
constexpr std::string_view kNothingWasRun = "Nothing was run.";

std::vector<std::string_view> split_lines(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
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

/// Takes "17:" off the front.
bool take_number(std::string_view& text, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data() + text.size() || *end != ':') return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return true;
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

/// A name may hold any character the file spells out; none of them may reach the terminal as a command.
std::string escape_controls(const std::string& text) {
  std::string shown;
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n') || byte == 0x7F) {
      shown += fmt::format("\\x{:02x}", byte);
    } else {
      shown += c;
    }
  }
  return shown;
}

/// A name may have any length; who reads the message needs its two ends.
std::string shorten(const std::string& text) {
  constexpr std::size_t kMostBytes = 800, kEndBytes = 200;
  if (text.size() <= kMostBytes) return text;
  const auto is_inside = [&text](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; };
  std::size_t first = kMostBytes - kEndBytes, last = text.size() - kEndBytes;
  while (first > 0 && is_inside(first)) --first;
  while (last < text.size() && is_inside(last)) ++last;
  return fmt::format("{} ... {}", text.substr(0, first), text.substr(last));
}

std::string format_problem(const Problem& problem, const std::vector<std::string_view>& lines) {
  const SourceLocation& where = problem.where;
  std::string text;
  if (where.line > 0) {
    text =
        fmt::format("{}:{}:{}: {}\n", where.file, where.line, where.column, escape_controls(shorten(problem.message)));
    const std::size_t index = static_cast<std::size_t>(where.line - 1);
    if (index < lines.size()) text += format_excerpt(where, lines[index]);
  } else {
    text = escape_controls(where.file.empty() ? shorten(problem.message)
                                              : fmt::format("{}: {}", where.file, shorten(problem.message))) +
           "\n";
  }
  if (!problem.hint.empty()) text += escape_controls(shorten(problem.hint)) + "\n";
  return text;
}

}  // namespace

std::string format_problems(std::vector<Problem> problems, const std::string& text,
                            const std::map<std::string, std::string>& others) {
  sort_problems(problems);
  const std::vector<std::string_view> lines = split_lines(text);
  std::string report;
  for (std::size_t i = 0; i < std::min(problems.size(), kMostProblems); ++i) {
    const auto other = others.find(problems[i].where.file);
    report += format_problem(problems[i], other == others.end() ? lines : split_lines(other->second));
  }
  if (problems.size() > kMostProblems) report += fmt::format("... and {} more.\n", problems.size() - kMostProblems);
  return report.append(kNothingWasRun);
}

InputError make_input_error(std::vector<Problem> problems, const std::string& text,
                            const std::map<std::string, std::string>& others) {
  sort_problems(problems);
  std::vector<Mistake> mistakes;
  for (const Problem& problem : problems) {
    const SourceLocation& where = problem.where;
    mistakes.push_back(
        {where.file, where.line, where.column, problem.message, problem.hint, problem.found, problem.allowed});
  }
  return InputError(format_problems(std::move(problems), text, others), std::move(mistakes));
}

std::string add_source_line(const std::string& message, const std::string& file, const std::string& text) {
  const std::size_t first_end = std::min(message.find('\n'), message.size());
  std::string_view head = std::string_view(message).substr(0, first_end);
  Problem problem;
  problem.hint = message.substr(std::min(first_end + 1, message.size()));
  if (problem.hint.ends_with(kNothingWasRun)) problem.hint.erase(problem.hint.size() - kNothingWasRun.size());
  if (problem.hint.ends_with('\n')) problem.hint.pop_back();
  if (head.starts_with(file + ":")) {
    head.remove_prefix(file.size() + 1);
    SourceLocation where{file, 0, 0, std::numeric_limits<int>::max()};
    const bool has_line = take_number(head, where.line) && take_number(head, where.column);
    problem.where = has_line ? where : SourceLocation{file, 0, 0, 0};
  } else if (!head.starts_with("--set ")) {
    problem.where.file = file;
  }
  while (head.starts_with(' ')) head.remove_prefix(1);
  problem.message = std::string(head);
  return format_problems({problem}, text);
}

}  // namespace abut
