#include "scene_values.hpp"

#include <array>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <pybind11/stl.h>

#include "abut/door/parts.hpp"
#include "abut/scene/scene_spec.hpp"

namespace abut {

namespace py = pybind11;

namespace {

template <class Spec>
py::dict spec_to_dict(const Spec& spec);

py::object to_object(const Vec3& v) { return py::cast(std::array{v.x(), v.y(), v.z()}); }
py::object to_object(const Quat& q) { return py::cast(std::array{q.w(), q.x(), q.y(), q.z()}); }
py::object to_object(const InertiaSpec& inertia) { return py::cast(inertia.numbers); }
template <class T>
requires std::is_arithmetic_v<T> py::object to_object(T value) { return py::cast(value); }
template <class T>
requires std::is_enum_v<T> py::object to_object(T value) { return py::str(enum_name(value)); }
py::object to_object(const std::string& text) { return py::str(text); }
py::object to_object(const std::array<std::string, 2>& names) { return py::cast(names); }
py::object to_object(const std::vector<std::string>& names) { return py::cast(names); }
template <std::derived_from<Located> Spec>
py::object to_object(const Spec& spec) {
  return spec_to_dict(spec);
}
template <class T>
py::object to_object(const std::optional<T>& value) {
  return value ? to_object(*value) : py::none();
}
template <class T>
py::object to_object(const std::vector<T>& values) {
  py::list list;
  for (const T& value : values) list.append(to_object(value));
  return list;
}

class DictMaker {
 public:
  template <class T>
  void operator()(const T& value, const FieldInfo& info) {
    dict[info.key] = to_object(value);
  }
  template <class... Alternatives>
  void operator()(const std::variant<Alternatives...>& chosen, const FieldInfo& info) {
    std::visit(
        [&](const auto& alternative) {
          dict[info.key] = std::remove_cvref_t<decltype(alternative)>::kTag;
          visit_fields(*this, alternative);
        },
        chosen);
  }
  py::dict dict;
};

template <class Spec>
py::dict spec_to_dict(const Spec& spec) {
  DictMaker maker;
  visit_fields(maker, spec);
  return maker.dict;
}

// What kind of value a field takes, in the words of Python's type hints.
std::string kind_of(const double*) { return "float"; }
std::string kind_of(const int*) { return "int"; }
std::string kind_of(const bool*) { return "bool"; }
std::string kind_of(const std::string*) { return "str"; }
std::string kind_of(const Vec3*) { return "Sequence[float]"; }
std::string kind_of(const Quat*) { return "Sequence[float]"; }
std::string kind_of(const std::vector<double>*) { return "Sequence[float]"; }
std::string kind_of(const std::vector<Vec3>*) { return "Sequence[Sequence[float]]"; }
std::string kind_of(const InertiaSpec*) { return "Sequence[float] | Sequence[Sequence[float]]"; }
std::string kind_of(const std::vector<std::string>*) { return "Sequence[str]"; }
std::string kind_of(const std::array<std::string, 2>*) { return "Sequence[str]"; }
template <class Enum>
requires std::is_enum_v<Enum> std::string kind_of(const Enum*) {
  std::string names;
  for (const auto& entry : EnumNames<Enum>::values)
    names += (names.empty() ? "\"" : ", \"") + std::string(entry.name) + "\"";
  return "Literal[" + names + "]";
}
template <std::derived_from<Located> Spec>
std::string kind_of(const Spec*) {
  return "Mapping[str, Any]";
}
template <class T>
std::string kind_of(const std::optional<T>*) {
  return kind_of(static_cast<const T*>(nullptr));
}
template <std::derived_from<Located> Spec>
std::string kind_of(const std::vector<Spec>*) {
  return "Sequence[Mapping[str, Any]]";
}

class TableMaker {
 public:
  TableMaker(std::string path_in, py::dict all_in) : path(std::move(path_in)), all(std::move(all_in)) {}

  template <class T>
  void operator()(const T& value, const FieldInfo& info) {
    add(kind_of(&value), info);
    enter(&value, info);
  }
  template <class... Alternatives>
  void operator()(const std::variant<Alternatives...>&, const FieldInfo& info) {
    std::string words;
    const auto enter_form = [&]<class Form>(const Form& form) {
      words += (words.empty() ? "\"" : ", \"") + std::string(Form::kTag) + "\"";
      TableMaker inner(path + "." + Form::kTag, all);
      visit_fields(inner, form);
      inner.finish(Form::kDoc, info.key);
    };
    (enter_form(Alternatives{}), ...);
    add("Literal[" + words + "]", info);
  }
  void finish(const char* doc, const char* tag) {
    using namespace py::literals;
    all[path.c_str()] = py::dict("doc"_a = doc, "tag"_a = tag, "fields"_a = fields);
  }

 private:
  void add(const std::string& kind, const FieldInfo& info) {
    using namespace py::literals;
    py::dict field("key"_a = info.key, "symbol"_a = info.symbol, "unit"_a = info.unit, "doc"_a = info.doc,
                   "minimum"_a = info.minimum, "maximum"_a = info.maximum, "exclusive"_a = info.exclusive,
                   "required"_a = info.required, "otherwise"_a = info.otherwise, "fallback"_a = info.fallback,
                   "alias"_a = info.alias, "single"_a = info.single, "kind"_a = kind);
    fields.append(field);
  }
  void enter(const void*, const FieldInfo&) {}
  template <std::derived_from<Located> Spec>
  void enter(const Spec*, const FieldInfo& info) {
    TableMaker inner(path.empty() ? info.key : path + "." + info.key, all);
    const Spec spec{};
    visit_fields(inner, spec);
    inner.finish(info.doc, "");
  }
  template <std::derived_from<Located> Spec>
  void enter(const std::optional<Spec>*, const FieldInfo& info) {
    enter(static_cast<const Spec*>(nullptr), info);
  }
  template <std::derived_from<Located> Spec>
  void enter(const std::vector<Spec>*, const FieldInfo& info) {
    enter(static_cast<const Spec*>(nullptr), info);
  }

  std::string path;
  py::dict all;
  py::list fields;
};

}  // namespace

py::dict to_dict(const v0::Scene& scene) { return spec_to_dict(v0::Inside::parts(scene).spec); }

py::dict make_field_tables() {
  py::dict all;
  TableMaker maker("", all);
  const SceneSpec spec{};
  visit_fields(maker, spec);
  maker.finish("A scene.", "");
  return all;
}

}  // namespace abut
