#include "abut/io/mesh/read_mesh.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/io/write_mesh.hpp"

namespace abut {
namespace {

const char* const kCubeObj = R"(# a cube of quads, in several spellings
mtllib none.mtl
o cube
v -1 -1 -1
v +1 -1 -1.0e0 1.0
v 1 1 -1 0.5 0.5 0.5
v -1 1 -1
v -1 -1 1
v 1 -1 1
v 1 1 1
v -1 1 1
vt 0 0
vn 0 0 1
f 4 3 2 1
f 5/1 6/1/1 7//1 8
f -8 -7 -3 \
  -4
f 2 3 7 6 # a comment
f 3 4 8 7
f 4 1 5 8
)";

std::string fail_text(std::string_view bytes, const std::string& name) {
  try {
    parse_mesh(bytes, name);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

double calc_volume(const MeshData& mesh) {
  double volume = 0.0;
  for (const auto& t : mesh.triangles) {
    volume += mesh.vertices[t[0]].dot(mesh.vertices[t[1]].cross(mesh.vertices[t[2]])) / 6.0;
  }
  return volume;
}

/// A file in the system's folder for such, removed at the end.
struct TemporaryPath {
  std::string path;
  explicit TemporaryPath(const std::string& name)
      : path((std::filesystem::temp_directory_path() / fmt::format("abut_{}_{}", std::random_device{}(), name))
                 .string()) {}
  ~TemporaryPath() { std::filesystem::remove(path); }
};

template <class Number>
void put(std::string& out, Number value, bool is_big_endian) {
  char raw[sizeof(Number)];
  std::memcpy(raw, &value, sizeof(Number));
  if (is_big_endian != (std::endian::native == std::endian::big)) std::reverse(raw, raw + sizeof(Number));
  out.append(raw, sizeof(Number));
}

/// One tetrahedron with a property to be skipped on each vertex and face.
std::string make_binary_ply(bool is_big_endian) {
  std::string out = fmt::format(
      "ply\nformat binary_{}_endian 1.0\ncomment made here\nelement vertex 4\nproperty double x\nproperty uchar red\n"
      "property float y\nproperty short z\nelement face 4\nproperty list uchar int vertex_indices\nproperty float "
      "quality\nend_header\n",
      is_big_endian ? "big" : "little");
  const int corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  for (const auto& c : corners) {
    put(out, c[0] / 3.0, is_big_endian);
    put(out, std::uint8_t{200}, is_big_endian);
    put(out, static_cast<float>(c[1]), is_big_endian);
    put(out, static_cast<std::int16_t>(c[2] * 300), is_big_endian);
  }
  for (const auto& f : faces) {
    put(out, std::uint8_t{3}, is_big_endian);
    for (const int v : f) put(out, static_cast<std::int32_t>(v), is_big_endian);
    put(out, 0.5f, is_big_endian);
  }
  return out;
}

TEST(ReadMesh, ObjWithAllItsSpellings) {
  const MeshFile file = parse_mesh(kCubeObj, "cube.obj", {.scale = 0.001, .weld_tolerance = 0.0, .progress = {}});
  EXPECT_EQ(file.format, MeshFormat::obj);
  EXPECT_EQ(file.mesh.vertices.size(), 8u);
  EXPECT_EQ(file.mesh.triangles.size(), 12u);
  EXPECT_NEAR(calc_volume(file.mesh), 8e-9, 1e-23);
}

TEST(ReadMesh, ConcavePolygonsAreCutByEars) {
  const char* text = "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 2 1 0\nv 0 4 0\nf 1 2 3 4 5\n";
  const MeshData mesh = parse_mesh(text, "m.obj").mesh;
  ASSERT_EQ(mesh.triangles.size(), 3u);
  double area = 0.0;
  for (const auto& t : mesh.triangles) {
    const Vec3 n = (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]);
    EXPECT_GT(n.z(), 0.0);
    area += 0.5 * n.z();
  }
  EXPECT_NEAR(area, 10.0, 1e-14);
}

TEST(ReadMesh, StlOfBothKinds) {
  const MeshData cube = parse_mesh(kCubeObj, "cube.obj").mesh;
  const TemporaryPath binary("cube.STL");
  write_binary_stl(binary.path, cube);
  const MeshFile read = read_mesh(binary.path);
  EXPECT_EQ(read.format, MeshFormat::stl_binary);
  EXPECT_EQ(read.mesh.vertices.size(), 8u);
  EXPECT_EQ(read.cleaning.num_welded, 28);
  EXPECT_EQ(calc_volume(read.mesh), 8.0);
  std::string ascii = "solid two words\n";
  for (const auto& t : cube.triangles) {
    ascii += "facet normal 0 0 0\n  outer loop\r\n";
    for (const int v : t) {
      ascii +=
          fmt::format("    vertex {:.6e} {:E} {}\n", cube.vertices[v].x(), cube.vertices[v].y(), cube.vertices[v].z());
    }
    ascii += "  endloop\nendfacet\n";
  }
  ascii += "endsolid two words\n";
  const MeshFile parsed = parse_mesh(ascii, "cube.stl");
  EXPECT_EQ(parsed.format, MeshFormat::stl_ascii);
  EXPECT_EQ(parsed.mesh.vertices.size(), 8u);
  EXPECT_EQ(calc_volume(parsed.mesh), 8.0);
}

TEST(ReadMesh, BinaryStlMayBeginWithSolid) {
  std::string bytes = "solid";
  bytes.append(75, ' ');
  put(bytes, std::uint32_t{1}, false);
  for (int i = 0; i < 12; ++i) put(bytes, static_cast<float>(i * i % 7), false);
  bytes.append(2, '\0');
  EXPECT_EQ(parse_mesh(bytes, "a.stl").format, MeshFormat::stl_binary);
}

TEST(ReadMesh, PlyOfBothByteOrdersAndText) {
  for (const bool is_big_endian : {false, true}) {
    const MeshFile file = parse_mesh(make_binary_ply(is_big_endian), "t.ply");
    EXPECT_EQ(file.format, MeshFormat::ply_binary);
    ASSERT_EQ(file.mesh.vertices.size(), 4u);
    EXPECT_EQ(file.mesh.vertices[1], Vec3(1.0 / 3.0, 0, 0));  // all bits of the double
    EXPECT_NEAR(calc_volume(file.mesh), 300.0 / 18.0, 1e-13);
  }
  const char* text =
      "ply\r\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_index\nelement vertex 4\nproperty float "
      "z\nproperty float y\nproperty float x\nend_header\n4 0 1 2 3\n0 0 0\n0 0 1\n0 1 1\n0 1 0\n";
  const MeshFile file = parse_mesh(text, "t.ply");
  EXPECT_EQ(file.format, MeshFormat::ply_ascii);
  EXPECT_EQ(file.mesh.triangles.size(), 2u);
  EXPECT_EQ(file.mesh.vertices[1], Vec3(1, 0, 0));
}

TEST(ReadMesh, WrittenObjKeepsAllBits) {
  MeshData mesh = parse_mesh(kCubeObj, "cube.obj").mesh;
  std::mt19937 engine(1);
  for (Vec3& v : mesh.vertices) v.x() += 1e-3 * std::sqrt(static_cast<double>(engine()));
  const TemporaryPath path("bits.obj");
  write_obj(path.path, mesh);
  const MeshData read = read_mesh(path.path).mesh;
  ASSERT_EQ(read.vertices.size(), mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) EXPECT_EQ(read.vertices[i], mesh.vertices[i]);
  EXPECT_EQ(read.triangles, mesh.triangles);
}

/// A tetrahedron with legs of 1, 2, 3 units along x, y, z of the file.
std::string make_dae(const std::string& asset, const std::string& transforms, const std::string& faces) {
  return "<?xml version=\"1.0\"?>\n<COLLADA version=\"1.4.1\">\n<asset>" + asset +
         "</asset>\n<library_geometries><geometry id=\"g\"><mesh><source id=\"s\"><float_array id=\"a\" count=\"12\">"
         "0 0 0 1 0 0 0 2 0 0 0 3</float_array><technique_common><accessor source=\"#a\" count=\"4\" stride=\"3\"/>"
         "</technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#s\"/></vertices>\n" +
         faces + "</mesh></geometry></library_geometries>\n<library_visual_scenes><visual_scene id=\"w\"><node>" +
         transforms +
         "<instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes>"
         "<scene><instance_visual_scene url=\"#w\"/></scene></COLLADA>\n";
}
const char* const kTriangles =
    "<triangles count=\"4\"><input semantic=\"NORMAL\" source=\"#n\" offset=\"0\"/><input semantic=\"VERTEX\" "
    "source=\"#v\" offset=\"1\"/><p>9 0 9 2 9 1  9 0 9 1 9 3  9 0 9 3 9 2  9 1 9 2 9 3</p></triangles>";

/// Six times the volume with its sign, and the far corner of the bounding box.
std::pair<double, Vec3> measure(const MeshData& mesh) {
  double volume = 0.0;
  Vec3 far = Vec3::Zero();
  for (const auto& t : mesh.triangles) {
    const Vec3 &a = mesh.vertices[static_cast<std::size_t>(t[0])], &b = mesh.vertices[static_cast<std::size_t>(t[1])],
               &c = mesh.vertices[static_cast<std::size_t>(t[2])];
    volume += a.dot(b.cross(c));
  }
  for (const Vec3& v : mesh.vertices) {
    for (int i = 0; i < 3; ++i) far[i] = std::abs(v[i]) > std::abs(far[i]) ? v[i] : far[i];
  }
  return {volume, far};
}

TEST(ReadMesh, DaeInMetresWithZUp) {
  const auto read = [](const std::string& asset, const std::string& transforms, const std::string& faces) {
    const MeshFile file = parse_mesh(make_dae(asset, transforms, faces), "x.dae");
    EXPECT_EQ(file.format, MeshFormat::dae);
    return measure(file.mesh);
  };
  EXPECT_EQ(read("<up_axis>Z_UP</up_axis>", "", kTriangles), std::pair(6.0, Vec3(1, 2, 3)));
  // Up is y: the file's y is z, its z is -y. Centimetres are a hundredth.
  EXPECT_EQ(read("<unit meter=\"0.5\"/>", "", kTriangles), std::pair(0.75, Vec3(0.5, -1.5, 1.0)));
  EXPECT_EQ(read("<up_axis>X_UP</up_axis>", "", kTriangles), std::pair(6.0, Vec3(-3, 2, 1)));
  EXPECT_EQ(read("<up_axis>Z_UP</up_axis>", "<translate>0 0 4</translate><scale>2 1 1</scale>", kTriangles).second,
            Vec3(2, 2, 7));
  // A mirrored node keeps its outside.
  EXPECT_EQ(read("<up_axis>Z_UP</up_axis>", "<matrix>-1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>", kTriangles),
            std::pair(6.0, Vec3(-1, 2, 3)));
  const char* list =
      "<polylist count=\"4\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><vcount>3 3 3 3</vcount>"
      "<p>0 2 1 0 1 3 0 3 2 1 2 3</p></polylist>";
  EXPECT_EQ(read("<up_axis>Z_UP</up_axis>", "", list), std::pair(6.0, Vec3(1, 2, 3)));
}

TEST(ReadMesh, DaeErrorsTellWhereAndWhat) {
  EXPECT_EQ(fail_text("<robot/>", "x.dae"), "x.dae:1: <robot> where a DAE file begins with <COLLADA>");
  EXPECT_EQ(fail_text("<COLLADA>\n<asset></COLLADA>", "x.dae"),
            "x.dae:2: this is not valid XML: </COLLADA> closes <asset> of line 2");
  const std::string beyond =
      "<triangles><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 4</p></triangles>";
  EXPECT_EQ(fail_text(make_dae("", "", beyond), "x.dae"), "x.dae:5: a face names vertex 4, but there are 4");
  std::string circle = make_dae("", "<instance_node url=\"#w\"/><instance_node url=\"#w\"/>", kTriangles);
  circle.replace(circle.find("<node>"), 6, "<node id=\"self\">");
  for (std::size_t at; (at = circle.find("\"#w\"/><instance_node")) != std::string::npos;)
    circle.replace(at, 4, "\"#self\"");
  circle.replace(circle.find("<instance_node url=\"#w\""), 23, "<instance_node url=\"#self\"");
  EXPECT_NE(fail_text(circle, "x.dae").find("nodes hold each other in a circle"), std::string::npos);
  const std::string lost = "<triangles><input semantic=\"VERTEX\" source=\"#z\" offset=\"0\"/><p>0 1 2</p></triangles>";
  EXPECT_EQ(fail_text(make_dae("", "", lost), "x.dae"), "x.dae:5: <input> names \"#z\", which is not in this file");
}

TEST(ReadMesh, ErrorsTellWhereAndWhat) {
  EXPECT_EQ(fail_text("v 0 0 0\nv 1 x 0\n", "a.obj"),
            "a.obj:2: \"x\" as coordinate 2 of a vertex; a line \"v x y z\" has three numbers");
  EXPECT_EQ(fail_text("v 0 0 0\nv 1 0\n", "a.obj"),
            "a.obj:2: \"\" as coordinate 3 of a vertex; a line \"v x y z\" has three numbers");
  EXPECT_EQ(fail_text("v 0 0 nan\nf 1 1 1\n", "a.obj"),
            "a.obj:1: a vertex at (0, 0, nan); coordinates have to be finite");
  EXPECT_EQ(fail_text("v 0 0 0\n\nf 1 1 9\n", "a.obj"),
            "a.obj:3: a face names vertex number 9 (counted from 1), but the file has 1");
  EXPECT_EQ(fail_text("v 0 0 0\nf 1 1 -2\n", "a.obj"), "a.obj:2: a face names vertex -2, but only 1 came before it");
  EXPECT_NE(fail_text("v 0 0 0\nf 1 0 1\n", "a.obj").find("a.obj:2: \"0\" as corner of a face; allowed are"),
            std::string::npos);
  EXPECT_EQ(fail_text("v 0 0 0\nf 1 1\n", "a.obj"), "a.obj:2: a face with 2 corners; at least 3 are needed");
  EXPECT_EQ(fail_text("# nothing\n", "a.obj"), "a.obj: no mesh in it: 0 vertices and 0 faces");
  EXPECT_EQ(fail_text("", "a.obj"), "a.obj: the file is empty");
  EXPECT_EQ(fail_text("hello", "a.step"),
            "a.step: the extension \".step\" and the content tell no mesh format; known are .obj, .stl, .ply and .dae");
  EXPECT_EQ(fail_text("hello", "a.ply"), "a.ply:1: \"hello\" where a PLY file begins with \"ply\"");
  EXPECT_EQ(fail_text("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", "a.stl"),
            "a.stl:5: \"end of file\" as component 3 of a vertex; a number has to follow");
  EXPECT_EQ(fail_text("solid x\nbanana\n", "a.stl"),
            "a.stl:2: \"banana\" where \"facet\" or \"endsolid\" has to follow");
  EXPECT_EQ(fail_text("ply\nformat ascii 2.0\n", "a.ply"), "a.ply:2: PLY version \"2.0\"; only 1.0 exists");
  EXPECT_THROW(read_mesh("/nowhere/at/all.stl"), SystemError);
  EXPECT_THROW(parse_mesh(kCubeObj, "a.obj", {.scale = 0.0, .weld_tolerance = 0.0, .progress = {}}), InputError);
}

TEST(ReadMesh, PromisesOfTheHeaderAreNotBelieved) {
  std::string stl(80, ' ');
  put(stl, std::uint32_t{0xFFFFFFFFu}, false);
  stl.append(100, '\0');
  EXPECT_EQ(
      fail_text(stl, "a.stl"),
      "a.stl: byte 80: the header promises 4294967295 triangles (214748364834 bytes), but the file has 184 bytes, "
      "enough for 2");
  const std::string ply =
      "ply\nformat binary_little_endian 1.0\nelement vertex 999999999999999\nproperty float x\nproperty float "
      "y\nproperty "
      "float z\nend_header\n1234";
  EXPECT_EQ(fail_text(ply, "a.ply"),
            fmt::format("a.ply: byte {}: the file ends; the header promises more", ply.size()));
}

TEST(ReadMesh, RubbishIsRefusedNotFollowed) {
  // Every prefix of each file, and copies with bytes changed at random, either read or throw InputError.
  std::vector<std::pair<std::string, std::string>> files = {
      {kCubeObj, "a.obj"}, {make_binary_ply(false), "a.ply"}, {make_binary_ply(true), "a.ply"}};
  std::string binary = "solid" + std::string(75, ' ');
  put(binary, std::uint32_t{2}, false);
  for (int i = 0; i < 100; ++i) binary.push_back(static_cast<char>(i));
  files.emplace_back(binary, "a.stl");
  files.emplace_back(
      "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
      "endsolid\n",
      "a.stl");
  std::mt19937 engine(7);
  int num_refused = 0, num_read = 0;
  const auto attempt = [&](const std::string& bytes, const std::string& name) {
    try {
      const MeshData mesh = parse_mesh(bytes, name).mesh;
      for (const auto& t : mesh.triangles) {
        for (const int v : t) ASSERT_LT(v, static_cast<int>(mesh.vertices.size()));
      }
      ++num_read;
    } catch (const InputError&) {
      ++num_refused;
    }
  };
  for (const auto& [bytes, name] : files) {
    for (std::size_t n = 0; n < bytes.size(); ++n) attempt(bytes.substr(0, n), name);
    for (int i = 0; i < 3000; ++i) {
      std::string changed = bytes;
      for (int k = static_cast<int>(engine() % 4); k >= 0; --k)
        changed[engine() % changed.size()] = static_cast<char>(engine());
      attempt(changed, name);
    }
  }
  EXPECT_GT(num_refused, 1000);
  EXPECT_GT(num_read, 1000);
}

TEST(ReadMesh, ProgressRisesToOne) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += fmt::format("v {} {} 0\n", i, i % 7);
  for (int i = 1; i + 2 <= 20000; ++i) text += fmt::format("f {} {} {}\n", i, i + 1, i + 2);
  std::vector<double> parts;
  parse_mesh(text, "m.obj",
             {.scale = 1.0, .weld_tolerance = 0.0, .progress = [&](double part) { parts.push_back(part); }});
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  EXPECT_GT(parts.size(), 50u);
  EXPECT_LT(parts.size(), 150u);
  EXPECT_EQ(parts.back(), 1.0);
}

TEST(ReadMesh, OnlyOrdinaryFilesOfABoundedSize) {
  EXPECT_THROW(read_mesh("/dev/zero"), SystemError);
  const TemporaryPath large("large.stl");
  std::FILE* file = std::fopen(large.path.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  std::fclose(file);
  std::filesystem::resize_file(large.path, std::uintmax_t{3} << 30);  // of holes
  try {
    read_mesh(large.path);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("larger than 512 MB"), std::string::npos);
  }
}

}  // namespace
}  // namespace abut
