#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <set>
#include <string_view>
#include <utility>

#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/implicit_surface.hpp"
#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/smoothed_mesh.hpp"
#include "abut/geometry/mesh/surface_mesh.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/geometry/volume/mass_properties.hpp"
#include "abut/math/mesh_data.hpp"
#include "abut/multibody/configuration.hpp"
#include "abut/multibody/tree_check.hpp"
#include "abut/sim/compile_parts.hpp"

namespace abut {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct ShapeMaker {
  Shape operator()(const SphereSpec& s) const { return Sphere{s.radius}; }
  Shape operator()(const HalfSpaceSpec& s) const {
    const double length = s.normal.norm();
    return HalfSpace{s.normal / length, s.offset};
  }
  Shape operator()(const BoxSpec& s) const { return Box{0.5 * s.size}; }
  Shape operator()(const CylinderSpec& s) const { return Cylinder{s.radius, s.length ? 0.5 * *s.length : kInfinity}; }
  Shape operator()(const BoreSpec& s) const { return Bore{s.radius}; }
  Shape operator()(const ConeSpec& s) const { return Cone{0.5 * s.calc_angle(), s.height.value_or(kInfinity)}; }
  Shape operator()(const CapsuleSpec& s) const { return Capsule{s.radius, 0.5 * s.length}; }
  Shape operator()(const EllipsoidSpec& s) const { return Ellipsoid{s.semi_axes}; }
  Shape operator()(const TorusSpec& s) const { return Torus{s.ring_radius, s.tube_radius}; }
  Shape operator()(const CavitySpec& s) const { return Cavity{s.radius}; }
  Shape operator()(const BowlSpec& s) const { return Bowl{s.radius, s.thickness, s.calc_depth()}; }
  Shape operator()(const SuperquadricSpec& s) const {
    return Superquadric{s.semi_axes, s.exponent, s.exponent_z.value_or(0.0)};
  }
  Shape operator()(const IntersectionSpec& s) const {
    std::vector<std::pair<ImplicitSurface, Pose>> parts;
    for (const IntersectionPartSpec& part : s.part) {
      const Shape shape = std::visit(*this, part.type);
      parts.emplace_back(find_implicit_surface(shape).value(), Pose(part.calc_orientation(), part.position));
    }
    const Shape made = Intersection{std::make_shared<const RoundedParts>(make_rounded_parts(parts, s.sharpness))};
    if (const std::string defect = find_shape_defect(made); !defect.empty()) throw InputError(defect);
    return made;
  }
  Shape operator()(const PolyhedronSpec& s) const {
    return Polyhedron{std::make_shared<const ConvexPolyhedron>(make_convex_hull(s.vertices))};
  }
  Shape operator()(const MeshSpec& s) const {
    if (s.data == nullptr) throw InputError(fmt::format("mesh '{}' was not read", s.file));
    if (s.hull) return Polyhedron{std::make_shared<const ConvexPolyhedron>(make_convex_hull(s.data->vertices))};
    if (s.surface) return Mesh{};  // no solid: its collider has the surface
    // Smoothing needs neighbours, so vertices are joined before.
    if (!s.smooth) return make_mesh(*s.data, s);
    MeshData welded = *s.data;
    clean_mesh(welded, s.weld);
    return make_mesh(make_smoothed(welded, s.crease_degrees * (std::numbers::pi / 180.0)), s);
  }
  Shape operator()(const CellSpec& s) const {
    auto parts = std::make_shared<CellParts>();
    for (const CellPartSpec& part : s.part) {
      try {
        parts->list.push_back(
            {std::visit(*this, part.type), Pose(part.calc_orientation(), part.position), part.complement});
      } catch (const InputError& error) {
        fail_at(part.where, error.what());
      }
    }
    return CutShape{parts};
  }
  static Shape make_mesh(MeshData data, const MeshSpec& s) {
    return Mesh{std::make_shared<const ClosedMesh>(make_closed_mesh(std::move(data), s.file, s.weld))};
  }
  Shape operator()(const WedgeSpec& s) const { return Wedge{s.normal_1.normalized(), s.normal_2.normalized()}; }
};

/// Mass, centre and inertia from what the body says, and from its bounded shapes for the rest.
MassProperties make_mass_properties(const BodySpec& body, const std::vector<Shape>& shapes) {
  std::vector<std::pair<MassProperties, Pose>> parts;
  const double density = body.density.value_or(BodySpec::kDefaultDensity);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const ShapeSpec& spec = body.shape[i];
    const auto* mesh = std::get_if<Mesh>(&shapes[i]);
    if (!is_finite(shapes[i]) || (mesh != nullptr && mesh->solid == nullptr)) continue;
    try {
      parts.emplace_back(calc_mass_properties(shapes[i], density), make_pose(spec.position, spec.calc_orientation()));
    } catch (const InputError& error) {
      fail_at(spec.where, error.what());
    }
  }
  const bool has_volume = !parts.empty();
  if (!has_volume && !body.shape.empty() && (!body.mass || !body.inertia)) {
    fail_at(body.where,
            fmt::format("body '{}' moves but none of its shapes has a volume: give mass and inertia", body.name));
  }
  MassProperties total;
  if (has_volume) total = combine_mass_properties(parts);
  if (body.mass && total.mass > 0.0) {
    total.inertia *= *body.mass / total.mass;
    total.mass = *body.mass;
  } else if (body.mass) {
    total.mass = *body.mass;
  }
  if (body.center_of_mass) total.center_of_mass = *body.center_of_mass;
  if (body.inertia) total.inertia = body.inertia->calc_matrix();
  return total;
}

double calc_bounding_radius(const Shape& shape) {
  const Aabb box = calc_aabb(shape, Pose());
  return box.lower.cwiseAbs().cwiseMax(box.upper.cwiseAbs()).norm();
}

/// Bodies in an order where every parent comes before its children; validation has excluded loops.
std::vector<int> order_bodies(const SceneSpec& scene, const std::vector<int>& joint_of_body) {
  std::map<std::string, int, std::less<>> index;
  for (std::size_t i = 0; i < scene.body.size(); ++i) index[scene.body[i].name] = static_cast<int>(i);
  std::vector<int> order;
  std::vector<char> done(scene.body.size(), 0);
  const auto visit = [&](const auto& self, int body) -> void {
    if (done[body]) return;
    done[body] = 1;
    const int joint = joint_of_body[body];
    if (joint >= 0 && scene.joint[joint].parent != kWorldName) self(self, index.at(scene.joint[joint].parent));
    order.push_back(body);
  };
  for (std::size_t i = 0; i < scene.body.size(); ++i) visit(visit, static_cast<int>(i));
  return order;
}

LinkSpec make_link(const BodySpec& body, const std::vector<Shape>& shapes, const JointSpec* joint,
                   const LinkByName& links) {
  LinkSpec link;
  link.name = body.name;
  if (!body.fixed && !body.frame) link.mass = make_mass_properties(body, shapes);
  if (joint == nullptr) {
    link.joint = body.fixed ? JointType::fixed : JointType::free;
    link.X_PF = make_pose(body.position, body.calc_orientation());
    return link;
  }
  link.parent = joint->parent == kWorldName ? kWorld : links.at(joint->parent);
  link.joint = joint_type_from_name(enum_name(joint->type)).value();
  link.X_PF = make_pose(joint->parent_position, calc_orientation(joint->parent_orientation, joint->parent_rotation));
  link.X_BM = make_pose(joint->child_position, calc_orientation(joint->child_orientation, joint->child_rotation));
  if (joint->axis) link.axis = *joint->axis;
  if (joint->axis_2) link.axis_2 = *joint->axis_2;
  link.prescribed = joint->motion.has_value();
  return link;
}

void set_free_state(const BodySpec& body, const Tree& tree, int link, std::vector<double>& q0,
                    std::vector<double>& v0) {
  set_free_pose(tree, link, make_pose(body.position, body.calc_orientation()), q0);
  set_free_velocity(tree, link, body.velocity, body.angular_velocity, q0, v0);
}

void set_joint_state(const JointSpec& joint, const Link& link, std::vector<double>& q0, std::vector<double>& v0) {
  if (!joint.coordinates.empty()) {
    std::copy(joint.coordinates.begin(), joint.coordinates.end(), &q0[link.q_start]);
  } else if (quaternion_offset(link.joint) >= 0) {
    q0[link.q_start + quaternion_offset(link.joint)] = 1.0;
  }
  std::copy(joint.velocities.begin(), joint.velocities.end(), v0.begin() + link.v_start);
}

void add_colliders(const BodySpec& body, const std::vector<Shape>& shapes, int link, const Tree& tree,
                   const ModelTwin& twin, std::vector<Collider>& colliders) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const ShapeSpec& spec = body.shape[i];
    Collider collider;
    collider.link = link;
    collider.shape = shapes[i];
    collider.X_LS = make_pose(spec.position, spec.calc_orientation());
    collider.is_centered = collider.X_LS.p.isZero(0.0) && collider.X_LS.R.isIdentity(0.0);
    collider.is_at_center_of_mass = collider.X_LS.p == tree.link(link).mass.center_of_mass;
    collider.is_static = tree.is_static(link);
    const auto* mesh = std::get_if<MeshSpec>(&body.shape[i].type);
    if (mesh != nullptr && mesh->surface) {
      const Collider* known = twin.find(colliders.size());
      try {
        collider.surface =
            known != nullptr
                ? known->surface
                : std::make_shared<const SurfaceMesh>(make_surface_mesh(*mesh->data, mesh->file, mesh->weld));
      } catch (const InputError& error) {
        fail_at(body.shape[i].where, error.what());
      }
      collider.bounding_radius = collider.surface->center().norm() + collider.surface->radius();
    } else {
      collider.bounding_radius = calc_bounding_radius(collider.shape);
    }
    colliders.push_back(std::move(collider));
  }
}

}  // namespace

Shape make_shape(const ShapeSpec& spec) {
  try {
    return std::visit(ShapeMaker{}, spec.type);
  } catch (const InputError& error) {
    const std::string message = error.what();
    // Faults of a cell's part carry their place already.
    if (message.starts_with(spec.where.file + ":") && spec.where.line > 0) throw;
    fail_at(spec.where, message);
  }
}

Pose make_pose(const Vec3& position, const Quat& orientation) { return {orientation, position}; }

LinkByName compile_bodies(const SceneSpec& scene, const ModelTwin& twin, Model& model) {
  std::vector<int> joint_of_body(scene.body.size(), -1);
  std::set<std::string_view> loop_ends;
  for (std::size_t j = 0; j < scene.joint.size(); ++j) {
    if (scene.joint[j].closes_loop) {
      loop_ends.insert(scene.joint[j].parent);
      loop_ends.insert(scene.joint[j].child);
      continue;
    }
    for (std::size_t b = 0; b < scene.body.size(); ++b) {
      if (scene.body[b].name == scene.joint[j].child) joint_of_body[b] = static_cast<int>(j);
    }
  }
  std::vector<std::vector<Shape>> shapes(scene.body.size());
  for (std::size_t b = 0; b < scene.body.size(); ++b) {
    for (std::size_t i = 0; i < scene.body[b].shape.size(); ++i) {
      const std::optional<Shape> known = twin.find_shape(b, i);
      shapes[b].push_back(known ? *known : make_shape(scene.body[b].shape[i]));
    }
  }
  LinkByName links;
  std::vector<LinkSpec> specs;
  model.link_of_body.assign(scene.body.size(), -1);
  for (const int body : order_bodies(scene, joint_of_body)) {
    const JointSpec* joint = joint_of_body[body] >= 0 ? &scene.joint[joint_of_body[body]] : nullptr;
    const int index = static_cast<int>(specs.size());
    specs.push_back(make_link(scene.body[body], shapes[body], joint, links));
    specs.back().is_in_loop = loop_ends.contains(scene.body[body].name);
    links[scene.body[body].name] = index;
    model.link_of_body[body] = index;
    model.body_of_link.push_back(body);
  }
  model.tree = Tree(specs);
  require_movable(model.tree);

  model.q0.assign(model.tree.num_q(), 0.0);
  model.v0.assign(model.tree.num_v(), 0.0);
  for (std::size_t b = 0; b < scene.body.size(); ++b) {
    const int index = model.link_of_body[b];
    const Link& link = model.tree.link(index);
    if (joint_of_body[b] >= 0) {
      const JointSpec& joint = scene.joint[joint_of_body[b]];
      if (link.joint == JointType::free) {
        set_free_state(scene.body[b], model.tree, index, model.q0, model.v0);
      } else {
        set_joint_state(joint, link, model.q0, model.v0);
      }
      model.joints.push_back({joint.name.empty() ? joint.child : joint.name, index});
    } else if (!scene.body[b].fixed) {
      set_free_state(scene.body[b], model.tree, index, model.q0, model.v0);
    }
    add_colliders(scene.body[b], shapes[b], index, model.tree, twin, model.colliders);
  }
  return links;
}

}  // namespace abut
