#include "abut/geometry/volume/cell.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "abut/base/error.hpp"
#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/mesh/convex_mesh.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"

namespace abut {
namespace {

constexpr std::size_t kMaxCells = 256;

CellHull make_unbounded_hull() {
  CellHull hull;
  hull.half_size.setConstant(kInfiniteLength);
  return hull;
}

CellHull make_hull(const Vec3& center, const Vec3& half_size, double lower_disc, double upper_disc, double ball) {
  return {Pose(Mat3::Identity(), center), half_size, lower_disc, upper_disc, ball};
}

Quadric make_quadric(QuadricKind kind, const Vec3& size, const Vec3& position = Vec3::Zero()) {
  return {kind, size, Pose(Mat3::Identity(), position), false, 0};
}

RegionPlane make_plane(const Vec3& normal, double offset) { return {normal, offset, 0}; }

struct CellMaker {
  std::vector<Cell> operator()(const Sphere& s) const {
    return {make({}, {make_quadric(QuadricKind::ellipsoid, Vec3::Constant(s.radius))},
                 make_hull(Vec3::Zero(), Vec3::Zero(), 0.0, 0.0, s.radius))};
  }
  std::vector<Cell> operator()(const HalfSpace& s) const {
    return {make({make_plane(s.normal.normalized(), s.offset)}, {}, make_unbounded_hull())};
  }
  std::vector<Cell> operator()(const Box& s) const {
    std::vector<RegionPlane> planes;
    for (int i = 0; i < 3; ++i) {
      planes.push_back(make_plane(Vec3::Unit(i), s.half_size[i]));
      planes.push_back(make_plane(-Vec3::Unit(i), s.half_size[i]));
    }
    Cell cell = make(planes, {}, make_hull(Vec3::Zero(), s.half_size, 0.0, 0.0, 0.0));
    set_flat(make_closed_mesh(make_box_mesh(s.half_size)), cell);
    return {cell};
  }
  std::vector<Cell> operator()(const Cylinder& s) const {
    const Quadric side = make_quadric(QuadricKind::cylinder, Vec3(s.radius, s.radius, 0.0));
    if (!std::isfinite(s.half_length)) return {make({}, {side}, make_unbounded_hull())};
    return {make({make_plane(Vec3::UnitZ(), s.half_length), make_plane(-Vec3::UnitZ(), s.half_length)}, {side},
                 make_hull(Vec3::Zero(), Vec3(0.0, 0.0, s.half_length), s.radius, s.radius, 0.0))};
  }
  std::vector<Cell> operator()(const Bore& s) const {
    Quadric side = make_quadric(QuadricKind::cylinder, Vec3(s.radius, s.radius, 0.0));
    side.is_complement = true;
    return {make({}, {side}, make_unbounded_hull())};
  }
  std::vector<Cell> operator()(const Cavity& s) const {
    Quadric wall = make_quadric(QuadricKind::ellipsoid, Vec3::Constant(s.radius));
    wall.is_complement = true;
    return {make({}, {wall}, make_unbounded_hull())};
  }
  std::vector<Cell> operator()(const Cone& s) const {
    const double tangent = std::tan(s.half_angle);
    const Quadric side = make_quadric(QuadricKind::cone, Vec3(tangent, tangent, 0.0));
    if (!std::isfinite(s.height)) return {make({}, {side}, make_unbounded_hull())};
    return {
        make({make_plane(-Vec3::UnitZ(), s.height)}, {side},
             make_hull(Vec3(0.0, 0.0, -0.5 * s.height), Vec3(0.0, 0.0, 0.5 * s.height), s.height * tangent, 0.0, 0.0))};
  }
  std::vector<Cell> operator()(const Capsule& s) const {
    const CellHull hull = make_hull(Vec3::Zero(), Vec3(0.0, 0.0, s.half_length), 0.0, 0.0, s.radius);
    const Quadric side = make_quadric(QuadricKind::cylinder, Vec3(s.radius, s.radius, 0.0));
    const Vec3 top(0.0, 0.0, s.half_length), size = Vec3::Constant(s.radius);
    return {
        make({make_plane(Vec3::UnitZ(), s.half_length), make_plane(-Vec3::UnitZ(), s.half_length)}, {side}, hull),
        make({make_plane(-Vec3::UnitZ(), -s.half_length)}, {make_quadric(QuadricKind::ellipsoid, size, top)}, hull),
        make({make_plane(Vec3::UnitZ(), -s.half_length)}, {make_quadric(QuadricKind::ellipsoid, size, -top)}, hull)};
  }
  std::vector<Cell> operator()(const Ellipsoid& s) const {
    return {make({}, {make_quadric(QuadricKind::ellipsoid, s.semi_axes)},
                 make_hull(Vec3::Zero(), Vec3::Zero(), 0.0, 0.0, s.semi_axes.maxCoeff()))};
  }
  std::vector<Cell> operator()(const Wedge& s) const {
    return {make({make_plane(s.normal_1.normalized(), 0.0), make_plane(s.normal_2.normalized(), 0.0)}, {},
                 make_unbounded_hull())};
  }
  std::vector<Cell> operator()(const Polyhedron& s) const {
    std::vector<RegionPlane> planes;
    for (const Plane& plane : s.solid->planes()) planes.push_back(make_plane(plane.normal, plane.offset));
    const Aabb box = calc_aabb(s, Pose());
    Cell cell =
        make(planes, {}, make_hull(0.5 * (box.lower + box.upper), 0.5 * (box.upper - box.lower), 0.0, 0.0, 0.0));
    try {
      set_flat(make_convex_mesh(*s.solid), cell);
    } catch (const InputError&) {
      // Faces of the width of rounding: its planes are sliced then, to the same volume.
    }
    return {cell};
  }
  std::vector<Cell> operator()(const Mesh& s) const {
    const Aabb& box = s.solid->bounds();
    Cell cell = make({}, {}, make_hull(0.5 * (box.lower + box.upper), 0.5 * (box.upper - box.lower), 0.0, 0.0, 0.0));
    cell.region.meshes.push_back({s.solid, Pose(), false, 0});
    return {cell};
  }
  // Volumes see these two by what stands for them (make_volume_shape()).
  std::vector<Cell> operator()(const Torus&) const { return refuse("torus"); }
  std::vector<Cell> operator()(const Bowl&) const { return refuse("bowl"); }
  std::vector<Cell> operator()(const Superquadric&) const { return refuse("superquadric"); }
  std::vector<Cell> operator()(const Intersection&) const {
    return refuse("intersection", "; a cell of the same parts has one, with sharp edges");
  }
  static std::vector<Cell> refuse(const char* name, const char* advice = "") {
    throw InputError(fmt::format("no volume of interference is known for a {}{}", name, advice));
  }
  std::vector<Cell> operator()(const CutShape&) const {
    throw InputError("a cell cannot be part of a cell; list its parts");
  }
  std::vector<Cell> operator()(const Shape& shape) const {
    const std::string defect = find_shape_defect(shape);
    if (!defect.empty()) throw InputError(defect);
    return std::visit(*this, shape);
  }
  std::vector<Cell> operator()(const PlaneSet& s) const {
    std::vector<RegionPlane> planes;
    for (const HalfSpace& plane : s.planes) planes.push_back(make_plane(plane.normal, plane.offset));
    return {make(planes, {}, make_hull(s.center, Vec3::Zero(), 0.0, 0.0, s.radius))};
  }

  static void set_flat(ClosedMesh mesh, Cell& cell) {
    cell.flat = {{std::make_shared<const ClosedMesh>(std::move(mesh)), Pose(), false, 0}, 0, cell.region.planes.size()};
  }

  static Cell make(std::vector<RegionPlane> planes, std::vector<Quadric> quadrics, const CellHull& hull) {
    Cell cell;
    cell.region.planes = std::move(planes);
    cell.region.quadrics = std::move(quadrics);
    cell.hull = hull;
    return cell;
  }
};

RegionPlane flip(const RegionPlane& plane) { return {Vec3(-plane.normal), -plane.offset, plane.owner}; }

Quadric flip(Quadric quadric) {
  quadric.is_complement = !quadric.is_complement;
  return quadric;
}

/// Outside of one cell, as cells without common volume: outside the first face; inside it but outside the second; ...
std::vector<Cell> make_outside(const Cell& cell) {
  std::vector<Cell> outside;
  Cell kept;
  kept.hull = make_unbounded_hull();
  for (const Quadric& quadric : cell.region.quadrics) {
    Cell part = kept;
    part.region.quadrics.push_back(flip(quadric));
    outside.push_back(part);
    kept.region.quadrics.push_back(quadric);
  }
  for (const RegionPlane& plane : cell.region.planes) {
    Cell part = kept;
    part.region.planes.push_back(flip(plane));
    outside.push_back(part);
    kept.region.planes.push_back(plane);
  }
  for (RegionMesh mesh : cell.region.meshes) {
    mesh.is_complement = !mesh.is_complement;
    kept.region.meshes.push_back(mesh);
    outside.push_back(kept);
  }
  return outside;
}

/// A capsule's cells share their cutting planes: outside of it, each layer loses its own quadric.
std::vector<Cell> make_outside_capsule(std::vector<Cell> cells) {
  for (Cell& cell : cells) {
    cell.region.quadrics[0] = flip(cell.region.quadrics[0]);
    cell.hull = make_unbounded_hull();
  }
  return cells;
}

bool is_capsule(const SolidPrimitive& primitive) {
  const auto* shape = std::get_if<Shape>(&primitive);
  return shape != nullptr && std::holds_alternative<Capsule>(*shape);
}

void place(const Pose& X, Cell& cell) {
  Region placed;
  transform_region(cell.region, X, placed);
  cell.region = placed;
  cell.hull.X = X * cell.hull.X;
  if (cell.flat) cell.flat->mesh.X = X * cell.flat->mesh.X;
}

std::vector<Cell> make_part_cells(const SolidPart& part) {
  std::vector<Cell> cells = std::visit(CellMaker{}, part.primitive);
  if (part.is_complement) cells = is_capsule(part.primitive) ? make_outside_capsule(cells) : make_outside(cells[0]);
  for (Cell& cell : cells) place(part.X_SP, cell);
  return cells;
}

Cell intersect(const Cell& a, const Cell& b) {
  Cell both = a;
  if (!a.flat && b.flat) {
    both.flat = b.flat;
    both.flat->first_plane += a.region.planes.size();
  }
  both.region.planes.insert(both.region.planes.end(), b.region.planes.begin(), b.region.planes.end());
  both.region.meshes.insert(both.region.meshes.end(), b.region.meshes.begin(), b.region.meshes.end());
  both.region.quadrics.insert(both.region.quadrics.end(), b.region.quadrics.begin(), b.region.quadrics.end());
  if (b.hull.calc_radius() < a.hull.calc_radius()) both.hull = b.hull;
  return both;
}

/// Whether a plane of the cell keeps out all of the hull.
bool is_surely_empty(const Cell& cell) {
  if (!cell.hull.is_bounded()) return false;
  return std::any_of(cell.region.planes.begin(), cell.region.planes.end(), [&cell](const RegionPlane& plane) {
    return -cell.hull.calc_support(-plane.normal) >= plane.offset;
  });
}

bool are_coaxial(const Quadric& a, const Quadric& b) {
  constexpr double kRounding = 1e-14;  // of the coordinates
  const Vec3 between = b.X.p - a.X.p;
  const double away = (between - between.dot(a.axis()) * a.axis()).norm();
  return a.axis().cross(b.axis()).norm() <= kRounding && away <= kRounding * (a.X.p.norm() + b.X.p.norm());
}

/// A hole with a lead-in: outside of a cylinder and of a cone about one axis. Beyond the circle in which they meet it
/// is the cone that counts, before it the cylinder, so that two cells of one curved face each take the place of one of
/// two, whose slices are far dearer. Whether there was such a pair.
bool part_lead_in(const Cell& cell, std::vector<Cell>& parted) {
  const std::vector<Quadric>& quadrics = cell.region.quadrics;
  for (std::size_t i = 0; i < quadrics.size(); ++i) {
    for (std::size_t j = 0; j < quadrics.size(); ++j) {
      const Quadric &bore = quadrics[i], &cone = quadrics[j];
      const bool is_pair = bore.kind == QuadricKind::cylinder && cone.kind == QuadricKind::cone && bore.is_complement &&
                           cone.is_complement && are_coaxial(bore, cone);
      if (!is_pair || bore.size.x() != bore.size.y() || cone.size.x() != cone.size.y()) continue;
      // The cone is solid towards -z of its frame: r = -z tan.
      const Vec3 normal = cone.axis();
      const double offset = normal.dot(cone.X.p) - bore.size.x() / cone.size.x();
      for (const bool is_wide : {true, false}) {
        Cell part = cell;
        part.region.quadrics.erase(part.region.quadrics.begin() + static_cast<std::ptrdiff_t>(is_wide ? i : j));
        const RegionPlane border = make_plane(normal, offset);
        part.region.planes.push_back(is_wide ? border : flip(border));
        if (!is_surely_empty(part)) parted.push_back(part);
      }
      return true;
    }
  }
  return false;
}

}  // namespace

double CellHull::calc_support(const Vec3& n) const {
  if (!is_bounded()) return kInfiniteLength;
  const Vec3 m = X.R.transpose() * n;
  const double across = m.head<2>().norm();
  const double lower = lower_disc * across - half_size.z() * m.z();
  const double upper = upper_disc * across + half_size.z() * m.z();
  const double box = half_size.x() * std::abs(m.x()) + half_size.y() * std::abs(m.y());
  return n.dot(X.p) + box + std::max(lower, upper) + ball_radius;
}

double CellHull::calc_radius() const {
  if (!is_bounded()) return kInfiniteLength;
  return std::hypot(half_size.head<2>().norm() + std::max(lower_disc, upper_disc), half_size.z()) + ball_radius;
}

std::vector<Cell> make_cells(const Solid& solid) {
  if (solid.parts.empty()) throw InputError("a solid needs at least one part");
  std::vector<Cell> cells = make_part_cells(solid.parts[0]);
  for (std::size_t k = 1; k < solid.parts.size(); ++k) {
    const std::vector<Cell> next = make_part_cells(solid.parts[k]);
    std::vector<Cell> product;
    for (const Cell& a : cells) {
      for (const Cell& b : next) {
        Cell both = intersect(a, b);
        if (!is_surely_empty(both)) product.push_back(std::move(both));
      }
    }
    if (product.empty()) product.push_back(intersect(cells.front(), next.front()));  // nothing, by rounding at most
    cells.swap(product);
    if (cells.size() > kMaxCells) {
      throw InputError(fmt::format("the solid \"{}\" falls apart into {} cells, more than {}: use fewer complements",
                                   describe(solid), cells.size(), kMaxCells));
    }
  }
  for (std::size_t k = 0; k < cells.size();) {
    std::vector<Cell> parted;
    if (!part_lead_in(cells[k], parted)) {
      ++k;
      continue;
    }
    cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(k));
    cells.insert(cells.begin() + static_cast<std::ptrdiff_t>(k), parted.begin(), parted.end());
  }
  for (Cell& cell : cells) {
    cell.region.radius = cell.hull.calc_radius();
    cell.region.center = cell.hull.X.p;
  }
  return cells;
}

bool is_convex(const Solid& solid) {
  return std::all_of(solid.parts.begin(), solid.parts.end(), [](const SolidPart& part) {
    const auto* shape = std::get_if<Shape>(&part.primitive);
    const bool is_hole =
        shape != nullptr && (std::holds_alternative<Bore>(*shape) || std::holds_alternative<Cavity>(*shape));
    const bool is_mesh = shape != nullptr && std::holds_alternative<Mesh>(*shape);
    return !is_mesh && part.is_complement == is_hole;
  });
}

}  // namespace abut
