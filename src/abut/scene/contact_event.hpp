#pragma once

#include <array>

#include "abut/scene/field.hpp"
#include "abut/scene/record_column.hpp"

namespace abut {

enum class ContactEventKind { touch, lift, stick, slip };

template <>
struct EnumNames<ContactEventKind> {
  using Kind = ContactEventKind;
  static constexpr EnumTable<Kind, 4> values{
      {{Kind::touch, "touch"}, {Kind::lift, "lift"}, {Kind::stick, "stick"}, {Kind::slip, "slip"}}};
  static constexpr PlannedNames<0> planned{};
};

struct ContactEvent {
  double time = 0.0;  ///< [s]
  ContactEventKind kind = ContactEventKind::touch;
  int body_a = -1;
  int body_b = -1;
  int patch = 0;
  double normal_speed = 0.0;  ///< rate of the gap at that instant [m/s], < 0 approaching
};

inline constexpr auto kEventColumns = [] {
  using E = ContactEvent;
  constexpr auto word = [](int kind) { return enum_name(static_cast<ContactEventKind>(kind)); };
  return std::to_array<RecordColumn<E>>({
      make_column<E, &E::time>({.name = "time", .unit = "s", .doc = "When."}),
      make_column<E, &E::kind>(
          {.name = "kind", .doc = "What.", .parts = "0 touch, 1 lift, 2 stick, 3 slip", .word = word}),
      make_body_column<E, &E::body_a>({.name = "body_a", .doc = "First body."}),
      make_body_column<E, &E::body_b>({.name = "body_b", .doc = "Second body."}),
      make_column<E, &E::patch>({.name = "patch", .doc = "As in /contact."}),
      make_column<E, &E::normal_speed>(
          {.name = "normal_speed", .unit = "m/s", .doc = "Rate of the gap at that instant, negative approaching."}),
  });
}();

}  // namespace abut
