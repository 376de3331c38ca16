#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "abut/io/detail/h5_column.hpp"
#include "abut/io/detail/h5_store.hpp"
#include "abut/io/detail/h5_text_heap.hpp"

namespace abut {

/// An HDF5 file that is written from its beginning to its end: groups, texts, and datasets that grow. Every HDF5
/// library since 1.8 reads it, at any time up to what was committed last (H5Store). Names are paths without the leading
/// slash.
class H5File {
 public:
  explicit H5File(const std::string& path) : store_(path) {}

  void make_group(const std::string& name) { groups_.try_emplace(name); }
  /// Of a group; replaces one of that name. The root is "".
  void set_attribute(const std::string& group, const std::string& name, const std::string& text);
  void set_attribute(const std::string& group, const std::string& name, std::int64_t value);
  /// Reference stays valid. shape: of one row.
  H5Column& add_column(const std::string& name, H5Type type, std::vector<std::uint64_t> shape, const std::string& unit,
                       const std::string& parts = "");
  void add_texts(const std::string& name, const std::vector<std::string>& texts, const std::string& unit);

  /// Everything that was gathered, at once or not at all.
  void commit();
  H5Store& store() { return store_; }
  const H5Store& store() const { return store_; }
  std::deque<H5Column>& columns() { return columns_; }
  const std::deque<H5Column>& columns() const { return columns_; }

 private:
  struct Group {
    std::vector<H5Attribute> attributes;
    std::string header;  ///< as it is in the file
    std::uint64_t address = kNoAddress;
  };
  H5Attribute make_attribute(const std::string& name, const std::string& text);
  void set(const std::string& group, H5Attribute attribute);
  void write_group(const std::string& name, Group& group, std::map<std::string, std::uint64_t>& headers);

  H5Store store_;
  std::map<std::string, Group> groups_{{"", {}}};
  std::deque<H5Column> columns_;
  H5TextHeap texts_;
};

}  // namespace abut
