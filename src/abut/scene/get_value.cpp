#include "abut/scene/get_value.hpp"

#include <concepts>
#include <utility>
#include <variant>

#include "abut/scene/body_spec.hpp"
#include "abut/scene/scene_path.hpp"

namespace abut {

namespace {

/// Goes down one path, as the setter of set_value.cpp does.
class Finder {
 public:
  explicit Finder(std::vector<std::string> parts) : parts_(std::move(parts)) {}

  std::optional<KeyNumbers> found;

  template <class T>
  void operator()(const T& member, const FieldInfo& info) {
    const std::string& part = parts_[depth_];
    if (part != info.key && (info.alias[0] == '\0' || part != info.alias)) return;
    reach(member, info);
  }
  template <class... Alternatives>
  void operator()(const std::variant<Alternatives...>& variant, const FieldInfo&) {
    std::visit([this](const auto& alternative) { visit_fields(*this, alternative); }, variant);
  }

 private:
  bool is_end() const { return depth_ + 1 == parts_.size(); }

  void put(std::vector<double> values, const FieldInfo& info, bool is_array) {
    if (is_end()) {
      found = KeyNumbers{std::move(values), info.unit, info.doc, is_array};
    } else if (const auto index = to_index(parts_[depth_ + 1]);
               is_array && index && *index < values.size() && depth_ + 2 == parts_.size()) {
      found = KeyNumbers{{values[*index]}, info.unit, info.doc, false};
    }
  }

  void reach(double value, const FieldInfo& info) { put({value}, info, false); }
  void reach(int value, const FieldInfo& info) { put({static_cast<double>(value)}, info, false); }
  void reach(const Vec3& value, const FieldInfo& info) { put({value.x(), value.y(), value.z()}, info, true); }
  void reach(const Quat& value, const FieldInfo& info) {
    put({value.w(), value.x(), value.y(), value.z()}, info, true);
  }
  void reach(const std::vector<double>& value, const FieldInfo& info) { put(value, info, true); }
  void reach(const InertiaSpec& value, const FieldInfo& info) { put(value.numbers, info, true); }
  template <class T>
  void reach(const std::optional<T>& maybe, const FieldInfo& info) {
    if (maybe) reach(*maybe, info);
  }
  template <std::derived_from<Located> Spec>
  void reach(const Spec& spec, const FieldInfo&) {
    enter(spec, 1);
  }
  template <std::derived_from<Located> Spec>
  void reach(const std::vector<Spec>& specs, const FieldInfo& info) {
    if (is_end()) return;
    const std::optional<std::size_t> index = find_entry(specs, parts_[depth_ + 1]);
    if (index) {
      enter(specs[*index], 2);
    } else if (info.single && specs.size() == 1) {
      enter(specs.front(), 1);
    }
  }
  template <class Other>
  void reach(const Other&, const FieldInfo&) {}  // no numbers

  template <class Spec>
  void enter(const Spec& spec, std::size_t steps) {
    if (depth_ + steps >= parts_.size()) return;
    depth_ += steps;
    visit_fields(*this, spec);
    depth_ -= steps;
  }

  const std::vector<std::string> parts_;
  std::size_t depth_ = 0;
};

}  // namespace

std::optional<KeyNumbers> find_numbers(const SceneSpec& scene, std::string_view path) {
  std::vector<std::string> parts = split_path(path);
  if (parts.empty()) return std::nullopt;
  Finder finder(std::move(parts));
  visit_fields(finder, scene);
  return finder.found;
}

}  // namespace abut
