#pragma once

#include <map>
#include <string>

#include "abut/base/error.hpp"
#include "abut/sim/model.hpp"
#include "abut/sim/model_twin.hpp"

namespace abut {

/// The steps of compile(), each in a file of its own.

/// Index of a body in tree order by its name; kWorld for "world".
using LinkByName = std::map<std::string, int, std::less<>>;

/// Links, colliders, joints and the initial coordinates.
LinkByName compile_bodies(const SceneSpec& scene, const ModelTwin& twin, Model& model);
/// Springs, applied forces, joint loads and prescribed motions, with the times of their corners.
void compile_loads(const SceneSpec& scene, const LinkByName& links, Model& model);
/// Joints that close loops and couplings; closes them at the start.
void compile_loops(const SceneSpec& scene, const LinkByName& links, Model& model);
/// Sensors; after the contacts, whose shapes they may measure between.
void compile_sensors(const SceneSpec& scene, const LinkByName& links, Model& model);
/// Contact rules with every parameter resolved, and which pair they apply to.
void compile_contacts(const SceneSpec& scene, const ModelTwin& twin, Model& model);
/// Solids for the colliders that some rule of hard contact covers, and facets for those of volumetric contact.
void make_solids(const ModelTwin& twin, Model& model);
/// Refuses pairs of bodies that a rule covers and that cannot meet as it says (sim/combination.hpp). Looks at each
/// combination of class and shape once, not at each pair of bodies.
void check_pairs(const SceneSpec& scene, const Model& model);
/// Refuses balls, capsules and boxes that a rule of contact at points sends into a hole they do not fit into, or onto a
/// ring that they would touch all around.
void check_fits(const SceneSpec& scene, const Model& model);
/// Refuses pairs under perimeter contact of which one starts wholly inside the other: no force would ever act on them.
void check_enclosed(const SceneSpec& scene, const Model& model);
/// Triangles for the colliders that some rule of perimeter contact covers.
void make_surfaces(const SceneSpec& scene, const ModelTwin& twin, Model& model);
/// How the shapes of each body fit together, where volumetric contact asks; shapes that overlap are noted in its rule.
void lay_out_cells(const SceneSpec& scene, const ModelTwin& twin, Model& model);

Shape make_shape(const ShapeSpec& spec);
Pose make_pose(const Vec3& position, const Quat& orientation);

/// "file:line:column: message", as the reader reports mistakes.
[[noreturn]] void fail_at(const SourceLocation& where, const std::string& message);

}  // namespace abut
