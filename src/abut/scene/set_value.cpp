#include "abut/scene/set_value.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/base/error.hpp"
#include "abut/scene/check_fields.hpp"
#include "abut/scene/detail/exchange_alternative.hpp"
#include "abut/scene/detail/taken_value.hpp"
#include "abut/scene/scene_path.hpp"

namespace abut {
namespace {

template <class T>
std::vector<std::string> words_of() {
  std::vector<std::string> names;
  for (const EnumName<T>& entry : EnumNames<T>::values) names.emplace_back(entry.name);
  return names;
}

/// Goes down one path and sets what lies at its end.
class Setter {
 public:
  Setter(std::vector<std::string> parts, const KeyValue& value, SourceLocation place)
      : parts_(std::move(parts)), value_(value), place_(std::move(place)) {}

  /// parts_[depth] names a key of the spec.
  template <class Spec>
  void enter(Spec& spec, const std::string& label, std::size_t depth) {
    KeyFinder finder{*this, spec, label, depth};
    visit_fields(finder, spec);
    if (finder.found) return;
    KeyLister lister;
    visit_fields(lister, std::as_const(spec));
    const std::string place = label.empty() ? "the scene" : label;
    refuse(fmt::format("unknown key '{}' in {}.{}", parts_[depth], place, suggest(parts_[depth], lister.keys)),
           fmt::format("{} takes: {}.", label.empty() ? "A scene" : label, fmt::join(lister.keys, ", ")), parts_[depth],
           lister.keys);
  }

 private:
  /// Finds the key in the table of fields.
  struct KeyFinder {
    Setter& setter;
    Located& owner;
    const std::string& label;
    std::size_t depth;
    bool found = false;

    bool is_named(const FieldInfo& info) const {
      const std::string& part = setter.parts_[depth];
      return !found && (part == info.key || (info.alias[0] != '\0' && part == info.alias));
    }
    template <class T>
    void operator()(T& member, const FieldInfo& info) {
      if (!is_named(info)) return;
      found = true;
      setter.reach(member, info, owner, label, depth);
    }
    template <class... Alternatives>
    void operator()(std::variant<Alternatives...>& variant, const FieldInfo& info) {
      if (is_named(info)) {
        found = true;
        setter.choose(variant, info, owner, label);
        return;
      }
      if (found) return;
      std::visit([this](auto& alternative) { enter_alternative(alternative); }, variant);
    }
    template <class Alternative>
    void enter_alternative(Alternative& alternative) {
      visit_fields(*this, alternative);
      if constexpr (requires { alternative.data.reset(); }) {
        const std::string& key = setter.parts_[depth];
        if (found && (key == "file" || key == "scale" || key == "weld")) alternative.data.reset();
      }
    }
  };

  bool is_end(std::size_t depth) const { return depth + 1 == parts_.size(); }

  /// The member that parts_[depth] names.
  template <class T>
  void reach(T& member, const FieldInfo& info, Located& owner, const std::string& label, std::size_t depth) {
    if (!is_end(depth)) {
      into(member, info, owner, label, depth + 1);
    } else if constexpr (std::is_enum_v<T>) {
      assign(member, choose_word<T>(info, label), info, owner, label);
    } else if constexpr (Takeable<T>) {
      std::optional<T> taken = Taken<T>::from(value_);
      if (!taken && info.single) taken = take_single<T>();
      if (!taken) refuse_kind(Taken<T>::kKind, info, label);
      assign(member, *taken, info, owner, label);
    } else {
      refuse(fmt::format("{} in {} is not one value", info.key, label.empty() ? "the scene" : label),
             "Set what lies in it, one by one.");
    }
  }

  /// A list with one entry, where one value may stand for it.
  template <class T>
  std::optional<T> take_single() const {
    if constexpr (std::is_same_v<T, std::vector<std::string>>) {
      if (const auto* word = std::get_if<std::string>(&value_)) return T{*word};
    }
    if constexpr (std::is_same_v<T, std::vector<double>>) {
      if (const auto* number = std::get_if<double>(&value_)) return T{*number};
    }
    return std::nullopt;
  }

  template <class T>
  void reach(std::optional<T>& member, const FieldInfo& info, Located& owner, const std::string& label,
             std::size_t depth) {
    if (member) return reach(*member, info, owner, label, depth);
    T fresh{};
    reach(fresh, info, owner, label, depth);
    if constexpr (std::derived_from<T, Located>) require_keys(fresh, inner_label(info, label));
    member = std::move(fresh);
  }

  /// What of a table just begun has to be given and is not.
  template <class Spec>
  void require_keys(const Spec& spec, const std::string& label) {
    MissingKey missing{spec};
    visit_fields(missing, spec);
    if (!missing.name.empty())
      refuse(fmt::format("{} is not in the scene, and needs '{}' before all", label, missing.name));
  }

  static std::string inner_label(const FieldInfo& info, const std::string& label) {
    return label.empty() ? fmt::format("[{}]", info.key) : fmt::format("{} {}", label, info.key);
  }

  /// parts_[depth] names something within the member.
  template <class T>
  void into(T& member, const FieldInfo& info, Located& owner, const std::string& label, std::size_t depth) {
    if constexpr (std::derived_from<T, Located>) {
      enter(member, inner_label(info, label), depth);
      begin(owner, info);
    } else if constexpr (std::is_same_v<T, Vec3> || std::is_same_v<T, std::vector<double>>) {
      T changed = member;
      component(changed, static_cast<std::size_t>(changed.size()), info, label, depth);
      assign(member, changed, info, owner, label);
    } else if constexpr (std::is_same_v<T, std::vector<Vec3>>) {
      T changed = member;
      const std::optional<std::size_t> row = to_index(parts_[depth]);
      if (!row || *row >= changed.size()) refuse_index(info, changed.size(), label, depth);
      if (is_end(depth)) {
        const std::optional<Vec3> taken = Taken<Vec3>::from(value_);
        if (!taken) refuse_kind(Taken<Vec3>::kKind, info, label);
        changed[*row] = *taken;
      } else {
        component(changed[*row], 3, info, label, depth + 1);
      }
      assign(member, changed, info, owner, label);
    } else {
      refuse(fmt::format("'{}' has no parts in {}", info.key, label.empty() ? "the scene" : label));
    }
  }

  template <std::derived_from<Located> Spec>
  void into(std::vector<Spec>& specs, const FieldInfo& info, Located&, const std::string& label, std::size_t depth) {
    const std::optional<std::size_t> index = find_entry(specs, parts_[depth]);
    if (index && !is_end(depth)) {
      return enter(specs[*index], label_entry(label, info.key, specs[*index]), depth + 1);
    }
    if (info.single && specs.size() == 1 && !index) {
      return enter(specs.front(), label_entry(label, info.key, specs.front()), depth);
    }
    const std::vector<std::string> names = entry_names(specs);
    if (index) refuse(fmt::format("'{}' is a table, not one value", parts_[depth]), "Set what lies in it, one by one.");
    refuse(fmt::format("there is no '{}' in '{}'.{}", parts_[depth], info.key, suggest(parts_[depth], names)),
           names.empty() ? "It is empty." : fmt::format("There are {}: {}.", names.size(), list_names(names)),
           parts_[depth], names);
  }

  template <class Numbers>
  void component(Numbers& numbers, std::size_t size, const FieldInfo& info, const std::string& label,
                 std::size_t depth) {
    const std::optional<std::size_t> index = to_index(parts_[depth]);
    if (!index || *index >= size || !is_end(depth)) refuse_index(info, size, label, depth);
    const std::optional<double> number = as_number(value_);
    if (!number) refuse_kind(Taken<double>::kKind, info, label);
    numbers[static_cast<long>(*index)] = *number;
  }

  /// The alternative of a variant that the value names, with what was given to the former one.
  template <class... Alternatives>
  void choose(std::variant<Alternatives...>& variant, const FieldInfo& info, Located& owner, const std::string& label) {
    const std::string* word = std::get_if<std::string>(&value_);
    if (word == nullptr) refuse_kind("a string", info, label);
    const bool is_known = (exchange_alternative<Alternatives>(variant, *word, info, owner, label) || ...);
    if (!is_known) refuse_word(*word, info, label, {Alternatives::kTag...});
    begin(owner, info);
  }

  template <class Enum>
  Enum choose_word(const FieldInfo& info, const std::string& label) {
    const std::string* word = std::get_if<std::string>(&value_);
    if (word == nullptr) refuse_kind("a string", info, label);
    for (const EnumName<Enum>& entry : EnumNames<Enum>::values) {
      if (*word == entry.name) return entry.value;
    }
    refuse_word(*word, info, label, words_of<Enum>());
  }

  void begin(Located& owner, const FieldInfo& info) const {
    if (!owner.has_key(info.key)) owner.key_locations[info.key] = place_;
  }

  template <class T>
  void assign(T& member, const T& taken, const FieldInfo& info, Located& owner, const std::string& label) {
    ProblemList problems;
    FieldChecker checker(owner, label, problems);
    checker(taken, info);
    const std::vector<Problem> found = problems.take();
    if (!found.empty()) refuse(found[0].message, found[0].hint, found[0].found, found[0].allowed);
    member = taken;
    owner.key_locations[info.key] = place_;
  }

  [[noreturn]] void refuse_kind(const char* kind, const FieldInfo& info, const std::string& label) const {
    const std::string unit = info.unit;
    const std::string expected = unit.empty() || unit == "1" ? std::string(kind) : fmt::format("{} [{}]", kind, unit);
    refuse(fmt::format("{} must be {}, found {} in {}", info.key, expected, describe_value(value_),
                       label.empty() ? "the scene" : label),
           {}, describe_value(value_), {expected});
  }
  [[noreturn]] static void refuse_word(const std::string& word, const FieldInfo& info, const std::string& label,
                                       const std::vector<std::string>& allowed) {
    refuse(fmt::format("unknown {} '{}' in {}.{}", info.key, word, label, suggest(word, allowed)),
           fmt::format("{} takes: {}.", info.key, fmt::join(allowed, ", ")), word, allowed);
  }
  [[noreturn]] void refuse_index(const FieldInfo& info, std::size_t size, const std::string& label,
                                 std::size_t depth) const {
    refuse(fmt::format("'{}' has no part '{}' in {}", info.key, parts_[depth], label.empty() ? "the scene" : label),
           size == 0 ? "It is empty." : fmt::format("Its numbers are {0}[0] to {0}[{1}].", info.key, size - 1));
  }

  const std::vector<std::string> parts_;
  const KeyValue& value_;
  const SourceLocation place_;
};

}  // namespace

std::string describe_value(const KeyValue& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using T = std::remove_cvref_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::string>) return fmt::format("\"{}\"", v);
        if constexpr (std::is_same_v<T, std::vector<std::string>>)
          return fmt::format("[\"{}\"]", fmt::join(v, "\", \""));
        if constexpr (std::is_same_v<T, std::vector<double>>) return fmt::format("[{}]", fmt::join(v, ", "));
        if constexpr (std::is_arithmetic_v<T>) return fmt::format("{}", v);
      },
      value);
}

void set(SceneSpec& scene, std::string_view path, const KeyValue& value) {
  const SourceLocation place{fmt::format("{} = {}", path, describe_value(value)), 0, 0, 0};
  try {
    std::vector<std::string> parts = split_path(path);
    if (parts.empty())
      refuse("this is not a path", "For example body.ball.mass or contact[0].normal.stiffness.", std::string(path));
    Setter(std::move(parts), value, place).enter(scene, "", 0);
  } catch (Refusal& refusal) {
    throw to_input_error({{place, std::move(refusal.message), std::move(refusal.hint), std::move(refusal.found),
                           std::move(refusal.allowed)}});
  }
}

}  // namespace abut
