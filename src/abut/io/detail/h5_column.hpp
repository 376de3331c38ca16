#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "abut/io/detail/h5_chunk_tree.hpp"
#include "abut/io/detail/h5_message.hpp"
#include "abut/io/detail/h5_store.hpp"

namespace abut {

template <class T>
constexpr H5Type h5_type_of() {
  if constexpr (std::is_same_v<T, double>) {
    return H5Type::float64;
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return H5Type::int64;
  } else if constexpr (std::is_same_v<T, int>) {
    return H5Type::int32;
  } else {
    static_assert(std::is_same_v<T, std::uint8_t>);
    return H5Type::uint8;
  }
}

/// Dataset [rows, ...] that grows by rows. Its values are in one piece, which moves while it is small, and from 64 KB
/// on in chunks of that size, of which the piece is the first. Rows are only ever written behind those that were there.
/// Its attribute crc32c is the sum of all its bytes.
class H5Column {
 public:
  /// name: path without the leading slash. shape: of one row; empty for a scalar.
  H5Column(std::string name, H5Type type, std::vector<std::uint64_t> shape, std::vector<H5Attribute> attributes);

  template <class T>
  requires std::is_arithmetic_v<T>
  void push(T value) { append({reinterpret_cast<const char*>(&value), sizeof value}); }
  template <class T>
  void push(const std::vector<T>& values) {
    append({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }
  template <class Vector>
  requires requires(const Vector& v) { v.data(), v.rows(); }
  void push(const Vector& v) {
    append({reinterpret_cast<const char*>(v.data()), static_cast<std::size_t>(v.size()) * sizeof(double)});
  }
  /// Gathered until write().
  void append(std::string_view bytes) { buffer_.append(bytes); }
  std::size_t buffered_bytes() const { return buffer_.size(); }

  /// Writes the rows that were gathered, and the header where something has changed; the header's address.
  std::uint64_t write(H5Store& store);
  /// For the last write() of a file: what other programs may want to change is written in the usual order.
  void tidy(H5Store& store);

  const std::string& name() const { return name_; }
  H5Type type() const { return type_; }
  const std::vector<std::uint64_t>& row_shape() const { return shape_; }
  std::size_t row_bytes() const { return row_bytes_; }
  /// In the file, without those gathered.
  std::uint64_t num_rows() const { return num_rows_; }

 private:
  void write_rows(H5Store& store);
  void move_piece(H5Store& store, std::uint64_t bytes);
  void write_header(H5Store& store);

  std::string name_;
  H5Type type_;
  std::vector<std::uint64_t> shape_;
  std::vector<H5Attribute> attributes_;
  std::size_t row_bytes_;
  std::uint64_t chunk_rows_, chunk_bytes_;
  std::string buffer_;
  std::uint64_t num_rows_ = 0;
  std::uint32_t sum_ = 0;
  /// While there are no chunks.
  std::uint64_t piece_ = kNoAddress, piece_bytes_ = 0;
  std::optional<H5ChunkTree> tree_;
  bool is_changed_ = true;
  std::uint64_t header_ = kNoAddress;
  std::size_t header_bytes_ = 0;
};

}  // namespace abut
