#include "abut/io/write_mesh.hpp"

#include <bit>
#include <cstdint>

#include <fmt/format.h>

#include "abut/io/text_file.hpp"

namespace abut {
namespace {

void put_uint32(std::string& out, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) out.push_back(static_cast<char>((value >> (8 * i)) & 0xFFu));
}

void put_vector(std::string& out, const Vec3& v) {
  for (int i = 0; i < 3; ++i) put_uint32(out, std::bit_cast<std::uint32_t>(static_cast<float>(v[i])));
}

}  // namespace

void write_obj(const std::string& path, const MeshData& mesh) {
  std::string text;
  for (const Vec3& v : mesh.vertices) fmt::format_to(std::back_inserter(text), "v {} {} {}\n", v.x(), v.y(), v.z());
  for (const std::array<int, 3>& t : mesh.triangles) {
    fmt::format_to(std::back_inserter(text), "f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  }
  write_text_file_atomically(path, text);
}

void write_binary_stl(const std::string& path, const MeshData& mesh) {
  std::string out = "binary STL, lengths in metres";
  out.resize(80, ' ');
  put_uint32(out, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const std::array<int, 3>& t : mesh.triangles) {
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    put_vector(out, Vec3((b - a).cross(c - a).normalized()));
    for (const Vec3& v : {a, b, c}) put_vector(out, v);
    out.append(2, '\0');
  }
  write_text_file_atomically(path, out);
}

}  // namespace abut
