#include "abut/scene/law_catalogue.hpp"

#include <algorithm>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/scene/field_text.hpp"
#include "abut/scene/friction_spec.hpp"
#include "abut/scene/normal_spec.hpp"

namespace abut {

namespace {

template <class T>
struct Unwrapped {
  using Type = T;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  using Type = T;
};

template <class Enum>
std::string list_names() {
  std::vector<const char*> names;
  for (const auto& [value, name] : EnumNames<Enum>::values) names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

template <class T>
std::string describe_values(const FieldInfo& info) {
  if constexpr (std::is_enum_v<T>) {
    return list_names<T>();
  } else if constexpr (std::is_same_v<T, double>) {
    return describe_range(info);
  } else {
    return "table";
  }
}

/// What stands for a value that is not given: by the table of fields, else what a new specification holds.
template <class T>
std::string describe_default(const T& value, const FieldInfo& info) {
  if constexpr (std::is_enum_v<T>) {
    return enum_name(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return fmt::format("{:g}", value);
  } else {
    return describe_otherwise(info);
  }
}

struct KeyCollector {
  std::vector<LawKey> keys;

  template <class T>
  void operator()(const T& value, const FieldInfo& info) {
    const std::string unit = info.unit[0] == '\0' || std::string_view(info.unit) == "1" ? "-" : info.unit;
    keys.push_back({info.key, info.symbol[0] == '\0' ? info.key : info.symbol, unit,
                    describe_values<typename Unwrapped<T>::Type>(info), describe_default(value, info), info.doc});
  }
};

/// The table of fields is that of all normal laws; what a row narrows is put in place.
void narrow(const NormalLawRow& row, LawKey& key) {
  if (key.key == "exponent") {
    key.range = fmt::format(">= {:g}, <= {:g}", row.least_exponent, kMostExponent);
    key.otherwise = fmt::format("{:g}", row.exponent);
  } else if (key.key == "damping") {
    key.unit = describe_damping_unit(row);
    key.doc = "Damping coefficient, used as it is.";
  } else if (key.key == "restitution") {
    key.range = fmt::format("{} {:g}, <= 1", row.excludes_least ? ">" : ">=", row.least_restitution);
  }
  constexpr std::string_view kOr = ", or damping";
  if (!row.takes_coefficient && key.otherwise.ends_with(kOr)) key.otherwise.resize(key.otherwise.size() - kOr.size());
}

LawEntry make_entry(const NormalLawRow& row) {
  KeyCollector all;
  const NormalSpec spec;
  visit_fields(all, spec);
  LawEntry entry = {row.text, "normal", is_proportional(row), is_proportional(row), {}};
  for (LawKey& key : all.keys) {
    if (key.key == "law" || !takes_key(row, key.key)) continue;
    narrow(row, key);
    entry.keys.push_back(std::move(key));
  }
  return entry;
}

template <class Spec>
LawEntry make_entry(const Spec& spec) {
  constexpr FrictionLawRow kRow = Spec::kRow;
  KeyCollector all;
  visit_fields(all, spec);
  for (LawKey& key : all.keys) {
    if (key.key == kRow.coefficients.stuck) key.range = fmt::format(">= {}", kRow.coefficients.sliding);
  }
  return {kRow.text, "friction", kRow.has_volume_form, kRow.has_perimeter_form, std::move(all.keys)};
}

/// A bar within a cell would end it.
std::string escape_cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string list_laws(const char* family, bool LawEntry::*has_form) {
  std::vector<const char*> names;
  for (const LawEntry& law : law_catalogue()) {
    if (law.family == std::string_view(family) && law.*has_form) names.push_back(law.text.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

const std::vector<LawEntry>& law_catalogue() {
  static const std::vector<LawEntry> laws = [] {
    std::vector<LawEntry> all;
    for (const NormalLawRow& row : kNormalLaws) all.push_back(make_entry(row));
    for_each_friction_law([&all](const auto& spec) { all.push_back(make_entry(spec)); });
    return all;
  }();
  return laws;
}

const LawEntry* find_law(std::string_view name) {
  const auto& laws = law_catalogue();
  const auto at = std::find_if(laws.begin(), laws.end(), [&](const LawEntry& law) { return name == law.text.name; });
  return at == laws.end() ? nullptr : &*at;
}

std::string make_key_table(const LawEntry& law) {
  if (law.keys.empty()) return "";
  std::string table = "| key | symbol | unit | range | if not given | meaning |\n|---|---|---|---|---|---|\n";
  for (const LawKey& key : law.keys) {
    table += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", key.key, key.symbol, key.unit, key.range,
                         escape_cell(key.otherwise), escape_cell(key.doc));
  }
  return table;
}

std::string make_law_table(std::string_view family) {
  std::string table =
      fmt::format("| {} law | equation | what it is for | limits | source |\n|---|---|---|---|---|\n", family);
  for (const LawEntry& law : law_catalogue()) {
    if (law.family != family) continue;
    const std::string page = find_law_page(law.text);
    table += fmt::format("| [{}]({}) | {} | {} | {} | {} |\n", law.text.name, page.substr(page.find('/') + 1),
                         escape_cell(law.text.equation), escape_cell(law.text.doc), escape_cell(law.text.limits),
                         law.text.source);
  }
  return table;
}

std::string describe_region_laws() {
  std::string text = "region = \"point\" takes all laws\n";
  for (const auto& [region, has_form] :
       {std::pair{"volume", &LawEntry::has_volume_form}, std::pair{"perimeter", &LawEntry::has_perimeter_form}}) {
    text += fmt::format("region = \"{0}\" takes normal laws {1}\n  and friction laws {2} (docs/theory/{0}.md)\n",
                        region, list_laws("normal", has_form), list_laws("friction", has_form));
  }
  return text;
}

}  // namespace abut
