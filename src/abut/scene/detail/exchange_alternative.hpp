#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/scene/field.hpp"

namespace abut {

/// What cannot be, for one key; the caller adds the path.
struct Refusal {
  std::string message, hint, found;
  std::vector<std::string> allowed;
};

[[noreturn]] inline void refuse(std::string message, std::string hint = {}, std::string found = {},
                                std::vector<std::string> allowed = {}) {
  throw Refusal{std::move(message), std::move(hint), std::move(found), std::move(allowed)};
}

/// The keys of one table, those of a variant's alternative among them.
struct KeyLister {
  std::vector<std::string> keys;
  template <class T>
  void operator()(const T&, const FieldInfo& info) {
    keys.emplace_back(info.key);
  }
  template <class... Alternatives>
  void operator()(const std::variant<Alternatives...>& variant, const FieldInfo& info) {
    keys.emplace_back(info.key);
    std::visit([this](const auto& alternative) { visit_fields(*this, alternative); }, variant);
  }
};

/// What was given to a key of one alternative, for the same key of another.
template <class From>
struct KeyTaker {
  const From& from;
  std::string_view key;
  template <class T>
  void operator()(T& member, const FieldInfo& info) {
    if (key != info.key) return;
    if constexpr (std::is_same_v<T, From>) member = from;
  }
};

template <class New>
struct CarryOver {
  New& into;
  const Located& owner;
  template <class T>
  void operator()(const T& member, const FieldInfo& info) {
    if (!owner.has_key(info.key)) return;
    KeyTaker<T> taker{member, info.key};
    visit_fields(taker, into);
  }
};

struct MissingKey {
  const Located& owner;
  std::string name{};
  void operator()(const auto&, const FieldInfo& info) {
    if (info.required && !owner.has_key(info.key)) name = info.key;
  }
};

/// Puts the alternative whose tag is `word` in place of the one that is there, with all keys that were given; false
/// when that is the tag of another. Refuses when it does not take one of them, or needs another.
template <class Alternative, class Variant>
bool exchange_alternative(Variant& variant, const std::string& word, const FieldInfo& info, const Located& owner,
                          const std::string& label) {
  if (word != Alternative::kTag) return false;
  if (std::holds_alternative<Alternative>(variant)) return true;
  Alternative fresh;
  KeyLister taken, had;
  visit_fields(taken, std::as_const(fresh));
  std::visit([&had](const auto& old) { visit_fields(had, old); }, std::as_const(variant));
  for (const std::string& key : had.keys) {
    const bool stays = std::find(taken.keys.begin(), taken.keys.end(), key) != taken.keys.end();
    if (owner.has_key(key) && !stays)
      refuse(fmt::format("{} '{}' does not take '{}', which {} gives", info.key, word, key, label),
             fmt::format("{} takes: {}.", word, fmt::join(taken.keys, ", ")));
  }
  MissingKey missing{owner};
  visit_fields(missing, std::as_const(fresh));
  if (!missing.name.empty())
    refuse(fmt::format("{} '{}' needs '{}', which {} does not give", info.key, word, missing.name, label));
  CarryOver<Alternative> carry{fresh, owner};
  std::visit([&carry](const auto& old) { visit_fields(carry, old); }, std::as_const(variant));
  variant = std::move(fresh);
  return true;
}

}  // namespace abut
