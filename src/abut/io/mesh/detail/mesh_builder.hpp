#pragma once

#include <functional>
#include <string>
#include <vector>

#include "abut/math/mesh_data.hpp"

namespace abut::detail {

/// Collects what a mesh file says. Polygons are kept until all vertices are known, since some formats name vertices
/// before they come.
class MeshBuilder {
 public:
  explicit MeshBuilder(std::string name) : name_(std::move(name)) {}

  /// `where` is a line (text) or a byte offset (binary), for messages.
  void add_vertex(const Vec3& p, long where);
  void begin_polygon(long where);
  void add_corner(long long index, long where);
  void end_polygon();
  int num_vertices() const { return static_cast<int>(mesh_.vertices.size()); }
  void set_binary() { is_binary_ = true; }

  /// Cuts polygons into triangles. InputError if a corner names no vertex or nothing was found.
  MeshData finish();

  /// InputError "name:line: text" or "name: byte offset: text".
  [[noreturn]] void fail(long where, const std::string& text) const;
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  bool is_binary_ = false;
  MeshData mesh_;
  std::vector<int> corners_;
  std::vector<std::size_t> ends_;  ///< of each polygon in corners_
  std::vector<long> places_;
};

/// Calls back about a hundred times while a position moves from 0 to `size`.
class Progress {
 public:
  Progress(const std::function<void(double)>& callback, std::size_t size)
      : callback_(callback), size_(size), step_(size / 100 + 1) {}
  void at(std::size_t position) {
    if (position < next_) return;
    next_ = position + step_;
    if (callback_) callback_(static_cast<double>(position) / static_cast<double>(size_ + 1));
  }

 private:
  const std::function<void(double)>& callback_;
  std::size_t size_, step_, next_ = 0;
};

}  // namespace abut::detail
