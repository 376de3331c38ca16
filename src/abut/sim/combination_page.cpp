#include "abut/sim/combination_page.hpp"

#include <array>
#include <memory>

#include <fmt/format.h>

#include "abut/geometry/implicit_surface.hpp"
#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/facets.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/sim/combination.hpp"

namespace abut {

namespace {

/// A cube of 1 m with a round hole.
Shape make_sample_cell() {
  auto parts = std::make_shared<CellParts>();
  parts->list.push_back({Box{Vec3::Constant(0.5)}, Pose(), false});
  parts->list.push_back({Cylinder{0.2, kInfiniteLength}, Pose(), true});
  return CutShape{parts};
}

/// Two balls of 1 m, 1 m apart.
Shape make_sample_lens() {
  std::vector<std::pair<ImplicitSurface, Pose>> parts;
  for (const double z : {-0.5, 0.5})
    parts.emplace_back(*find_implicit_surface(Sphere{1.0}), Pose(Mat3(Mat3::Identity()), Vec3(0.0, 0.0, z)));
  return Intersection{
      std::make_shared<const RoundedParts>(make_rounded_parts(std::move(parts), RoundedParts::kDefaultSharpness))};
}

std::string list_letters(const Shape& a, const Shape& b, ContactRegion region) {
  std::string letters;
  for (const MethodTraits& method : kMethods) {
    if (find_obstacle({a}, {b}, region, method.kind).empty()) letters += method.letter;
  }
  return letters;
}

std::string make_region_table(const std::vector<SampleShape>& shapes, ContactRegion region) {
  std::string text = fmt::format("## region = \"{}\"\n\n", enum_name(region));
  for (const ContactMethod method : kContactMethods) {
    if (const std::string obstacle = find_obstacle(region, method); !obstacle.empty())
      text += fmt::format("- Not under {}: {}.\n", enum_name(method), obstacle);
  }
  text += "\n| |";
  for (const SampleShape& column : shapes) text += fmt::format(" {} |", column.name);
  text += "\n|---|";
  for (std::size_t i = 0; i < shapes.size(); ++i) text += "---|";
  text += "\n";
  for (std::size_t row = 0; row < shapes.size(); ++row) {
    text += fmt::format("| {} |", shapes[row].name);
    for (std::size_t column = 0; column <= row; ++column) {
      const std::string letters = list_letters(shapes[row].shape, shapes[column].shape, region);
      text += fmt::format(" {} |", letters.empty() ? "-" : letters);
    }
    for (std::size_t column = row + 1; column < shapes.size(); ++column) text += "  |";
    text += "\n";
  }
  return text + "\n";
}

}  // namespace

std::vector<SampleShape> make_sample_shapes() {
  const auto cube = std::make_shared<const ConvexPolyhedron>(make_box_polyhedron(Vec3::Constant(0.5)));
  const auto mesh = std::make_shared<const ClosedMesh>(make_closed_mesh(make_box_mesh(Vec3::Constant(0.5))));
  return {{"sphere", Sphere{}},
          {"half-space", HalfSpace{}},
          {"box", Box{}},
          {"cylinder", Cylinder{1.0, 1.0}},
          {"endless cylinder", Cylinder{}},
          {"bore", Bore{}},
          {"cone", Cone{0.5, 1.0}},
          {"endless cone", Cone{}},
          {"capsule", Capsule{}},
          {"ellipsoid", Ellipsoid{}},
          {"wedge", Wedge{}},
          {"polyhedron", Polyhedron{cube}},
          {"mesh", Mesh{mesh}},
          {"cell", make_sample_cell()},
          {"superquadric", Superquadric{Vec3::Ones(), 4.0}},
          {"intersection", make_sample_lens()},
          {"torus", with_facets(Torus{})},
          {"cavity", Cavity{}},
          {"bowl", Bowl{}}};
}

std::string make_combination_page() {
  const std::vector<SampleShape> shapes = make_sample_shapes();
  std::string text =
      "# Which shapes may meet\n\n"
      "Made by `abut models combinations`; a scene is checked against the same table before it runs, and a pair that "
      "is "
      "not in it is refused with the name of a region or a method that takes it.\n\n"
      "Letters are methods: ";
  for (const MethodTraits& method : kMethods)
    text += fmt::format("{}**{}** {}", method.kind == kMethods[0].kind ? "" : ", ", method.letter, method.name);
  text += "; - none. A mesh with surface = true has no inside: it meets others with region = \"perimeter\" alone.\n\n";
  for (const ContactRegion region : kContactRegions) text += make_region_table(shapes, region);
  text.pop_back();
  return text;
}

std::string make_combination_overview() {
  const std::vector<SampleShape> shapes = make_sample_shapes();
  std::string text = "pairs of shapes that may meet, by region and method (abut models combinations lists them)\n";
  text += fmt::format("  {:<12}", "");
  for (const ContactMethod method : kContactMethods) text += fmt::format("{:>10}", enum_name(method));
  text += "\n";
  const std::size_t all = shapes.size() * (shapes.size() + 1) / 2;
  for (const ContactRegion region : kContactRegions) {
    std::array<int, kContactMethods.size()> counts{};
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        for (std::size_t k = 0; k < kMethods.size(); ++k)
          counts[k] += find_obstacle({shapes[i].shape}, {shapes[j].shape}, region, kMethods[k].kind).empty();
      }
    }
    text += fmt::format("  {:<12}", enum_name(region));
    for (const int count : counts) text += fmt::format("{:>10}", count);
    text += fmt::format("   of {}\n", all);
  }
  return text;
}

}  // namespace abut
