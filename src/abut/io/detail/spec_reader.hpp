#pragma once

#include <array>
#include <concepts>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "abut/io/detail/toml_value.hpp"
#include "abut/scene/field.hpp"
#include "abut/scene/problem_list.hpp"

namespace abut {

/// What all readers of one scene share.
struct ReadContext {
  std::string file;
  ProblemList problems;
};

/// "[kg]" after the kind of value, when the field has a unit.
std::string describe_expected(const char* kind, const FieldInfo& info);

/// Refusal of a word that is not among the allowed ones.
void refuse_word(const toml::node& node, const std::string& word, const FieldInfo& info, const std::string& label,
                 const std::vector<std::string>& allowed, const std::vector<std::string>& planned,
                 ReadContext& context);

/// Fills one spec from one TOML table by its table of fields. Every mistake is reported and skipped, so that all of
/// them come out together; the key is then marked as unusable in the spec.
class SpecReader {
 public:
  SpecReader(const toml::table& table, Located& owner, std::string label, ReadContext& context);

  /// Reads a spec as a whole: location, fields, unknown keys.
  template <std::derived_from<Located> Spec>
  static void read_spec(const toml::table& table, Spec& spec, const std::string& label, ReadContext& context) {
    spec.where = label.empty() ? SourceLocation{context.file, 0, 0, 0} : locate(table.source(), context.file);
    SpecReader reader(table, spec, label, context);
    visit_fields(reader, spec);
    if constexpr (requires { describe_normal_law(spec.law); }) {
      if (!spec.is_unusable("law") && spec.has_key("law")) reader.hint_ = describe_normal_law(spec.law);
    }
    reader.finish();
  }

  template <class T>
  void operator()(T& member, const FieldInfo& info) {
    const toml::node* node = find_node(info);
    if (node == nullptr) return;
    if (!read(*node, member, info)) owner_.unusable_keys.insert(info.key);
  }

  /// The tag chooses the alternative, whose fields are keys of this same table.
  template <class... Alternatives>
  void operator()(std::variant<Alternatives...>& variant, const FieldInfo& info) {
    const toml::node* node = find_node(info);
    const toml::value<std::string>* tag = node == nullptr ? nullptr : node->as_string();
    const bool is_known = tag != nullptr && (try_alternative<Alternatives>(variant, **tag) || ...);
    if (is_known) {
      subject_ = **tag;
      std::visit([this](auto& alternative) { visit_fields(*this, alternative); }, variant);
      return;
    }
    owner_.unusable_keys.insert(info.key);
    knows_keys_ = false;
    if (node == nullptr) {
      hint_ = fmt::format("{} takes: {}.", info.key, fmt::join(std::array{Alternatives::kTag...}, ", "));
      return;
    }
    if (tag == nullptr) {
      refuse(*node, info, "a string");
    } else {
      refuse_word(*node, **tag, info, label_, {Alternatives::kTag...}, {}, context_);
    }
  }

 private:
  const toml::node* find_node(const FieldInfo& info);
  void finish();
  /// Where each element of an array stands: the place of "key[2]".
  void note_places(const toml::node& node, const FieldInfo& info);
  void report_unknown_key(const toml::key& key, const toml::node& node);
  /// Always false, so that readers can `return refuse(...)`.
  bool refuse(const toml::node& node, const FieldInfo& info, const std::string& expected);
  std::string make_label(const FieldInfo& info) const;
  std::string make_entry_label(const FieldInfo& info, const toml::table& table) const;

  template <class Alternative, class Variant>
  static bool try_alternative(Variant& variant, const std::string& tag) {
    if (tag != Alternative::kTag) return false;
    variant.template emplace<Alternative>();
    return true;
  }

  template <class T>
  bool assign(T& member, std::optional<T> value, const toml::node& node, const FieldInfo& info, const char* kind) {
    if (!value) return refuse(node, info, describe_expected(kind, info));
    member = std::move(*value);
    return true;
  }

  bool read(const toml::node& node, double& member, const FieldInfo& info) {
    return assign(member, to_number(node), node, info, "a number");
  }
  bool read(const toml::node& node, int& member, const FieldInfo& info);
  bool read(const toml::node& node, bool& member, const FieldInfo& info) {
    return assign(member, node.value_exact<bool>(), node, info, "true or false");
  }
  bool read(const toml::node& node, std::string& member, const FieldInfo& info) {
    return assign(member, node.value_exact<std::string>(), node, info, "a string");
  }
  bool read(const toml::node& node, Vec3& member, const FieldInfo& info) {
    return assign(member, to_vector(node), node, info, "three numbers");
  }
  bool read(const toml::node& node, Quat& member, const FieldInfo& info) {
    return assign(member, to_quaternion(node), node, info, "four numbers (w, x, y, z)");
  }
  bool read(const toml::node& node, std::vector<double>& member, const FieldInfo& info) {
    if (const std::optional<double> number = to_number(node); info.single && number) {
      member = {*number};
      return true;
    }
    return assign(member, to_numbers(node), node, info, "an array of numbers");
  }
  bool read(const toml::node& node, std::vector<Vec3>& member, const FieldInfo& info) {
    return assign(member, to_vectors(node), node, info, "an array of [x, y, z]");
  }
  bool read(const toml::node& node, std::array<std::string, 2>& member, const FieldInfo& info) {
    return assign(member, to_pair(node), node, info, "two names");
  }
  bool read(const toml::node& node, std::vector<std::string>& member, const FieldInfo& info) {
    if (const toml::value<std::string>* word = node.as_string(); info.single && word != nullptr) {
      member = {**word};
      return true;
    }
    note_places(node, info);
    return assign(member, to_words(node), node, info, "an array of strings");
  }
  bool read(const toml::node& node, InertiaSpec& member, const FieldInfo& info) {
    return assign(member, to_inertia(node), node, info, "3 or 6 numbers or 3 rows of 3");
  }

  template <class Enum>
  requires std::is_enum_v<Enum>
  bool read(const toml::node& node, Enum& member, const FieldInfo& info) {
    const toml::value<std::string>* word = node.as_string();
    if (word == nullptr) return refuse(node, info, "a string");
    std::vector<std::string> names;
    for (const EnumName<Enum>& entry : EnumNames<Enum>::values) {
      names.emplace_back(entry.name);
      if (**word != entry.name) continue;
      member = entry.value;
      return true;
    }
    const auto& planned = EnumNames<Enum>::planned;
    refuse_word(node, **word, info, label_, names, {planned.begin(), planned.end()}, context_);
    return false;
  }

  template <class T>
  bool read(const toml::node& node, std::optional<T>& member, const FieldInfo& info) {
    return read(node, member.emplace(), info) || (member.reset(), false);
  }

  template <std::derived_from<Located> Spec>
  bool read(const toml::node& node, Spec& member, const FieldInfo& info) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return refuse(node, info, "a table");
    read_spec(*table, member, make_label(info), context_);
    return true;
  }

  template <std::derived_from<Located> Spec>
  bool read(const toml::node& node, std::vector<Spec>& member, const FieldInfo& info) {
    if (const toml::table* table = node.as_table(); table != nullptr && info.single) {
      read_spec(*table, member.emplace_back(), make_entry_label(info, *table), context_);
      return true;
    }
    const toml::array* array = node.as_array();
    if (array == nullptr) return refuse(node, info, fmt::format("an array of tables, written [[{}]]", info.key));
    bool is_good = true;
    for (const toml::node& element : *array) {
      if (const toml::table* table = element.as_table()) {
        read_spec(*table, member.emplace_back(), make_entry_label(info, *table), context_);
      } else {
        is_good = refuse(element, info, "an array of tables");
      }
    }
    return is_good;
  }

  const toml::table& table_;
  Located& owner_;
  std::string label_;
  std::string subject_;  ///< who takes the keys, in hints: the tag of a variant, else the label
  std::string hint_;     ///< replaces the list of keys
  ReadContext& context_;
  bool knows_keys_ = true;  ///< false when the tag is unknown: other keys cannot be judged
  std::vector<std::string> known_keys_;
  std::set<std::string> known_spellings_;  ///< keys and aliases
  std::vector<std::string> missing_keys_;
};

}  // namespace abut
