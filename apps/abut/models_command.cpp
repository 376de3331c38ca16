#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/base/error.hpp"
#include "abut/base/spelling.hpp"
#include "abut/contact/law/catalogue.hpp"
#include "abut/sim/combination_page.hpp"
#include "commands.hpp"

namespace abut {

namespace {

constexpr const char* kCombinations = "combinations";

void print_law(const LawInfo& law) {
  fmt::print("{} ({} law)\n  {}\n\n  {}\n", law.name, law.family, law.purpose, law.equation);
  if (!law.parameters.empty())
    fmt::print("\n  {:<20} {:<10} {:<14} {:<18} {}\n", "key", "symbol", "unit", "range", "if not given");
  for (const LawParameterInfo& p : law.parameters) {
    fmt::print("  {:<20} {:<10} {:<14} {:<18} {}\n      {}\n", p.key, p.symbol, p.unit, p.range, p.otherwise,
               p.purpose);
  }
  fmt::print("\n  limits  {}\n  source  {}\n  page    docs/{}\n", law.limits, law.source, law.page);
}

int print_models(const std::string& name) {
  if (name.empty()) {
    for (const char* family : {"normal", "friction"}) {
      fmt::print("{} laws\n", family);
      for (const LawInfo& law : law_catalogue()) {
        if (law.family == family) fmt::print("  {:<22} {}\n", law.name, law.purpose);
      }
    }
    fmt::print(
        "region = \"point\" takes all of them; region = \"volume\" and \"perimeter\" take normal laws hertz,\n"
        "  hunt-crossley, lankarani-nikravesh, flores, gonthier; volume friction none, coulomb, bristle; perimeter\n"
        "  friction none, coulomb, lugre (docs/theory/volume.md, docs/theory/perimeter.md)\n\n");
    fmt::print("{}", make_combination_overview());
    fmt::print("\nMore about one of them: abut models NAME\n");
    return 0;
  }
  if (name == kCombinations) {
    fmt::print("{}", make_combination_page());
    return 0;
  }
  const LawInfo* law = find_law(name);
  if (law == nullptr) {
    std::vector<std::string> names = {kCombinations};
    for (const LawInfo& entry : law_catalogue()) names.push_back(entry.name);
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
