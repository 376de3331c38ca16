#include "abut/serve/run_info.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "abut/base/error.hpp"
#include "abut/io/recorded_scene.hpp"
#include "abut/serve/scene_values.hpp"
#include "abut/sim/advice.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/energy.hpp"

namespace abut {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

Json make_shapes(const std::vector<ShapeSpec>& specs) {
  Json shapes = Json::array();
  for (const ShapeSpec& shape : specs) shapes.push_back(Json::parse(shape_to_json(shape)));
  return shapes;
}

Json make_bodies(const ResultFile& file, const Model* model) {
  Json bodies = Json::array();
  for (std::size_t i = 0; i < file.body_names.size(); ++i) {
    Json body = {{"name", file.body_names[i]}, {"fixed", false}, {"shapes", Json::array()}};
    if (model != nullptr && i < model->scene.body.size()) {
      const int link = model->link_of_body[i];
      body["fixed"] = model->tree.is_static(link);
      body["mass"] = model->tree.link(link).mass.mass;
      body["center_of_mass"] = to_json(model->tree.link(link).mass.center_of_mass);
      body["shapes"] = make_shapes(model->scene.body[i].shape);
      if (const auto& visual = model->scene.body[i].visual; !visual.empty()) body["visuals"] = make_shapes(visual);
      double radius = HUGE_VAL;
      for (const Collider& collider : model->colliders) {
        if (collider.link == link) radius = std::min(radius, calc_curvature_radius(collider.shape));
      }
      if (std::isfinite(radius)) body["radius"] = radius;
    }
    bodies.push_back(body);
  }
  return bodies;
}

Json make_coordinates(JointSpec::Type type, int count, const char* kind) {
  const JointTraits& traits = joint_traits(type);
  const std::span<const JointNumber> numbers = kind == std::string("q") ? traits.coordinates : traits.speeds;
  Json list = Json::array();
  for (int i = 0; i < count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const JointNumber number = k < numbers.size() ? numbers[k] : JointNumber{"", ""};
    const std::string unit = number.unit;
    std::string shown = unit;
    if (kind == std::string("v")) shown = unit + "/s";
    if (kind == std::string("force")) shown = unit == "rad" ? "N m" : "N";
    list.push_back({{"label", k < numbers.size() ? number.label : std::to_string(i)}, {"unit", shown}});
  }
  return list;
}

/// -1 for the world.
int find_body(const ResultFile& file, const std::string& name) {
  const auto found = std::find(file.body_names.begin(), file.body_names.end(), name);
  return found == file.body_names.end() ? -1 : static_cast<int>(found - file.body_names.begin());
}

Json make_joints(const ResultFile& file, const Model* model) {
  Json joints = Json::array();
  for (std::size_t i = 0; i < file.joint_names.size(); ++i) {
    JointSpec::Type type = JointSpec::Type::fixed;
    Json ends = Json::object();
    if (model != nullptr) {
      for (const JointSpec& joint : model->scene.joint) {
        if (joint.name != file.joint_names[i]) continue;
        type = joint.type;
        ends = {{"parent", find_body(file, joint.parent)},
                {"child", find_body(file, joint.child)},
                {"parent_position", to_json(joint.parent_position)},
                {"child_position", to_json(joint.child_position)}};
      }
    }
    joints.push_back({{"name", file.joint_names[i]},
                      {"ends", ends},
                      {"type", enum_name(type)},
                      {"q_start", file.joint_q_start[i]},
                      {"v_start", file.joint_v_start[i]},
                      {"q", make_coordinates(type, file.joint_num_q[i], "q")},
                      {"v", make_coordinates(type, file.joint_num_v[i], "v")},
                      {"force", make_coordinates(type, file.joint_num_v[i], "force")}});
  }
  return joints;
}

Json make_springs(const Model* model) {
  Json springs = Json::array();
  if (model == nullptr) return springs;
  const auto body_of = [model](int link) {
    return link < 0 ? -1 : model->body_of_link[static_cast<std::size_t>(link)];
  };
  for (std::size_t i = 0; i < model->springs.size(); ++i) {
    const PointSpring& spring = model->springs[i];
    springs.push_back({{"name", i < model->scene.spring.size() ? model->scene.spring[i].name : ""},
                       {"body_a", body_of(spring.link_a)},
                       {"body_b", body_of(spring.link_b)},
                       {"point_a", to_json(spring.point_a)},
                       {"point_b", to_json(spring.point_b)}});
  }
  return springs;
}

/// The columns of the ledger that take part in the balance; the residual is their sum, not one of them.
Json make_energies(const ResultFile& file) {
  constexpr std::array<const char*, 3> kKinds{"stored", "dissipated", "supplied"};
  Json energies = Json::array();
  for (int i = 0; i < kNumEnergies; ++i) {
    const std::string name(kEnergyNames[static_cast<std::size_t>(i)]);
    if (file.find("energy/" + name) == nullptr) continue;
    energies.push_back(
        {{"name", name}, {"kind", kKinds[static_cast<std::size_t>(energy_kind(static_cast<Energy>(i)))]}});
  }
  return energies;
}

bool starts_with(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

/// Columns of contacts that can be plotted, in the order of plots. Of a record of another version those that this one
/// does not know come last, under their own names.
Json make_channels(const ResultFile& file) {
  std::vector<const ContactColumn*> plotted;
  for (const ContactColumn& column : kContactColumns) {
    if (column.title[0] != '\0') plotted.push_back(&column);
  }
  std::sort(plotted.begin(), plotted.end(), [](const auto* a, const auto* b) { return a->rank < b->rank; });
  Json channels = Json::array();
  const auto add = [&channels](std::string_view name, const std::string& title, PatchJoining joining, bool is_zero) {
    channels.push_back({{"column", name},
                        {"title", title},
                        {"combine", joining == PatchJoining::largest ? "max" : "sum"},
                        {"apart", is_zero ? Json(0) : Json()}});
  };
  for (const ContactColumn* column : plotted) {
    if (file.find(fmt::format("contact/{}", column->name)) != nullptr)
      add(column->name, column->title, column->joining, column->is_zero_apart);
  }
  constexpr std::string_view kContact = "contact/";
  for (const ResultColumn& column : file.columns) {
    if (!starts_with(column.name, kContact.data()) || column.name == "contact/row_start") continue;
    const std::string name = column.name.substr(kContact.size());
    std::string title = name;
    std::replace(title.begin(), title.end(), '_', ' ');
    if (find_contact_column(name) == nullptr) add(name, title, PatchJoining::sum, false);
  }
  return channels;
}

Json parameter(const std::string& group, const std::string& key, const std::string& value, const std::string& unit,
               const std::string& origin, const std::string& doc = "") {
  return {{"group", group}, {"key", key}, {"value", value}, {"unit", unit}, {"origin", origin}, {"doc", doc}};
}

/// Everything the run used: contact rules as resolved, mass properties as computed, the rest as written or by default.
Json make_parameters(const Model* model) {
  Json list = Json::array();
  if (model == nullptr) return list;
  for (const ContactRule& rule : model->rules) {
    for (const ResolvedValue& value : rule.resolved)
      list.push_back(
          parameter("contact " + rule.name, value.key, fmt::format("{:.9g}", value.value), value.unit, value.origin));
  }
  for (const SceneValue& value : list_scene_values(model->scene)) {
    const bool is_law = starts_with(value.group, "contact") &&
                        (starts_with(value.key, "normal.") || starts_with(value.key, "friction."));
    if (is_law || value.key == "title" || value.key == "name") continue;
    // Settings of a method that was not used.
    const MethodTraits* owner = find_method_of_table(value.group);
    if (owner != nullptr && owner->kind != model->scene.run.method) continue;
    list.push_back(
        parameter(value.group, value.key, value.text, value.unit, value.is_given ? "given" : "default", value.doc));
  }
  for (std::size_t i = 0; i < model->scene.body.size(); ++i) {
    const BodySpec& body = model->scene.body[i];
    const MassProperties& mass = model->tree.link(model->link_of_body[i]).mass;
    if (mass.mass == 0.0) continue;
    const std::string group = "body " + body.name;
    if (!body.mass)
      list.push_back(parameter(group, "mass", fmt::format("{:.9g}", mass.mass), "kg", "density and shapes"));
    if (!body.inertia) {
      list.push_back(
          parameter(group, "inertia",
                    fmt::format("[{:.6g}, {:.6g}, {:.6g}]", mass.inertia(0, 0), mass.inertia(1, 1), mass.inertia(2, 2)),
                    "kg m^2", "from the shapes"));
    }
  }
  // Groups together, in the order of their first entry.
  std::vector<std::string> order;
  for (const Json& entry : list) {
    const std::string group = entry["group"];
    if (std::find(order.begin(), order.end(), group) == order.end()) order.push_back(group);
  }
  Json sorted = Json::array();
  for (const std::string& group : order) {
    for (const Json& entry : list) {
      if (entry["group"] == group) sorted.push_back(entry);
    }
  }
  return sorted;
}

Json make_settings(const SceneSpec& scene) {
  Json list = Json::array();
  for (const SceneValue& value : list_scene_values(scene)) {
    const bool is_vector = value.numbers.size() == 3;
    if (value.numbers.empty() || value.path == "run.threads" || value.path == "run.max_steps") continue;
    // Defaults of bodies and joints would be a wall of zeros.
    if (!value.is_given && value.group != "scene" && value.group != "run") continue;
    for (std::size_t i = 0; i < value.numbers.size(); ++i) {
      Json setting = {{"path", is_vector ? fmt::format("{}[{}]", value.path, i) : value.path},
                      {"key", is_vector ? fmt::format("{} {}", value.key, "xyz"[i]) : value.key},
                      {"value", value.numbers[i]},
                      {"unit", value.unit},
                      {"doc", value.doc},
                      {"group", value.group},
                      {"integer", value.is_integer},
                      {"exclusive", value.is_exclusive}};
      if (std::isfinite(value.minimum)) setting["minimum"] = value.minimum;
      if (std::isfinite(value.maximum)) setting["maximum"] = value.maximum;
      list.push_back(setting);
    }
  }
  return list;
}

std::vector<std::string> collect_warnings(const RunInfo& info, const Model* model) {
  std::vector<std::string> warnings = info.warnings;
  if (model == nullptr) return warnings;
  for (const ContactRule& rule : model->rules) {
    for (const std::string& note : rule.notes) warnings.push_back(rule.name + ": " + note);
  }
  constexpr std::size_t kMostPairs = 20;
  for (const ContactAdvice& advice : make_contact_advice(*model, kMostPairs, false)) {
    for (const std::string& warning : advice.warnings) warnings.push_back(advice.contact + ": " + warning);
  }
  return warnings;
}

}  // namespace

std::string make_run_info_json(const RunInfo& info, const ResultFile& file, const Model* model) {
  const Json json = {
      {"name", info.name},
      {"title", file.title},
      {"version", file.version},
      {"variant", info.variant},
      {"complete", file.is_complete},
      {"description", info.description},
      {"scene", file.scene_text},
      {"gravity", model != nullptr ? to_json(model->scene.gravity) : Json{0.0, 0.0, 0.0}},
      {"duration", model != nullptr ? model->scene.run.duration : 0.0},
      {"bodies", make_bodies(file, model)},
      {"joints", make_joints(file, model)},
      {"springs", make_springs(model)},
      {"energies", make_energies(file)},
      {"channels", make_channels(file)},
      {"parameters", make_parameters(model)},
      {"warnings", collect_warnings(info, model)},
      {"settings", info.has_settings && model != nullptr ? make_settings(model->scene) : Json::array()},
      {"differences", info.differences_json.empty() ? Json() : Json::parse(info.differences_json)},
      {"summary", file.summary_json.empty() ? Json() : Json::parse(file.summary_json)},
  };
  return json.dump();
}

std::optional<Model> compile_recorded_scene(const ResultFile& file, std::string& problem) {
  try {
    Model model = compile(read_recorded_scene(file));
    if (model.scene.body.size() == file.body_names.size()) return model;
    problem = "the scene in the record has other bodies than its data";
  } catch (const InvariantError&) {
    throw;
  } catch (const std::exception& error) {
    problem = fmt::format("the scene in the record cannot be read by this version: {}", error.what());
  }
  return std::nullopt;
}

}  // namespace abut
