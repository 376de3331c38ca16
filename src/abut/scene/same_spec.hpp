#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/scene/field.hpp"

namespace abut {

/// Whether two specs say the same, by their tables of fields: bit for bit, places in files aside.
template <class Spec>
bool is_same_spec(const Spec& a, const Spec& b);

namespace same_spec_detail {

/// Members of a spec in the order of its table, less those of variants' alternatives.
struct Collect {
  std::vector<const void*> members;
  template <class T>
  void operator()(const T& member, const FieldInfo&) {
    members.push_back(&member);
  }
};

template <class T>
bool is_same(const T& a, const T& b);
template <class T>
bool is_same(const std::optional<T>& a, const std::optional<T>& b);
template <class T>
bool is_same(const std::vector<T>& a, const std::vector<T>& b);
template <class... Alternatives>
bool is_same(const std::variant<Alternatives...>& a, const std::variant<Alternatives...>& b);

/// -0 is not 0.
inline bool is_same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
inline bool is_same(const Vec3& a, const Vec3& b) {
  return is_same(a.x(), b.x()) && is_same(a.y(), b.y()) && is_same(a.z(), b.z());
}
inline bool is_same(const Quat& a, const Quat& b) {
  return is_same(a.w(), b.w()) && is_same(Vec3(a.vec()), Vec3(b.vec()));
}
template <class T>
bool is_same(const T& a, const T& b) {
  if constexpr (requires(Collect & v) { visit_fields(v, a); }) {
    return is_same_spec(a, b);
  } else {
    return a == b;
  }
}
template <class T>
bool is_same(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || is_same(*a, *b));
}
template <class T>
bool is_same(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!is_same(a[i], b[i])) return false;
  }
  return true;
}
template <class... Alternatives>
bool is_same(const std::variant<Alternatives...>& a, const std::variant<Alternatives...>& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&b](const auto& alternative) {
        return is_same_spec(alternative, std::get<std::remove_cvref_t<decltype(alternative)>>(b));
      },
      a);
}

/// Walks one spec beside the members of the other.
struct Compare {
  const std::vector<const void*>& others;
  std::size_t next = 0;
  bool same = true;
  template <class T>
  void operator()(const T& member, const FieldInfo&) {
    const T& other = *static_cast<const T*>(others[next++]);
    same = same && is_same(member, other);
  }
};

}  // namespace same_spec_detail

template <class Spec>
bool is_same_spec(const Spec& a, const Spec& b) {
  if constexpr (requires { a.data; }) {
    if (a.data != b.data) return false;  // what a mesh's file holds
  }
  same_spec_detail::Collect collect;
  visit_fields(collect, b);
  same_spec_detail::Compare compare{collect.members};
  visit_fields(compare, a);
  return compare.same;
}

}  // namespace abut
