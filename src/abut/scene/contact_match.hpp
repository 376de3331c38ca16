#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "abut/scene/contact_spec.hpp"
#include "abut/scene/scene_spec.hpp"

namespace abut {

/// Shell-like match of a whole name: * stands for any characters, ? for one.
bool matches_glob(std::string_view pattern, std::string_view name);
bool is_glob(std::string_view pattern);

/// The contact that holds for a pair of bodies, with the laws an entry leaves out taken from contact_default.
struct ContactMatch {
  const ContactDefaultSpec* settings = nullptr;  ///< the entry, or contact_default
  const NormalSpec* normal = nullptr;
  const FrictionSpec* friction = nullptr;  ///< null: none
  int entry = -1;                          ///< index in SceneSpec::contact; -1: contact_default
  bool swapped = false;                    ///< body_a matches the second of `between`
  bool by_name = false;                    ///< both names written out, no glob
};

/// Last entry of scene.contact that covers the pair (in either order; the written order is preferred), else
/// contact_default, else nothing. A match with settings->enabled == false means: pass through each other.
std::optional<ContactMatch> find_contact(const SceneSpec& scene, std::string_view body_a, std::string_view body_b);

/// The name of the entry that matched, or else its two patterns joined as --set takes them ("ball*-floor"), or
/// "contact_default".
std::string make_contact_name(const SceneSpec& scene, const ContactMatch& match);

}  // namespace abut
