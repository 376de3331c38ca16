#include <functional>
#include <string_view>

#include "abut/scene/contact_match.hpp"
#include "abut/scene/contact_sample.hpp"
#include "abut/scene/detail/port_names.hpp"
#include "abut/scene/scene_path.hpp"

namespace abut {

/// "a-b" of two bodies, either of which may have a hyphen in its name; or the name of a contact between two bodies.
void find_contact_pair(const SceneSpec& scene, const std::string& text, FmuPort& port) {
  const auto find = [&](std::string_view name) {
    for (std::size_t i = 0; i < scene.body.size(); ++i) {
      if (scene.body[i].name == name) return static_cast<int>(i);
    }
    return -1;
  };
  for (const ContactSpec& contact : scene.contact) {
    if (contact.name != text || is_glob(contact.between[0]) || is_glob(contact.between[1])) continue;
    port.body_a = find(contact.between[0]);
    port.body_b = find(contact.between[1]);
  }
  std::vector<std::string> names;
  for (std::size_t at = text.find('-'); port.body_b < 0 && at != std::string::npos; at = text.find('-', at + 1)) {
    port.body_a = find(std::string_view(text).substr(0, at));
    port.body_b = port.body_a < 0 ? -1 : find(std::string_view(text).substr(at + 1));
  }
  if (port.body_a >= 0 && port.body_b >= 0 && port.body_a != port.body_b) return;
  for (const ContactSpec& contact : scene.contact) {
    if (!is_glob(contact.between[0]) && !is_glob(contact.between[1])) names.push_back(entry_name(contact));
  }
  throw WrongName{
      fmt::format("'{}' are no two bodies", text),
      fmt::format("A contact is called by its bodies, \"a-b\"; there are: {}.", list_names(names_of(scene.body))), text,
      names};
}

void find_contact_column(const SceneSpec& scene, const std::string& name, FmuPort& port) {
  const std::string pair = fmt::format("{} on {}", scene.body[static_cast<std::size_t>(port.body_b)].name,
                                       scene.body[static_cast<std::size_t>(port.body_a)].name);
  std::vector<std::string> names = {"touching"};
  std::vector<std::size_t> rows = {0};
  for (std::size_t i = 0; i < kContactColumns.size(); ++i) {
    if (kContactColumns[i].joining == PatchJoining::none) continue;
    names.emplace_back(kContactColumns[i].name);
    rows.push_back(i);
  }
  const std::size_t row = find_row(names, std::identity(), name, "a contact");
  if (row == 0) {
    port.source = FmuPort::Source::touching;
    port.doc = fmt::format("Whether {} touches.", pair);
    return;
  }
  port.source = FmuPort::Source::contact_column;
  port.column = rows[row];
  describe_column(kContactColumns[port.column], port);
  port.doc = fmt::format("Of {}: {} {}", pair, port.doc,
                         kContactColumns[port.column].joining == PatchJoining::sum ? "Sum of all patches."
                                                                                   : "The largest of all patches.");
}

}  // namespace abut
