#include "abut/io/detail/h5_text_heap.hpp"

#include <algorithm>

namespace abut {

namespace {

/// What HDF5 expects a collection to have at least, and what is enough for several [bytes].
constexpr std::size_t kLeastBytes = 4096, kOrdinaryBytes = 1u << 16;
constexpr std::size_t kHeadBytes = 16;

std::size_t pad(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace

H5Text H5TextHeap::keep(H5Store& store, const std::string& text) {
  if (text.empty()) return {};
  const auto found = texts_.find(text);
  if (found != texts_.end()) return found->second;
  const std::size_t bytes = kHeadBytes + pad(text.size());
  // Behind the last text there is the object that stands for what is left.
  if (address_ != kNoAddress && open_.size() + bytes + kHeadBytes > capacity_) write(store);
  if (address_ == kNoAddress) {
    const std::size_t usual = std::min(std::max(kLeastBytes, 2 * capacity_), kOrdinaryBytes);
    capacity_ = std::max(usual, kHeadBytes + bytes + kHeadBytes);
    address_ = store.allocate(capacity_);
    open_ = H5Bytes();
    open_.text("GCOL").u8(1).u8(0).u16(0).u64(capacity_);
    num_texts_ = 0;
  }
  ++num_texts_;
  const std::size_t begin = open_.size();
  open_.u16(num_texts_).u16(1).u32(0).u64(text.size()).text(text).fill(begin + bytes);
  const H5Text kept{static_cast<std::uint32_t>(text.size()), address_, num_texts_};
  texts_.emplace(text, kept);
  return kept;
}

void H5TextHeap::write(H5Store& store) {
  if (address_ == kNoAddress) return;
  open_.u16(0).u16(0).u32(0).u64(capacity_ - open_.size() + 8);
  store.write(address_, open_.fill(capacity_).bytes());
  address_ = kNoAddress;
}

}  // namespace abut
