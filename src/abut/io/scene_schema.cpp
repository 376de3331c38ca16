#include "abut/io/scene_schema.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <optional>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "abut/scene/scene_spec.hpp"

namespace abut {
namespace {

using Json = nlohmann::ordered_json;

template <class Spec>
Json make_object();

Json make_number(const FieldInfo& info) {
  Json json = {{"type", "number"}};
  if (std::isfinite(info.minimum)) json[info.exclusive ? "exclusiveMinimum" : "minimum"] = info.minimum;
  if (std::isfinite(info.maximum)) json["maximum"] = info.maximum;
  return json;
}

Json make_array(const Json& items, int minimum = 0, int maximum = -1) {
  Json json = {{"type", "array"}, {"items", items}};
  if (minimum > 0) json["minItems"] = minimum;
  if (maximum >= 0) json["maxItems"] = maximum;
  return json;
}

Json make_value(const double*, const FieldInfo& info) { return make_number(info); }
Json make_value(const int*, const FieldInfo& info) {
  Json json = make_number(info);
  json["type"] = "integer";
  return json;
}
Json make_value(const bool*, const FieldInfo&) { return {{"type", "boolean"}}; }
Json make_value(const std::string*, const FieldInfo& info) {
  Json json = {{"type", "string"}};
  if (info.required) json["minLength"] = 1;
  return json;
}
Json make_value(const Vec3*, const FieldInfo& info) { return make_array(make_number(info), 3, 3); }
Json make_value(const Quat*, const FieldInfo& info) { return make_array(make_number(info), 4, 4); }
/// An array of such items, or one alone where that may stand for it.
Json make_list(const Json& item, const FieldInfo& info) {
  if (!info.single) return make_array(item);
  Json forms = Json::array();
  forms.push_back(item);
  forms.push_back(make_array(item));
  return {{"oneOf", forms}};
}
Json make_value(const std::vector<double>*, const FieldInfo& info) { return make_list(make_number(info), info); }
Json make_value(const std::vector<Vec3>*, const FieldInfo& info) {
  return make_array(make_array(make_number(info), 3, 3));
}
Json make_value(const std::array<std::string, 2>*, const FieldInfo&) { return make_array({{"type", "string"}}, 2, 2); }
Json make_value(const std::vector<std::string>*, const FieldInfo& info) {
  return make_list({{"type", "string"}}, info);
}
Json make_value(const InertiaSpec*, const FieldInfo& info) {
  const Json number = make_number(info);
  Json forms = Json::array();
  forms.push_back(make_array(number, 3, 3));
  forms.push_back(make_array(number, 6, 6));
  forms.push_back(make_array(make_array(number, 3, 3), 3, 3));
  return {{"oneOf", forms}};
}
template <class Enum>
requires std::is_enum_v<Enum> Json make_value(const Enum*, const FieldInfo&) {
  Json names = Json::array();
  for (const EnumName<Enum>& entry : EnumNames<Enum>::values) names.push_back(entry.name);
  return {{"enum", names}};
}
template <std::derived_from<Located> Spec>
Json make_value(const Spec*, const FieldInfo&) {
  return make_object<Spec>();
}
template <class T>
Json make_value(const std::optional<T>*, const FieldInfo& info) {
  return make_value(static_cast<const T*>(nullptr), info);
}
template <std::derived_from<Located> Spec>
Json make_value(const std::vector<Spec>*, const FieldInfo& info) {
  const Json object = make_object<Spec>();
  const Json array = make_array(object, info.required ? 1 : 0);
  if (!info.single) return array;
  Json forms = Json::array();
  forms.push_back(object);
  forms.push_back(array);
  return {{"oneOf", forms}};
}

/// Collects the properties of one table; a variant multiplies the table into one form for each alternative.
class SchemaCollector {
 public:
  template <class T>
  void operator()(const T& value, const FieldInfo& info) {
    Json property = make_value(&value, info);
    const std::string unit = info.unit;
    property["description"] =
        unit.empty() || unit == "1" ? std::string(info.doc) : fmt::format("{} [{}]", info.doc, unit);
    properties_[info.key] = property;
    if (info.alias[0] != '\0') properties_[info.alias] = property;
    if (info.required) required_.push_back(info.key);
  }

  template <class... Alternatives>
  void operator()(const std::variant<Alternatives...>&, const FieldInfo& info) {
    (add_form(Alternatives{}, info), ...);
  }

  Json make_json() const {
    if (forms_.empty()) return make_table(properties_, required_);
    Json all = Json::array();
    for (const SchemaCollector& form : forms_) {
      Json properties = form.properties_, required = form.required_;
      properties.update(properties_);
      for (const Json& key : required_) required.push_back(key);
      all.push_back(make_table(properties, required));
    }
    return {{"oneOf", all}};
  }

 private:
  template <class Alternative>
  void add_form(const Alternative& alternative, const FieldInfo& info) {
    SchemaCollector form;
    form.properties_[info.key] = {{"const", Alternative::kTag}, {"description", Alternative::kDoc}};
    form.required_.push_back(info.key);
    visit_fields(form, alternative);
    forms_.push_back(form);
  }

  static Json make_table(const Json& properties, const Json& required) {
    Json json = {{"type", "object"}, {"properties", properties}};
    if (!required.empty()) json["required"] = required;
    json["additionalProperties"] = false;
    return json;
  }

  Json properties_ = Json::object();
  Json required_ = Json::array();
  std::vector<SchemaCollector> forms_;
};

template <class Spec>
Json make_object() {
  SchemaCollector collector;
  const Spec spec{};
  visit_fields(collector, spec);
  return collector.make_json();
}

}  // namespace

std::string make_scene_schema() {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "abut scene"}};
  schema.update(make_object<SceneSpec>());
  // The bodies of a scene may all be those of its robots.
  Json& required = schema["required"];
  required.erase(std::remove(required.begin(), required.end(), Json("body")), required.end());
  schema["anyOf"] = Json::parse(R"([{"required": ["body"]}, {"required": ["robot"]}])");
  return schema.dump(2) + "\n";
}

}  // namespace abut
