#include "abut/serve/scene_values.hpp"

#include <array>
#include <concepts>
#include <span>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "abut/geometry/mesh/shape_mesh.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/math/mesh_data.hpp"
#include "abut/sim/compile_parts.hpp"

namespace abut {
namespace {

using Json = nlohmann::ordered_json;

std::string number_text(double value) { return fmt::format("{:.9g}", value); }

template <class Range>
std::string list_text(const Range& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + number_text(value);
  return "[" + text + "]";
}

std::string value_text(double value) { return number_text(value); }
std::string value_text(int value) { return std::to_string(value); }
std::string value_text(bool value) { return value ? "true" : "false"; }
std::string value_text(const std::string& value) { return value; }
std::string value_text(const Vec3& value) { return list_text(std::array{value.x(), value.y(), value.z()}); }
std::string value_text(const Quat& q) { return list_text(std::array{q.w(), q.x(), q.y(), q.z()}); }
std::string value_text(const std::vector<double>& values) { return list_text(values); }
std::string value_text(const std::vector<Vec3>& values) { return fmt::format("{} vectors", values.size()); }
std::string value_text(const std::array<std::string, 2>& pair) { return pair[0] + ", " + pair[1]; }
std::string value_text(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }
std::string value_text(const InertiaSpec& inertia) { return list_text(inertia.numbers); }
/// What has no text of its own is shown by its presence.
template <class T>
std::string value_text(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return enum_name(value);
  } else {
    return "given";
  }
}

std::vector<double> value_numbers(double value) { return {value}; }
std::vector<double> value_numbers(int value) { return {static_cast<double>(value)}; }
std::vector<double> value_numbers(const Vec3& value) { return {value.x(), value.y(), value.z()}; }
template <class T>
std::vector<double> value_numbers(const T&) {
  return {};
}

/// A name as a part of a path of --set.
std::string path_part(const std::string& name) {
  const bool is_plain = name.find_first_of(".[]\"= ") == std::string::npos;
  return is_plain ? name : "\"" + name + "\"";
}

template <class Spec>
std::string entry_part(const std::vector<Spec>& specs, std::size_t index) {
  if constexpr (requires(const Spec& s) { s.name; }) {
    if (!specs[index].name.empty()) return "." + path_part(specs[index].name);
  }
  return fmt::format("[{}]", index);
}

/// Walks a scene by its tables of fields.
class ValueWalk {
 public:
  std::vector<SceneValue> values;

  template <class T>
  void operator()(const T& value, const FieldInfo& info) {
    add(value, info, is_given(info.key));
  }

 private:
  bool is_given(const char* key) const { return spec_ == nullptr || spec_->has_key(key); }

  template <class T>
  void add(const T& value, const FieldInfo& info, bool given) {
    SceneValue out;
    out.group = group_.empty() ? "scene" : group_;
    out.key = key_prefix_ + info.key;
    out.path = path_ + info.key;
    out.text = value_text(value);
    out.unit = info.unit;
    out.doc = info.doc;
    out.is_given = given;
    out.otherwise = info.otherwise;
    out.numbers = value_numbers(value);
    out.is_integer = std::is_same_v<T, int>;
    out.minimum = info.minimum;
    out.maximum = info.maximum;
    out.is_exclusive = info.exclusive;
    values.push_back(std::move(out));
  }
  template <class T>
  void add(const std::optional<T>& value, const FieldInfo& info, bool) {
    if (value) add(*value, info, true);
  }
  template <std::derived_from<Located> Spec>
  void add(const Spec& spec, const FieldInfo& info, bool) {
    walk(spec, path_ + info.key, group_.empty() ? std::string(info.key) : group_,
         group_.empty() ? "" : key_prefix_ + info.key + ".");
  }
  template <std::derived_from<Located> Spec>
  void add(const std::vector<Spec>& specs, const FieldInfo& info, bool given) {
    if (info.single && specs.size() == 1) return add(specs.front(), info, given);
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const std::string part = entry_part(specs, i);
      const std::string name = part[0] == '.' ? " " + part.substr(1) : part;
      const bool is_top = group_.empty();
      walk(specs[i], path_ + info.key + part, is_top ? info.key + name : group_,
           is_top ? "" : key_prefix_ + info.key + part + ".");
    }
  }
  template <class... Alternatives>
  void add(const std::variant<Alternatives...>& variant, const FieldInfo& info, bool) {
    std::visit(
        [&](const auto& alternative) {
          add(std::string(alternative.kTag), info, true);
          visit_fields(*this, alternative);
        },
        variant);
  }
  template <class Spec>
  void walk(const Spec& spec, const std::string& path, const std::string& group, const std::string& key_prefix) {
    ValueWalk inner;
    inner.path_ = path + ".";
    inner.group_ = group;
    inner.key_prefix_ = key_prefix;
    inner.spec_ = &spec;
    visit_fields(inner, spec);
    values.insert(values.end(), inner.values.begin(), inner.values.end());
  }

  std::string path_, group_, key_prefix_;
  const Located* spec_ = nullptr;

  friend std::vector<SceneValue> abut::list_scene_values(const SceneSpec& scene);
};

/// Fields of a shape as JSON.
struct ShapeWalk {
  Json json = Json::object();

  template <class T>
  void operator()(const T& value, const FieldInfo& info) {
    put(value, info.key);
  }
  void put(double value, const char* key) { json[key] = value; }
  void put(int value, const char* key) { json[key] = value; }
  void put(bool value, const char* key) { json[key] = value; }
  void put(const std::string& value, const char* key) { json[key] = value; }
  void put(const Vec3& value, const char* key) { json[key] = {value.x(), value.y(), value.z()}; }
  void put(const std::vector<double>& values, const char* key) { json[key] = values; }
  void put(const std::vector<Vec3>& values, const char* key) {
    json[key] = Json::array();
    for (const Vec3& value : values) json[key].push_back({value.x(), value.y(), value.z()});
  }
  template <class T>
  void put(const std::optional<T>& value, const char* key) {
    if (value) put(*value, key);
  }
  template <class... Alternatives>
  void put(const std::variant<Alternatives...>& variant, const char* key) {
    std::visit(
        [&](const auto& alternative) {
          json[key] = alternative.kTag;
          visit_fields(*this, alternative);
          put_surface(alternative);
        },
        variant);
  }
  void put(const std::vector<CellPartSpec>& parts, const char* key) {
    json[key] = Json::array();
    for (const CellPartSpec& part : parts) json[key].push_back(make_placed(part));
  }

  void put(const std::vector<IntersectionPartSpec>& parts, const char* key) {
    json[key] = Json::array();
    for (const IntersectionPartSpec& part : parts) json[key].push_back(make_placed(part));
  }

  /// Shapes without a formula are drawn by their triangles.
  template <class T>
  void put_surface(const T&) {}
  void put_surface(const MeshSpec& mesh) {
    if (mesh.data == nullptr) return;
    if (mesh.hull) return put_hull(mesh.data->vertices);
    put_triangles(mesh.data->vertices, mesh.data->triangles);
  }
  void put_surface(const PolyhedronSpec& polyhedron) { put_hull(polyhedron.vertices); }
  void put_hull(const std::vector<Vec3>& points) {
    const ConvexPolyhedron hull = make_convex_hull(points);
    std::vector<std::array<int, 3>> triangles;
    for (int f = 0; f < hull.num_faces(); ++f) {
      const std::span<const int> loop = hull.face(f);
      for (std::size_t i = 2; i < loop.size(); ++i) triangles.push_back({loop[0], loop[i - 1], loop[i]});
    }
    put_triangles(hull.vertices(), triangles);
  }
  void put_surface(const SuperquadricSpec& shape) { put_smooth({shape}); }
  void put_surface(const IntersectionSpec& shape) { put_smooth({shape}); }
  void put_smooth(const ShapeVariant& type) {
    ShapeSpec spec;
    spec.type = type;
    const Shape shape = make_shape(spec);
    if (!is_finite(shape)) return;
    const MeshData mesh = make_shape_mesh(shape);
    put_triangles(mesh.vertices, mesh.triangles);
    json["smooth"] = true;
  }
  /// Six digits are enough to draw, and half the text of all.
  void put_triangles(const std::vector<Vec3>& vertices, const std::vector<std::array<int, 3>>& triangles) {
    const auto shorten = [](double value) { return std::stod(fmt::format("{:.6g}", value)); };
    json["vertices"] = Json::array();
    for (const Vec3& v : vertices) json["vertices"].push_back({shorten(v.x()), shorten(v.y()), shorten(v.z())});
    json["triangles"] = triangles;
  }

  /// A shape, or a part of one, with its place as position and quaternion.
  template <class Spec>
  static Json make_placed(const Spec& spec) {
    ShapeWalk walk;
    visit_fields(walk, spec);
    const Quat q = spec.calc_orientation();
    walk.json["position"] = {spec.position.x(), spec.position.y(), spec.position.z()};
    walk.json["orientation"] = {q.w(), q.x(), q.y(), q.z()};
    return walk.json;
  }
  /// Orientation and rotation are written below as one quaternion; tables are nothing to draw.
  template <class T>
  void put(const T&, const char*) {}
};

}  // namespace

std::vector<SceneValue> list_scene_values(const SceneSpec& scene) {
  ValueWalk walk;
  walk.spec_ = &scene;
  visit_fields(walk, scene);
  return walk.values;
}

std::string shape_to_json(const ShapeSpec& shape) { return ShapeWalk::make_placed(shape).dump(); }

}  // namespace abut
