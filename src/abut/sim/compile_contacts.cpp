#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "abut/contact/law/friction_defaults.hpp"
#include "abut/contact/law/normal_defaults.hpp"
#include "abut/contact/law/perimeter_stiffness.hpp"
#include "abut/contact/law/volume_stiffness.hpp"
#include "abut/geometry/mesh/shape_mesh.hpp"
#include "abut/geometry/mesh/surface_mesh.hpp"
#include "abut/scene/contact_match.hpp"
#include "abut/sim/combination.hpp"
#include "abut/sim/compile_parts.hpp"
#include "abut/sim/facet_notes.hpp"

namespace abut {

namespace {

/// Fineness of integrals of friction over a patch: one step for each decimal of the volume's error.
int calc_spin_detail(double volume_error) {
  return std::clamp(2 + static_cast<int>(std::lround(-std::log10(volume_error))), 3, 12);
}

VolumeRule make_volume_rule(const ContactDefaultSpec& settings) {
  VolumeRule rule;
  rule.relative_error = settings.volume_error;
  rule.normal_memory = settings.normal_memory;
  using Normal = ContactDefaultSpec::VolumeNormal;
  rule.normal = settings.volume_normal == Normal::field       ? VolumeNormal::field
                : settings.volume_normal == Normal::geometric ? VolumeNormal::geometric
                                                              : VolumeNormal::principal;
  rule.exact_spin = settings.spin == ContactDefaultSpec::Spin::exact;
  rule.spin_detail = calc_spin_detail(settings.volume_error);
  rule.spin_scale = settings.spin_scale;
  using Cells = ContactDefaultSpec::Cells;
  rule.cells = settings.cells == Cells::joined      ? CellJoining::joined
               : settings.cells == Cells::connected ? CellJoining::connected
                                                    : CellJoining::separate;
  return rule;
}

PerimeterRule make_perimeter_rule(const ContactDefaultSpec& settings) {
  using Memory = ContactDefaultSpec::Memory;
  using Normals = ContactDefaultSpec::Normals;
  const bool is_faithful = settings.memory == Memory::faithful;
  const Normals normals = settings.normals.value_or(is_faithful ? Normals::both : Normals::patch);
  PerimeterRule rule;
  rule.memory = is_faithful ? PerimeterRule::Memory::faithful : PerimeterRule::Memory::continuous;
  rule.normals = normals == Normals::patch  ? PerimeterRule::Normals::patch
                 : normals == Normals::both ? PerimeterRule::Normals::both
                 : normals == Normals::a    ? PerimeterRule::Normals::a
                                            : PerimeterRule::Normals::b;
  rule.energy_guard = settings.energy_guard.value_or(!is_faithful);
  return rule;
}

/// Keys of perimeter contact on a contact of another kind would be without effect.
void refuse_perimeter_keys(const ContactDefaultSpec& settings) {
  const bool has_memory = settings.memory != ContactDefaultSpec::Memory::continuous || settings.has_key("memory");
  for (const auto& [key, is_given] : {std::pair{"memory", has_memory},
                                      {"normals", settings.normals.has_value()},
                                      {"stiffness_factor", settings.stiffness_factor.has_value()},
                                      {"energy_guard", settings.energy_guard.has_value()}}) {
    if (is_given) throw InputError(fmt::format("{} belongs to region = \"perimeter\"", key));
  }
}

NormalResolution resolve_normal(const NormalSpec& spec, const ContactDefaultSpec& settings) {
  if (settings.region == ContactDefaultSpec::Region::perimeter) {
    if (spec.stiffness_b || spec.thickness || spec.thickness_b)
      throw InputError("stiffness_b, thickness and thickness_b belong to region = \"volume\"");
    return resolve_perimeter_normal(spec, make_perimeter_rule(settings).normals, settings.stiffness_factor);
  }
  refuse_perimeter_keys(settings);
  if (settings.region == ContactDefaultSpec::Region::volume) return resolve_volume_normal(spec);
  if (spec.stiffness_b || spec.thickness || spec.thickness_b)
    throw InputError("stiffness_b, thickness and thickness_b belong to region = \"volume\"");
  return resolve_normal(spec);
}

/// Turns the friction a scene asks for into parameters, with the origin of each.
struct FrictionResolver {
  double gravity;
  ContactRule& rule;

  void operator()(const NoFrictionSpec&) const { rule.friction = NoFriction{}; }
  void operator()(const auto& spec) const {
    const auto resolved = resolve_friction(spec, gravity);
    rule.friction = resolved.parameters;
    rule.resolved.insert(rule.resolved.end(), resolved.values.begin(), resolved.values.end());
    rule.notes.insert(rule.notes.end(), resolved.notes.begin(), resolved.notes.end());
  }
};

void require_region_form(const FrictionLawRow& law, const ContactRule& rule) {
  if (rule.perimeter && !law.has_perimeter_form) {
    throw InputError(fmt::format("{} has no form for the points of a curve: region = \"perimeter\" takes friction {}",
                                 law.text.name, list_friction_laws(&FrictionLawRow::has_perimeter_form)));
  }
  if (rule.volume && !law.has_volume_form) {
    throw InputError(fmt::format("{} has no form for a patch that spins: region = \"volume\" takes friction {}",
                                 law.text.name, list_friction_laws(&FrictionLawRow::has_volume_form)));
  }
}

/// Adds the place in the file to what the scene gives itself.
void add_places(const Located& spec, std::vector<ResolvedValue>& values) {
  for (ResolvedValue& value : values) {
    if (value.origin != "given") continue;
    // Coulomb's coefficient may be written either way.
    const std::string key = value.key == "mu_c" && !spec.has_key(value.key) ? "mu" : value.key;
    if (!spec.has_key(key)) continue;
    const SourceLocation& where = spec.location_of(key);
    if (where.line > 0)
      value.origin = fmt::format("given ({}:{})", where.file.substr(where.file.find_last_of('/') + 1), where.line);
  }
}

ContactRule make_rule(const SceneSpec& scene, const ContactMatch& match, const std::string& name) {
  ContactRule rule;
  rule.name = name;
  rule.relaxation_time = match.settings->relaxation_time;
  rule.initial_dwell = match.settings->initial_dwell;
  const SourceLocation* where = &match.normal->where;
  try {
    NormalResolution normal = resolve_normal(*match.normal, *match.settings);
    if (match.settings->region == ContactDefaultSpec::Region::volume) rule.volume = make_volume_rule(*match.settings);
    if (match.settings->region == ContactDefaultSpec::Region::perimeter)
      rule.perimeter = make_perimeter_rule(*match.settings);
    rule.normal = normal.parameters;
    rule.contact_modulus = normal.contact_modulus;
    rule.resolved = std::move(normal.values);
    rule.notes = std::move(normal.notes);
    if (rule.volume && rule.volume->normal == VolumeNormal::principal) {
      rule.notes.emplace_back(
          "volume_normal = \"principal\" has no potential: it makes or takes energy where edges press; \"field\" does "
          "not");
    }
    add_places(*match.normal, rule.resolved);
    const ContactRegion region = match.settings->region;
    if (const std::string obstacle = find_obstacle(region, scene.run.method); !obstacle.empty()) {
      throw InputError(
          fmt::format("{}, found \"{}\": {}", suggest_method(region), enum_name(scene.run.method), obstacle));
    }
    if (match.friction != nullptr) {
      where = &match.friction->where;
      std::visit(FrictionResolver{scene.gravity.norm(), rule}, match.friction->law);
      add_places(*match.friction, rule.resolved);
      require_region_form(friction_law_row(*match.friction), rule);
    }
  } catch (const InputError& error) {
    fail_at(*where, error.what());
  }
  return rule;
}

/// Bodies that every pattern of every entry treats alike fall in one class, so that ten thousand balls need one line.
std::vector<int> classify_bodies(const SceneSpec& scene, const Model& model) {
  std::map<std::vector<bool>, int> classes;
  std::vector<int> class_of_link(scene.body.size());
  for (int link = 0; link < model.tree.num_links(); ++link) {
    std::vector<bool> signature;
    for (const ContactSpec& contact : scene.contact) {
      for (const std::string& pattern : contact.between)
        signature.push_back(matches_glob(pattern, model.body_name(link)));
    }
    class_of_link[link] = classes.try_emplace(signature, static_cast<int>(classes.size())).first->second;
  }
  return class_of_link;
}

/// Triangles for the colliders that some rule of perimeter contact covers.
void make_surfaces(const SceneSpec& scene, const ModelTwin& twin, Model& model) {
  std::map<const void*, std::shared_ptr<const SurfaceMesh>> known;  // by mesh, which many bodies may share
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    Collider& collider = model.colliders[i];
    const auto& rules = model.class_rules[model.body_class[collider.link]];
    const auto is_perimeter = [](const RuleMatch& match) { return match.is_perimeter; };
    if (collider.surface != nullptr || std::none_of(rules.begin(), rules.end(), is_perimeter)) continue;
    const auto* mesh = std::get_if<Mesh>(&collider.shape);
    std::shared_ptr<const SurfaceMesh> fresh;
    std::shared_ptr<const SurfaceMesh>& surface = mesh == nullptr ? fresh : known[mesh->solid.get()];
    if (const Collider* other = twin.find(i); surface == nullptr && other != nullptr) surface = other->surface;
    if (surface == nullptr) {
      const BodySpec& body = scene.body[model.body_of_link[collider.link]];
      try {
        surface = std::make_shared<const SurfaceMesh>(make_surface_mesh(make_shape_mesh(collider.shape), body.name));
      } catch (const InputError& error) {
        fail_at(body.where, fmt::format("'{}' cannot take part in perimeter contact: {}", body.name, error.what()));
      }
    }
    collider.surface = surface;
    const int rule = std::find_if(rules.begin(), rules.end(), is_perimeter)->rule;
    note_facets_of_perimeters(model.body_name(collider.link), collider, model.rules[rule]);
  }
}

/// Stands for the law that a hard contact leaves out: no rebound, and a stiffness that nothing looks at.
const NormalSpec& plastic_normal() {
  static const NormalSpec spec = [] {
    NormalSpec s;
    s.law = NormalSpec::Law::hunt_crossley;
    s.stiffness = 1e6;
    s.restitution = 0.0;
    return s;
  }();
  return spec;
}

/// Bodies that do not yield have no curvature to ask for: a stiffness from material data is never made.
void leave_out_stiffness(ContactRule& rule) {
  if (!rule.contact_modulus) return;
  rule.contact_modulus.reset();
  rule.normal.stiffness = plastic_normal().stiffness;
}

/// What of its numbers the scene did not give.
void mark_plastic(std::vector<ResolvedValue>& values) {
  for (ResolvedValue& value : values) {
    if (value.key == "stiffness" || value.key == "restitution") value.origin = "default: no normal law, no rebound";
  }
}

}  // namespace

void compile_contacts(const SceneSpec& scene, const ModelTwin& twin, Model& model) {
  model.body_class = classify_bodies(scene, model);
  const int num_classes =
      model.body_class.empty() ? 0 : 1 + *std::max_element(model.body_class.begin(), model.body_class.end());
  std::vector<int> representative(num_classes, -1);
  for (int link = model.tree.num_links() - 1; link >= 0; --link) representative[model.body_class[link]] = link;

  const bool is_hard = find_law_use(scene) == LawUse::coefficients;
  std::map<int, int> rule_of_entry;
  std::set<std::pair<int, int>> named;  // classes whose pair is written out by name
  model.class_rules.assign(num_classes, std::vector<RuleMatch>(num_classes));
  for (int a = 0; a < num_classes; ++a) {
    for (int b = 0; b < num_classes; ++b) {
      const std::string& name_a = model.body_name(representative[a]);
      const std::string& name_b = model.body_name(representative[b]);
      auto match = find_contact(scene, name_a, name_b);
      if (match && match->normal == nullptr && !model.uses_normal_laws()) match->normal = &plastic_normal();
      if (!match || !match->settings->enabled || match->normal == nullptr) continue;
      if (!rule_of_entry.contains(match->entry)) {
        rule_of_entry[match->entry] = static_cast<int>(model.rules.size());
        model.rules.push_back(make_rule(scene, *match, make_contact_name(scene, *match)));
        if (is_hard) leave_out_stiffness(model.rules.back());
        if (match->normal == &plastic_normal()) mark_plastic(model.rules.back().resolved);
      }
      model.class_rules[a][b] = {rule_of_entry.at(match->entry), match->swapped,
                                 model.rules[rule_of_entry.at(match->entry)].volume.has_value(),
                                 model.rules[rule_of_entry.at(match->entry)].perimeter.has_value(),
                                 CellJoining::separate};
      model.class_rules[a][b].is_hard = is_hard;
      if (const auto& volume = model.rules[rule_of_entry.at(match->entry)].volume)
        model.class_rules[a][b].cells = volume->cells;
      if (match->by_name) named.insert({a, b});
    }
  }
  for (int link = 0; link < model.tree.num_links(); ++link) {
    const int parent = model.tree.link(link).parent;
    if (parent == kWorld || named.contains({model.body_class[link], model.body_class[parent]})) continue;
    model.never_touch.push_back(std::minmax(link, parent));
  }
  std::sort(model.never_touch.begin(), model.never_touch.end());
  make_solids(twin, model);
  check_pairs(scene, model);
  make_surfaces(scene, twin, model);
  lay_out_cells(scene, twin, model);
}

}  // namespace abut
