#include "abut/door/c/pair_texts.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "abut/errors.hpp"
#include "abut/io/problem_report.hpp"

namespace abut::c {

namespace {

struct Part {
  const char* name;
  const char* head;  ///< lines before the text
  const std::string& text;
  int first = 0;  ///< line of the whole that the text begins in
  int last = 0;
};

int count_lines(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

/// The same with the places of the texts instead of those of the whole, and the lines of the texts beside them.
InputError place_in_texts(const InputError& error, const std::vector<Part>& parts) {
  std::vector<Mistake> mistakes = error.mistakes();
  std::string report;
  for (Mistake& mistake : mistakes) {
    const auto part = std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return mistake.line <= p.last; });
    if (mistake.line == 0 || part == parts.end()) {
      report += mistake.message + "\n";
      continue;
    }
    mistake.file = part->name;
    mistake.line = std::max(mistake.line - part->first + 1, 0);  // the head is not the caller's
    if (mistake.line == 0) mistake.column = 0;
    const std::string shown =
        format_problems({{{mistake.file, mistake.line, mistake.column, static_cast<int>(mistake.found.size())},
                          mistake.message,
                          mistake.hint}},
                        part->text);
    report += shown.substr(0, shown.rfind('\n') + 1);  // without its closing line
  }
  while (report.ends_with('\n')) report.pop_back();
  return InputError(report, std::move(mistakes));
}

}  // namespace

v0::ContactPair read_pair_texts(const std::string& body_a, const std::string& body_b, const std::string& contact) {
  std::vector<Part> parts = {{"body_a", "[run]\nduration = 1\n[[body]]\nname = \"a\"\n", body_a},
                             {"body_b", "[[body]]\nname = \"b\"\n", body_b},
                             {"contact", "[[contact]]\nbetween = [\"a\", \"b\"]\n", contact}};
  std::string whole;
  for (Part& part : parts) {
    whole += part.head;
    part.first = count_lines(whole) + 1;
    whole += part.text + "\n";
    part.last = count_lines(whole);
  }
  try {
    return v0::ContactPair(v0::Scene::read_text(whole, "pair"), "a", "b");
  } catch (const InputError& error) {
    throw place_in_texts(error, parts);
  }
}

}  // namespace abut::c
