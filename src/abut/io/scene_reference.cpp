#include "abut/io/scene_reference.hpp"

#include <array>
#include <concepts>
#include <optional>
#include <typeindex>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "abut/io/detail/toml_text.hpp"
#include "abut/scene/field_text.hpp"
#include "abut/scene/scene_spec.hpp"

namespace abut {
namespace {

const char* describe_kind(const double*) { return "number"; }
const char* describe_kind(const int*) { return "integer"; }
const char* describe_kind(const bool*) { return "true or false"; }
const char* describe_kind(const std::string*) { return "string"; }
const char* describe_kind(const Vec3*) { return "[x, y, z]"; }
const char* describe_kind(const Quat*) { return "[w, x, y, z]"; }
const char* describe_kind(const std::vector<double>*) { return "array of numbers"; }
const char* describe_kind(const std::vector<Vec3>*) { return "array of [x, y, z]"; }
const char* describe_kind(const std::array<std::string, 2>*) { return "two names"; }
const char* describe_kind(const std::vector<std::string>*) { return "array of strings"; }
const char* describe_kind(const InertiaSpec*) { return "3, 6 or 3 x 3 numbers"; }

template <class T>
std::string describe_kind(const T* value, const FieldInfo& info) {
  const std::string kind = describe_kind(value);
  if (!info.single) return kind;
  return fmt::format("{}, or {}", kind == "array of strings" ? "string" : "number", kind);
}

/// The sections in the order in which they are met; a table used in several places is described once.
class Reference {
 public:
  template <class Spec>
  void add_section(const std::string& title);

  template <class Spec>
  bool has_section() const {
    for (const std::type_index& type : types_) {
      if (type == std::type_index(typeid(Spec))) return true;
    }
    return false;
  }
  std::string text;

 private:
  std::vector<std::type_index> types_;
};

/// A bar within a cell would end it.
std::string escape_cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

/// Rows of one table, and the tables it refers to.
class RowCollector {
 public:
  RowCollector(Reference& reference, std::string path) : reference_(reference), path_(std::move(path)) {}

  template <class T>
  void operator()(const T& value, const FieldInfo& info) {
    add(value, info, info.required ? "**required**" : make_default(value, info));
  }

  template <class... Alternatives>
  void operator()(const std::variant<Alternatives...>&, const FieldInfo& info) {
    std::vector<std::string> tags = {fmt::format("`{}`", Alternatives::kTag)...};
    add_row(info, fmt::format("one of {}", fmt::join(tags, ", ")), "**required**");
    (add_alternative(Alternatives{}, info), ...);
  }

  std::string table() const {
    if (rows_.empty()) return "No further keys.\n";
    return "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n" + rows_;
  }
  const std::string& alternatives() const { return alternatives_; }
  const std::vector<void (*)(Reference&, const std::string&)>& nested() const { return nested_; }
  const std::vector<std::string>& nested_titles() const { return nested_titles_; }

 private:
  template <class T>
  static std::string make_default(const T& value, const FieldInfo& info) {
    if constexpr (requires { value.has_value(); }) {
      const std::string text = describe_otherwise(info);
      return text.empty() ? "none" : text;
    } else if constexpr (requires { to_toml(value); }) {
      const std::string text = to_toml(value);
      if (text != "\"\"" && text != "[]") return fmt::format("`{}`", text);
      return info.otherwise[0] == '\0' ? "none" : info.otherwise;
    } else {
      return "none";
    }
  }

  void add_row(const FieldInfo& info, const std::string& kind, const std::string& fallback) {
    rows_ += fmt::format("| `{}` | {} | {} | {} | {} |\n", info.key, kind, info.unit, escape_cell(fallback),
                         escape_cell(info.doc));
  }

  template <class T>
  void add(const T& value, const FieldInfo& info, const std::string& fallback) {
    const std::string range = describe_range(info);
    add_row(info, fmt::format("{}{}{}", describe_kind(&value, info), range.empty() ? "" : " ", range), fallback);
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void add(const Enum&, const FieldInfo& info, const std::string& fallback) {
    std::vector<std::string> names;
    for (const EnumName<Enum>& entry : EnumNames<Enum>::values) names.push_back(fmt::format("`{}`", entry.name));
    add_row(info, fmt::format("one of {}", fmt::join(names, ", ")), fallback);
  }
  template <std::derived_from<Located> Spec>
  void add(const Spec&, const FieldInfo& info, const std::string& fallback) {
    add_table<Spec>(info, "table", fallback);
  }
  template <class T>
  void add(const std::optional<T>&, const FieldInfo& info, const std::string& fallback) {
    add(T{}, info, fallback);
  }
  template <std::derived_from<Located> Spec>
  void add(const std::vector<Spec>&, const FieldInfo& info, const std::string& fallback) {
    add_table<Spec>(info, info.single ? "table, or array of tables" : "array of tables", fallback);
  }
  template <class Spec>
  void add_table(const FieldInfo& info, const char* kind, const std::string& fallback) {
    add_row(info, kind, fallback);
    nested_titles_.push_back(path_.empty() ? std::string(info.key) : fmt::format("{}.{}", path_, info.key));
    nested_.push_back([](Reference& reference, const std::string& title) { reference.add_section<Spec>(title); });
  }
  template <class Alternative>
  void add_alternative(const Alternative& alternative, const FieldInfo& info) {
    RowCollector inner(reference_, path_);
    visit_fields(inner, alternative);
    alternatives_ +=
        fmt::format("\n`{} = \"{}\"`: {}\n\n{}", info.key, Alternative::kTag, Alternative::kDoc, inner.table());
  }

  Reference& reference_;
  std::string path_;
  std::string rows_, alternatives_;
  std::vector<std::string> nested_titles_;
  std::vector<void (*)(Reference&, const std::string&)> nested_;
};

template <class Spec>
void Reference::add_section(const std::string& title) {
  if (has_section<Spec>()) return;
  types_.emplace_back(typeid(Spec));
  RowCollector collector(*this, title);
  const Spec spec{};
  visit_fields(collector, spec);
  const std::string heading = title.empty() ? "## Top level" : fmt::format("### `{}`", title);
  text += fmt::format("{}\n\n{}{}\n", heading, collector.table(), collector.alternatives());
  for (std::size_t i = 0; i < collector.nested().size(); ++i)
    collector.nested()[i](*this, collector.nested_titles()[i]);
}

}  // namespace

std::string make_scene_reference() {
  Reference reference;
  reference.add_section<SceneSpec>("");
  return reference.text;
}

}  // namespace abut
