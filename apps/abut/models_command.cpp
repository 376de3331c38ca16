#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/base/error.hpp"
#include "abut/base/spelling.hpp"
#include "abut/scene/law_catalogue.hpp"
#include "abut/sim/combination_page.hpp"
#include "commands.hpp"

namespace abut {

namespace {

constexpr const char* kCombinations = "combinations";

/// Words of the table of fields carry marks of Markdown.
std::string strip_marks(std::string text) {
  std::erase(text, '`');
  return text;
}

void print_law(const LawEntry& law) {
  fmt::print("{} ({} law)\n  {}\n\n  {}\n", law.text.name, law.family, law.text.doc, law.text.equation);
  if (!law.keys.empty())
    fmt::print("\n  {:<20} {:<10} {:<14} {:<18} {}\n", "key", "symbol", "unit", "range", "if not given");
  for (const LawKey& key : law.keys) {
    fmt::print("  {:<20} {:<10} {:<14} {:<18} {}\n      {}\n", key.key, key.symbol, key.unit, key.range,
               strip_marks(key.otherwise), strip_marks(key.doc));
  }
  fmt::print("\n  limits  {}\n  source  {}\n  page    docs/{}\n", law.text.limits, law.text.source,
             find_law_page(law.text));
}

int print_models(const std::string& name) {
  if (name.empty()) {
    for (const char* family : {"normal", "friction"}) {
      fmt::print("{} laws\n", family);
      for (const LawEntry& law : law_catalogue()) {
        if (law.family == std::string(family)) fmt::print("  {:<22} {}\n", law.text.name, law.text.doc);
      }
    }
    fmt::print("{}\n{}", describe_region_laws(), make_combination_overview());
    fmt::print("\nMore about one of them: abut models NAME\n");
    return 0;
  }
  if (name == kCombinations) {
    fmt::print("{}", make_combination_page());
    return 0;
  }
  const LawEntry* law = find_law(name);
  if (law == nullptr) {
    std::vector<std::string> names = {kCombinations};
    for (const LawEntry& entry : law_catalogue()) names.emplace_back(entry.text.name);
    const std::string nearest = nearest_spelling(name, names);
    throw InputError(fmt::format("no law is called '{}'.{} There are {}.", name,
                                 nearest.empty() ? "" : fmt::format(" Did you mean '{}'?", nearest),
                                 fmt::join(names, ", ")));
  }
  print_law(*law);
  return 0;
}

}  // namespace

void add_models_command(CLI::App& app, int& status) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("models", "every law with equation, parameters, units, range and source");
  command->add_option("name", *name, "one law, or combinations: which shapes may meet, as Markdown");
  command->callback([name, &status] { status = print_models(*name); });
}

}  // namespace abut
