#include "abut/io/scene_writer.hpp"

#include <algorithm>
#include <concepts>
#include <optional>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "abut/io/detail/toml_text.hpp"

namespace abut {
namespace {

struct Entry {
  std::string key;
  std::string text;
  bool required = false;
};

template <class Spec>
std::vector<Entry> make_entries(const Spec& spec);

template <class Spec>
std::string make_inline_table(const Spec& spec) {
  std::string text;
  for (const Entry& entry : make_entries(spec)) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", entry.key, entry.text);
  }
  return "{ " + text + " }";
}

/// Collects the keys of one table with their values.
class EntryCollector {
 public:
  template <class T>
  void operator()(const T& value, const FieldInfo& info) {
    add(value, info);
  }
  std::vector<Entry> entries;

 private:
  template <class T>
  void add(const T& value, const FieldInfo& info) {
    entries.push_back({info.key, to_toml(value), info.required});
  }
  template <std::derived_from<Located> Spec>
  void add(const Spec& spec, const FieldInfo& info) {
    entries.push_back({info.key, make_inline_table(spec), info.required});
  }
  template <class T>
  void add(const std::optional<T>& value, const FieldInfo& info) {
    if (value) add(*value, info);
  }
  template <std::derived_from<Located> Spec>
  void add(const std::vector<Spec>& specs, const FieldInfo& info) {
    if (info.single && specs.size() == 1) return add(specs.front(), info);
    std::string text;
    for (const Spec& spec : specs) text += (text.empty() ? "" : ", ") + make_inline_table(spec);
    entries.push_back({info.key, "[" + text + "]", info.required});
  }
  template <class... Alternatives>
  void add(const std::variant<Alternatives...>& variant, const FieldInfo& info) {
    std::visit(
        [&](const auto& alternative) {
          entries.push_back({info.key, to_toml(std::string(alternative.kTag)), true});
          for (Entry& entry : make_entries(alternative)) entries.push_back({entry.key, entry.text, true});
        },
        variant);
  }
};

/// Entries that a reader would not supply by itself.
template <class Spec>
std::vector<Entry> make_entries(const Spec& spec) {
  EntryCollector given, defaults;
  visit_fields(given, spec);
  const Spec standard{};
  visit_fields(defaults, standard);
  std::vector<Entry> entries;
  for (const Entry& entry : given.entries) {
    const bool is_default = std::any_of(defaults.entries.begin(), defaults.entries.end(), [&](const Entry& other) {
      return other.key == entry.key && other.text == entry.text;
    });
    if (entry.required || !is_default) entries.push_back(entry);
  }
  return entries;
}

/// Top level: plain values first, then one section for each table.
class SceneWriter {
 public:
  template <class T>
  void operator()(const T& value, const FieldInfo& info) {
    add(value, info);
  }
  std::string text() const { return head_ + sections_; }

 private:
  template <class T>
  void add(const T& value, const FieldInfo& info) {
    head_ += fmt::format("{} = {}\n", info.key, to_toml(value));
  }
  template <std::derived_from<Located> Spec>
  void add(const Spec& spec, const FieldInfo& info) {
    // A table that says nothing, as [lcp] under another method, is left out.
    if (info.required || !make_entries(spec).empty()) add_section(fmt::format("[{}]", info.key), spec);
  }
  template <class T>
  void add(const std::optional<T>& value, const FieldInfo& info) {
    if (value) add(*value, info);
  }
  template <std::derived_from<Located> Spec>
  void add(const std::vector<Spec>& specs, const FieldInfo& info) {
    for (const Spec& spec : specs) add_section(fmt::format("[[{}]]", info.key), spec);
  }
  template <class Spec>
  void add_section(const std::string& title, const Spec& spec) {
    sections_ += "\n" + title + "\n";
    for (const Entry& entry : make_entries(spec)) sections_ += fmt::format("{} = {}\n", entry.key, entry.text);
  }

  std::string head_, sections_;
};

}  // namespace

std::string scene_to_toml(const SceneSpec& scene) {
  SceneWriter writer;
  visit_fields(writer, scene);
  return writer.text();
}

}  // namespace abut
