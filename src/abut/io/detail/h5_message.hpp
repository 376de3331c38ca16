#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "abut/io/detail/h5_bytes.hpp"

namespace abut {

/// What the values of a dataset or an attribute are.
enum class H5Type { float64, int32, int64, uint8, uint32, text };

/// In the file [bytes]. A text is its length, and where in a heap it lies.
std::size_t size_of(H5Type type);

/// A text that lies in a heap of the file.
struct H5Text {
  std::uint32_t size = 0;  ///< [bytes]
  std::uint64_t heap = 0;  ///< address of the collection; 0: the empty text
  std::uint32_t index = 0;

  std::string encode() const { return H5Bytes().put(size).put(heap).put(index).bytes(); }
};

/// One value that describes an object.
struct H5Attribute {
  std::string name;
  H5Type type;
  std::string value;  ///< as it lies in the file
};

/// Where the values of a dataset are.
struct H5Layout {
  std::uint64_t address = kNoAddress;  ///< of the values, or of the tree of chunks
  std::uint64_t bytes = 0;             ///< of values that are not in chunks
  std::uint64_t chunk_rows = 0;        ///< of each chunk; 0: no chunks
};

/// Header of a dataset, of version 2 [HDF Group 2016, IV.A.1.b]. shape: with the number of rows first.
std::string encode_dataset(H5Type type, const std::vector<std::uint64_t>& shape, const H5Layout& layout,
                           const std::vector<H5Attribute>& attributes);

/// Header of a group, which holds the names and addresses of its members itself.
std::string encode_group(const std::vector<std::pair<std::string, std::uint64_t>>& members,
                         const std::vector<H5Attribute>& attributes);

}  // namespace abut
