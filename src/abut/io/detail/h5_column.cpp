#include "abut/io/detail/h5_column.hpp"

#include <algorithm>
#include <bit>

#include "abut/base/error.hpp"

namespace abut {

namespace {

/// What a disk and the caches of readers handle well [bytes].
constexpr std::uint64_t kChunkBytes = 1u << 16;
/// A chunk is at most 4 GB long, and so is a row.
constexpr std::uint64_t kMostRowBytes = std::uint64_t{1} << 31;

}  // namespace

H5Column::H5Column(std::string name, H5Type type, std::vector<std::uint64_t> shape, std::vector<H5Attribute> attributes)
    : name_(std::move(name)),
      type_(type),
      shape_(std::move(shape)),
      attributes_(std::move(attributes)),
      row_bytes_(size_of(type)) {
  for (const std::uint64_t size : shape_) row_bytes_ *= size;
  ABUT_REQUIRE(row_bytes_ <= kMostRowBytes, "rows of {} bytes in {}", row_bytes_, name_);
  chunk_rows_ = std::max<std::uint64_t>(kChunkBytes / std::max<std::size_t>(row_bytes_, 1), 1);
  chunk_bytes_ = chunk_rows_ * row_bytes_;
}

std::uint64_t H5Column::write(H5Store& store) {
  write_rows(store);
  if (is_changed_) write_header(store);
  return header_;
}

void H5Column::tidy(H5Store& store) {
  if (!tree_) return;
  tree_->release(store);
  is_changed_ = true;
}

/// To a place of this many bytes.
void H5Column::move_piece(H5Store& store, std::uint64_t bytes) {
  const std::uint64_t place = store.allocate(bytes);
  if (num_rows_ > 0) store.write(place, store.read(piece_, num_rows_ * row_bytes_));
  if (piece_bytes_ > 0) store.release(piece_, piece_bytes_);
  piece_ = place;
  piece_bytes_ = bytes;
}

void H5Column::write_rows(H5Store& store) {
  if (buffer_.empty()) return;
  const std::uint64_t rows = buffer_.size() / row_bytes_;
  ABUT_REQUIRE(rows * row_bytes_ == buffer_.size(), "{} bytes for {}, not a multiple of {}", buffer_.size(), name_,
               row_bytes_);
  std::string_view left = buffer_;
  std::uint64_t first = num_rows_;  // row of what is left
  const std::uint64_t wanted = std::min((num_rows_ + rows) * row_bytes_, chunk_bytes_);
  if (!tree_ && wanted > piece_bytes_) move_piece(store, std::min(std::bit_ceil(wanted), chunk_bytes_));
  if (!tree_ && (num_rows_ + rows) * row_bytes_ > chunk_bytes_) {
    tree_.emplace(shape_.size() + 1, chunk_rows_, chunk_bytes_);
    tree_->add(piece_);
  }
  while (!left.empty()) {
    const std::uint64_t chunk = first / chunk_rows_, begin = first % chunk_rows_ * row_bytes_;
    if (tree_ && chunk == tree_->chunks().size()) tree_->add(store.allocate(chunk_bytes_));
    const std::uint64_t size = std::min<std::uint64_t>(left.size(), chunk_bytes_ - begin);
    store.write((tree_ ? tree_->chunks()[chunk] : piece_) + begin, left.substr(0, size));
    left.remove_prefix(size);
    first += size / row_bytes_;
  }
  sum_ = calc_crc32c(buffer_, sum_);
  num_rows_ += rows;
  buffer_.clear();
  is_changed_ = true;
}

void H5Column::write_header(H5Store& store) {
  std::vector<std::uint64_t> shape = shape_;
  shape.insert(shape.begin(), num_rows_);
  std::vector<H5Attribute> attributes = attributes_;
  attributes.push_back({"crc32c", H5Type::uint32, H5Bytes().put(sum_).bytes()});
  H5Layout layout;
  if (tree_) {
    layout = {tree_->write(store), 0, chunk_rows_};
  } else {
    layout = {piece_, num_rows_ * row_bytes_, 0};
  }
  const std::string header = encode_dataset(type_, shape, layout, attributes);
  if (header_ != kNoAddress) store.release(header_, header_bytes_);
  header_ = store.add(header);
  header_bytes_ = header.size();
  is_changed_ = false;
}

}  // namespace abut
