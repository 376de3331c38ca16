#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "abut/io/detail/h5_input.hpp"

namespace abut {

/// What values are, as far as records have such.
struct H5ValueType {
  enum class Kind { integer, real, fixed_text, text, other };
  Kind kind = Kind::other;
  std::uint64_t bytes = 0;  ///< of one value
  bool is_signed = false;

  bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
  bool is_text() const { return kind == Kind::fixed_text || kind == Kind::text; }
};

struct H5ObjectAttribute {
  std::string name;
  H5ValueType type;
  std::vector<std::uint64_t> shape;  ///< empty for one value
  std::string value;                 ///< as it lies in the file
};

/// Header of an object: of a dataset, or of a group.
struct H5Object {
  std::optional<std::vector<std::uint64_t>> shape;  ///< only datasets have one
  H5ValueType type;
  // Where the values are:
  enum class Layout { none, compact, contiguous, chunked };
  Layout layout = Layout::none;
  std::string compact;                 ///< the values themselves
  std::uint64_t address = kNoAddress;  ///< of the values, or of the tree of chunks
  std::uint64_t bytes = 0;             ///< of contiguous values
  std::vector<std::uint64_t> chunk;    ///< shape of a chunk
  bool is_filtered = false;            ///< compressed, say
  std::vector<H5ObjectAttribute> attributes;
  std::vector<std::pair<std::string, std::uint64_t>> members;  ///< of a group, and where their headers are
};

/// Reads headers of versions 1 and 2 [HDF Group 2016, IV.A], and groups that keep their members in the header or in a
/// table of symbols. H5Damage, H5Unknown.
H5Object read_object(const H5Input& input, std::uint64_t address);

}  // namespace abut
