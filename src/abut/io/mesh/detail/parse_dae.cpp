#include <algorithm>
#include <map>
#include <numbers>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "abut/io/mesh/detail/mesh_formats.hpp"
#include "abut/io/mesh/detail/text_scanner.hpp"
#include "abut/io/xml/xml_document.hpp"

namespace abut::detail {
namespace {

/// Nodes in nodes beyond this go round in a circle.
constexpr int kMostLevels = 64;
/// A node that is in itself twice doubles with each level.
constexpr long kMostNodes = 1000000;

/// The triangles of a COLLADA document: geometries where the visual scene puts them, in metres with z up. Materials,
/// normals, textures, animation and skins have no part in a shape.
class DaeReader {
 public:
  DaeReader(const XmlElement& root, MeshBuilder& builder) : builder_(builder) { index(root); }

  void read(const XmlElement& root) {
    const Eigen::Affine3d start = read_asset(root);
    const XmlElement* scene = root.find("scene");
    const XmlElement* instance = scene == nullptr ? nullptr : scene->find("instance_visual_scene");
    if (instance != nullptr) {
      for (const XmlElement& node : look_up(*instance).children) {
        if (node.name == "node") read_node(node, start, 0);
      }
      return;
    }
    const XmlElement* library = root.find("library_geometries");
    if (library == nullptr) return;
    for (const XmlElement& geometry : library->children) read_geometry(geometry, start);
  }

 private:
  void index(const XmlElement& element) {
    if (const XmlAttribute* id = element.find_attribute("id")) by_id_.emplace(id->value, &element);
    for (const XmlElement& child : element.children) index(child);
  }

  const XmlElement& look_up(const XmlElement& from, const char* key = "url") {
    const std::string reference = from.attribute(key);
    const auto found = by_id_.find(reference.starts_with('#') ? reference.substr(1) : reference);
    if (found == by_id_.end())
      builder_.fail(from.where.line,
                    fmt::format("<{}> names \"{}\", which is not in this file", from.name, make_printable(reference)));
    return *found->second;
  }

  std::vector<double> read_numbers(const XmlElement& element, std::size_t count) {
    std::vector<double> numbers;
    TextScanner scanner(element.text, element.where.line);
    for (std::string_view word = scanner.next(); !word.empty(); word = scanner.next()) {
      const std::optional<double> number = parse_double(word);
      if (!number)
        builder_.fail(scanner.line(), fmt::format("\"{}\" as a number of <{}>", make_printable(word), element.name));
      numbers.push_back(*number);
    }
    if (count > 0 && numbers.size() != count)
      builder_.fail(element.where.line,
                    fmt::format("<{}> has {} numbers in place of {}", element.name, numbers.size(), count));
    return numbers;
  }

  Eigen::Affine3d read_asset(const XmlElement& root) {
    Eigen::Affine3d start = Eigen::Affine3d::Identity();
    const XmlElement* asset = root.find("asset");
    if (asset == nullptr) return start;
    const XmlElement* up = asset->find("up_axis");
    const std::string axis = up == nullptr ? "Y_UP" : std::string(TextScanner(up->text).next());
    const double quarter = 0.5 * std::numbers::pi;
    if (axis == "Y_UP") start.rotate(Eigen::AngleAxisd(quarter, Vec3::UnitX()));
    if (axis == "X_UP") start.rotate(Eigen::AngleAxisd(-quarter, Vec3::UnitY()));
    // A quarter turn swaps axes; what rounding leaves beside is none of the file's.
    start.linear() = start.linear().array().round().matrix();
    const XmlElement* unit = asset->find("unit");
    const XmlAttribute* meter = unit == nullptr ? nullptr : unit->find_attribute("meter");
    if (meter == nullptr) return start;
    const std::optional<double> size = parse_double(meter->value);
    if (!size || !(*size > 0.0))
      builder_.fail(meter->where.line, fmt::format("\"{}\" as the metres of a unit", make_printable(meter->value)));
    start.linear() *= *size;
    return start;
  }

  Eigen::Affine3d read_transforms(const XmlElement& node) {
    Eigen::Affine3d X = Eigen::Affine3d::Identity();
    for (const XmlElement& step : node.children) {
      if (step.name == "matrix") {
        const std::vector<double> m = read_numbers(step, 16);
        X = X *
            Eigen::Affine3d(Eigen::Matrix4d(Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(m.data())));
      } else if (step.name == "translate" || step.name == "scale") {
        const std::vector<double> v = read_numbers(step, 3);
        const Vec3 by(v[0], v[1], v[2]);
        if (step.name == "scale") {
          X.scale(by);
        } else {
          X.translate(by);
        }
      } else if (step.name == "rotate") {
        const std::vector<double> v = read_numbers(step, 4);
        const Vec3 axis(v[0], v[1], v[2]);
        if (axis.norm() > 0.0) X.rotate(Eigen::AngleAxisd(v[3] * (std::numbers::pi / 180.0), axis.normalized()));
      } else if (step.name == "lookat" || step.name == "skew") {
        builder_.fail(step.where.line, fmt::format("<{}> is not read; <matrix> says the same", step.name));
      }
    }
    return X;
  }

  void read_node(const XmlElement& node, const Eigen::Affine3d& outer, int level) {
    if (level > kMostLevels || ++num_nodes_ > kMostNodes)
      builder_.fail(node.where.line, "nodes hold each other in a circle");
    const Eigen::Affine3d X = outer * read_transforms(node);
    for (const XmlElement& child : node.children) {
      if (child.name == "node") read_node(child, X, level + 1);
      if (child.name == "instance_node") read_node(look_up(child), X, level + 1);
      if (child.name == "instance_geometry") read_geometry(look_up(child), X);
      if (child.name == "instance_controller")
        builder_.fail(child.where.line, "skins and morphs are not read; apply them before exporting");
    }
  }

  void read_geometry(const XmlElement& geometry, const Eigen::Affine3d& X) {
    const XmlElement* mesh = geometry.find("mesh");
    if (mesh == nullptr) return;
    for (const XmlElement& faces : mesh->children) {
      if (faces.name == "triangles" || faces.name == "polylist" || faces.name == "polygons") read_faces(faces, X);
      if (faces.name == "tristrips" || faces.name == "trifans")
        builder_.fail(faces.where.line, fmt::format("<{}> is not read; export triangles", faces.name));
    }
  }

  /// The positions that faces refer to; index of the first one among the vertices of the mesh.
  int add_positions(const XmlElement& input, const Eigen::Affine3d& X) {
    const XmlElement& vertices = look_up(input, "source");
    const auto position = std::find_if(vertices.children.begin(), vertices.children.end(), [](const XmlElement& child) {
      return child.name == "input" && child.attribute("semantic") == "POSITION";
    });
    if (position == vertices.children.end())
      builder_.fail(vertices.where.line, "<vertices> has no input of semantic POSITION");
    const XmlElement& source = look_up(*position, "source");
    const XmlElement* array = source.find("float_array");
    if (array == nullptr) builder_.fail(source.where.line, "<source> has no <float_array>");
    const std::vector<double> numbers = read_numbers(*array, 0);
    std::size_t stride = 3;
    if (const XmlElement* technique = source.find("technique_common")) {
      const XmlElement* accessor = technique->find("accessor");
      const auto given = accessor == nullptr ? std::nullopt : parse_integer(accessor->attribute("stride"));
      if (given && *given >= 3) stride = static_cast<std::size_t>(*given);
    }
    const int first = builder_.num_vertices();
    for (std::size_t i = 0; i + stride <= numbers.size(); i += stride)
      builder_.add_vertex(X * Vec3(numbers[i], numbers[i + 1], numbers[i + 2]), array->where.line);
    return first;
  }

  std::vector<long long> read_indices(const XmlElement& element) {
    std::vector<long long> indices;
    TextScanner scanner(element.text, element.where.line);
    for (std::string_view word = scanner.next(); !word.empty(); word = scanner.next()) {
      const std::optional<long long> index = parse_integer(word);
      if (!index || *index < 0)
        builder_.fail(scanner.line(), fmt::format("\"{}\" as an index of <{}>", make_printable(word), element.name));
      indices.push_back(*index);
    }
    return indices;
  }

  void read_faces(const XmlElement& faces, const Eigen::Affine3d& X) {
    const XmlElement* vertex = nullptr;
    long long offset = 0, width = 1;
    for (const XmlElement& input : faces.children) {
      if (input.name != "input") continue;
      const long long place = parse_integer(input.attribute("offset")).value_or(0);
      if (place < 0 || place > 63) builder_.fail(input.where.line, "the offset of an <input> is 0 to 63");
      width = std::max(width, place + 1);
      if (input.attribute("semantic") != "VERTEX") continue;
      vertex = &input;
      offset = place;
    }
    if (vertex == nullptr)
      builder_.fail(faces.where.line, fmt::format("<{}> has no input of semantic VERTEX", faces.name));
    const int first = add_positions(*vertex, X);
    const long long count = builder_.num_vertices() - first;
    const bool is_mirrored = X.linear().determinant() < 0.0;
    std::vector<long long> sizes;
    if (const XmlElement* vcount = faces.find("vcount")) sizes = read_indices(*vcount);
    for (const XmlElement& p : faces.children) {
      if (p.name != "p") continue;
      const std::vector<long long> indices = read_indices(p);
      const long long corners = static_cast<long long>(indices.size()) / width;
      std::vector<long long> polygon;
      std::size_t face = 0;
      for (long long c = 0; c < corners; ++c) {
        const long long index = indices[static_cast<std::size_t>(c * width + offset)];
        if (index >= count)
          builder_.fail(p.where.line, fmt::format("a face names vertex {}, but there are {}", index, count));
        polygon.push_back(first + index);
        const long long size = faces.name == "triangles"  ? 3
                               : faces.name == "polygons" ? corners
                               : face < sizes.size()      ? sizes[face]
                                                          : corners + 1;
        if (static_cast<long long>(polygon.size()) < size) continue;
        add_polygon(polygon, is_mirrored, p.where.line);
        polygon.clear();
        ++face;
      }
      if (!polygon.empty())
        builder_.fail(p.where.line, fmt::format("the indices of <{}> end within a face", faces.name));
    }
  }

  void add_polygon(std::vector<long long>& polygon, bool is_mirrored, long where) {
    if (polygon.size() < 3) return;
    if (is_mirrored) std::reverse(polygon.begin(), polygon.end());
    builder_.begin_polygon(where);
    for (const long long corner : polygon) builder_.add_corner(corner, where);
    builder_.end_polygon();
  }

  MeshBuilder& builder_;
  std::map<std::string, const XmlElement*> by_id_;
  long num_nodes_ = 0;
};

}  // namespace

void parse_dae(std::string_view text, MeshBuilder& builder) {
  ProblemList problems;
  const std::optional<XmlElement> root = parse_xml(text, builder.name(), problems);
  if (!root) {
    const Problem problem = problems.take().front();
    builder.fail(problem.where.line, problem.message);
  }
  if (root->name != "COLLADA")
    builder.fail(root->where.line,
                 fmt::format("<{}> where a DAE file begins with <COLLADA>", make_printable(root->name)));
  DaeReader(*root, builder).read(*root);
}

}  // namespace abut::detail
