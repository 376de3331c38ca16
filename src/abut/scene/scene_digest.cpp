#include "abut/scene/scene_digest.hpp"

#include <concepts>
#include <optional>
#include <set>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "abut/math/mesh_data.hpp"

namespace abut {

namespace {

class Digest {
 public:
  std::uint64_t value() const { return hash_; }

  /// Of a table of fields.
  template <class T>
  void operator()(const T& field, const FieldInfo& info) {
    static const std::set<std::string_view> kWithoutPart = {"title", "duration", "threads", "file", "fmu"};
    if (kWithoutPart.contains(info.key)) return;
    add(std::string(info.key));
    add(field);
  }

 private:
  void add_bytes(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) hash_ = (hash_ ^ bytes[i]) * 1099511628211u;
  }

  void add(const std::string& text) {
    add(static_cast<std::uint64_t>(text.size()));
    add_bytes(text.data(), text.size());
  }
  void add(const Vec3& v) { add_bytes(v.data(), 3 * sizeof(double)); }
  void add(const Quat& q) { add_bytes(q.coeffs().data(), 4 * sizeof(double)); }
  void add(const InertiaSpec& inertia) { add(inertia.numbers); }
  void add(const MeshData& mesh) {
    add(mesh.vertices);
    add(mesh.triangles);
  }
  template <class T>
  void add(const std::optional<T>& maybe) {
    add(maybe.has_value());
    if (maybe) add(*maybe);
  }
  template <class T>
  void add(const std::vector<T>& list) {
    add(static_cast<std::uint64_t>(list.size()));
    for (const T& element : list) add(element);
  }
  template <class T, std::size_t N>
  void add(const std::array<T, N>& list) {
    for (const T& element : list) add(element);
  }
  template <class... Alternatives>
  void add(const std::variant<Alternatives...>& variant) {
    add(static_cast<std::uint64_t>(variant.index()));
    std::visit([this](const auto& alternative) { add(alternative); }, variant);
  }
  template <class T>
  void add(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      add_bytes(&value, sizeof value);
    } else {
      visit_fields(*this, value);
    }
    if constexpr (std::is_same_v<T, MeshSpec>) {
      if (value.data != nullptr) add(*value.data);
    }
  }

  std::uint64_t hash_ = 14695981039346656037u;
};

}  // namespace

std::uint64_t calc_digest(const SceneSpec& scene) {
  Digest digest;
  visit_fields(digest, scene);
  return digest.value();
}

}  // namespace abut
