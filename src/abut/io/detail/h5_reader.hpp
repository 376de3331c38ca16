#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abut/io/detail/h5_input.hpp"
#include "abut/io/detail/h5_object.hpp"

namespace abut {

/// Reads HDF5 files as records are: written by H5File, or with the defaults of HDF5's own library. A file may hold
/// anything: every address, size, type and sum is looked at before it is used, and what is wrong is said with the names
/// of file and dataset. Names are paths without the leading slash.
///
/// InputError: no HDF5 file, damaged, or kept in a way that is not read here. SystemError: the file cannot be read.
class H5Reader {
 public:
  explicit H5Reader(const std::string& path);

  /// All of the file, in order of their names.
  const std::map<std::string, H5Object>& datasets() const { return datasets_; }
  const H5Object* find(const std::string& name) const;

  /// Of a group or a dataset; nothing where it has no such attribute, or one of another type.
  std::optional<std::string> read_text(const std::string& object, const std::string& attribute) const;
  std::optional<std::int64_t> read_integer(const std::string& object, const std::string& attribute) const;

  std::vector<std::string> read_texts(const std::string& dataset) const;
  /// Row after row; the dataset holds numbers.
  std::vector<double> read_numbers(const std::string& dataset) const;
  /// The values of the first rows as they lie in the file, in pieces.
  void copy_rows(const std::string& dataset, std::uint64_t rows,
                 const std::function<void(std::string_view)>& take) const;

  /// Adds file and dataset to what `work` says of damage.
  template <class Work>
  auto guard(const std::string& object, Work&& work) const {
    try {
      return work();
    } catch (const H5Damage& damage) {
      fail(object, damage.what(), true);
    } catch (const H5Unknown& unknown) {
      fail(object, unknown.what(), false);
    }
  }

 private:
  void read_group(std::uint64_t address, const std::string& name, int depth);
  std::string read_values(const H5Object& object) const;
  void read_chunks(const H5Object& object, std::uint64_t row_bytes, std::string& values) const;
  /// A collection of texts, and where in it they begin and how long they are.
  struct Heap {
    std::string bytes;
    std::map<unsigned, std::pair<std::uint64_t, std::uint64_t>> objects;
  };
  const Heap& read_heap(std::uint64_t address) const;
  std::string read_heap_text(std::string_view reference) const;
  std::string decode_text(const H5ValueType& type, std::string_view value) const;
  void check_sum(const H5Object& object, std::string_view values) const;
  [[noreturn]] void fail(const std::string& object, const std::string& reason, bool is_damage) const;

  H5Input input_;
  std::map<std::string, H5Object> groups_, datasets_;
  mutable std::map<std::uint64_t, Heap> heaps_;  ///< that were needed so far
  mutable std::uint64_t heap_bytes_ = 0;
};

}  // namespace abut
