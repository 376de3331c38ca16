#pragma once

#include <cstdint>
#include <vector>

#include "abut/io/detail/h5_column.hpp"
#include "abut/scene/record_column.hpp"

namespace abut {

/// Datasets made from a table of columns, filled row by row.
template <class Row>
class ColumnSet {
 public:
  void add(const RecordColumn<Row>& column, H5Column& dataset) { entries_.push_back({&column, &dataset}); }

  /// In the file, without those gathered.
  std::uint64_t num_rows() const { return entries_.empty() ? 0 : entries_.front().dataset->num_rows(); }

  void push(const Row& row) {
    for (const Entry& entry : entries_) {
      double numbers[kMostColumnNumbers];
      entry.column->read(row, numbers);
      switch (entry.column->type) {
        case ColumnType::number:
          entry.dataset->append({reinterpret_cast<const char*>(numbers), entry.column->width * sizeof(double)});
          break;
        case ColumnType::integer:
        case ColumnType::body:
          append<int>(*entry.dataset, numbers[0]);
          break;
        case ColumnType::flag:
          append<std::uint8_t>(*entry.dataset, numbers[0]);
          break;
      }
    }
  }

 private:
  struct Entry {
    const RecordColumn<Row>* column;
    H5Column* dataset;
  };

  template <class T>
  static void append(H5Column& dataset, double number) {
    dataset.push(static_cast<T>(number));
  }

  std::vector<Entry> entries_;
};

}  // namespace abut
