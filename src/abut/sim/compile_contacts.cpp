#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "abut/contact/law/friction_defaults.hpp"
#include "abut/contact/law/normal_defaults.hpp"
#include "abut/scene/contact_match.hpp"
#include "abut/sim/combination.hpp"
#include "abut/sim/compile_parts.hpp"
#include "abut/sim/region_row.hpp"

namespace abut {

namespace {

NormalResolution resolve_normal(const NormalSpec& spec, const ContactDefaultSpec& settings) {
  const RegionRow& own = region_row(region_kind(settings.region));
  for (const RegionRow* other : region_rows()) {
    if (other != &own && other->refuse_keys != nullptr) other->refuse_keys(spec, settings);
  }
  return own.resolve_normal(spec, settings);
}

/// Turns the friction a scene asks for into parameters, with the origin of each.
struct FrictionResolver {
  double gravity;
  ContactRule& rule;

  void operator()(const auto& spec) const {
    const auto resolved = resolve_friction(spec, gravity);
    rule.friction = resolved.parameters;
    rule.resolved.insert(rule.resolved.end(), resolved.values.begin(), resolved.values.end());
    rule.notes.insert(rule.notes.end(), resolved.notes.begin(), resolved.notes.end());
  }
};

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
    const RegionRow& region = region_row(region_kind(match.settings->region));
    rule.region = region.make_rule(*match.settings);
    rule.normal = normal.parameters;
    rule.contact_modulus = normal.contact_modulus;
    rule.resolved = std::move(normal.values);
    rule.notes = std::move(normal.notes);
    if (region.note_rule != nullptr) {
      if (auto note = region.note_rule(rule)) rule.notes.push_back(*std::move(note));
    }
    add_places(*match.normal, rule.resolved);
    const ContactRegion kind = match.settings->region;
    if (const std::string obstacle = find_obstacle(kind, scene.run.method); !obstacle.empty()) {
      throw InputError(
          fmt::format("{}, found \"{}\": {}", suggest_method(kind), enum_name(scene.run.method), obstacle));
    }
    if (match.friction != nullptr) {
      where = &match.friction->where;
      std::visit(FrictionResolver{scene.gravity.norm(), rule}, match.friction->law);
      add_places(*match.friction, rule.resolved);
      if (region.find_friction_obstacle != nullptr) {
        if (const std::string obstacle = region.find_friction_obstacle(friction_law_row(*match.friction));
            !obstacle.empty())
          throw InputError(obstacle);
      }
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
      const int rule = rule_of_entry.at(match->entry);
      model.class_rules[a][b] = {rule, match->swapped, model.rules[rule].kind(), is_hard};
      if (match->by_name) named.insert({a, b});
    }
  }
  for (int link = 0; link < model.tree.num_links(); ++link) {
    const int parent = model.tree.link(link).parent;
    if (parent == kWorld || named.contains({model.body_class[link], model.body_class[parent]})) continue;
    model.never_touch.push_back(std::minmax(link, parent));
  }
  for (const Loop& loop : model.loops.loops()) {
    if (loop.link_a == kWorld || loop.link_b == kWorld) continue;
    if (named.contains({model.body_class[loop.link_a], model.body_class[loop.link_b]})) continue;
    model.never_touch.push_back(std::minmax(loop.link_a, loop.link_b));
  }
  std::sort(model.never_touch.begin(), model.never_touch.end());
  make_solids(twin, model);
  check_pairs(scene, model);
  for (const RegionRow* region : region_rows()) {
    if (region->prepare != nullptr) region->prepare(scene, twin, model);
  }
}

}  // namespace abut
