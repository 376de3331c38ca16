#include "abut/io/mesh/detail/mesh_builder.hpp"

#include <limits>

#include "abut/base/error.hpp"
#include "abut/math/triangulate_polygon.hpp"

namespace abut::detail {
namespace {

/// Half-edges are numbered by int: 3 for each triangle.
constexpr std::size_t kMaxCount = static_cast<std::size_t>(std::numeric_limits<int>::max()) / 3;

/// Cutting a polygon into triangles takes the square of its corners.
constexpr std::size_t kMaxCorners = 4096;

}  // namespace

void MeshBuilder::fail(long where, const std::string& text) const {
  throw InputError(is_binary_ ? fmt::format("{}: byte {}: {}", name_, where, text)
                              : fmt::format("{}:{}: {}", name_, where, text));
}

void MeshBuilder::add_vertex(const Vec3& p, long where) {
  if (!p.allFinite()) {
    fail(where, fmt::format("a vertex at ({}, {}, {}); coordinates have to be finite", p.x(), p.y(), p.z()));
  }
  if (mesh_.vertices.size() >= kMaxCount) fail(where, fmt::format("more than {} vertices", kMaxCount));
  mesh_.vertices.push_back(p);
}

void MeshBuilder::begin_polygon(long where) { places_.push_back(where); }

void MeshBuilder::add_corner(long long index, long where) {
  if (index < 0 || index >= static_cast<long long>(kMaxCount)) {
    fail(where, fmt::format("a face names vertex {}; vertices are 0 to {} at most here", index, kMaxCount - 1));
  }
  corners_.push_back(static_cast<int>(index));
}

void MeshBuilder::end_polygon() {
  const std::size_t begin = ends_.empty() ? 0 : ends_.back();
  const std::size_t count = corners_.size() - begin;
  if (count < 3) fail(places_.back(), fmt::format("a face with {} corners; at least 3 are needed", count));
  if (count > kMaxCorners) {
    fail(places_.back(), fmt::format("a face with {} corners; at most {} are allowed", count, kMaxCorners));
  }
  ends_.push_back(corners_.size());
}

MeshData MeshBuilder::finish() {
  if (mesh_.vertices.empty() || ends_.empty()) {
    throw InputError(
        fmt::format("{}: no mesh in it: {} vertices and {} faces", name_, mesh_.vertices.size(), ends_.size()));
  }
  mesh_.triangles.reserve(ends_.size());
  std::vector<int> polygon;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    polygon.assign(corners_.begin() + static_cast<std::ptrdiff_t>(begin),
                   corners_.begin() + static_cast<std::ptrdiff_t>(ends_[i]));
    for (const int c : polygon) {
      if (c >= num_vertices()) {
        fail(places_[i],
             fmt::format("a face names vertex number {} (counted from 1), but the file has {}", c + 1, num_vertices()));
      }
    }
    triangulate_polygon(mesh_.vertices, polygon, mesh_.triangles);
    begin = ends_[i];
  }
  if (mesh_.triangles.size() >= kMaxCount) {
    throw InputError(
        fmt::format("{}: {} triangles; at most {} are possible", name_, mesh_.triangles.size(), kMaxCount));
  }
  return std::move(mesh_);
}

}  // namespace abut::detail
