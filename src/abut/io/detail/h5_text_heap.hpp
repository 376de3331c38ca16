#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "abut/io/detail/h5_message.hpp"
#include "abut/io/detail/h5_store.hpp"

namespace abut {

/// Texts of an HDF5 file, each kept once, in collections [HDF Group 2016, III.E] that are written once.
class H5TextHeap {
 public:
  /// Where the text will lie after write().
  H5Text keep(H5Store& store, const std::string& text);
  void write(H5Store& store);

 private:
  std::map<std::string, H5Text> texts_;
  H5Bytes open_;  ///< collection that is being filled; empty: none
  std::uint64_t address_ = kNoAddress;
  std::size_t capacity_ = 0;     ///< that it will have [bytes]
  std::uint32_t num_texts_ = 0;  ///< in it
};

}  // namespace abut
