#pragma once

#include <cstdint>
#include <optional>

#include "abut/io/result_file.hpp"

namespace abut {

/// What a record promises, so that those who use it need not look again. H5Damage where it does not hold, with the name
/// of the dataset.

/// Widths, types and numbers of rows. samples: the number that was written last, by recorders that do.
void check_result_columns(const ResultFile& file, std::optional<std::int64_t> samples);

/// Indices and ranges, after rows that not all columns have were left out. A summary that is no JSON is left out, with
/// a warning.
void check_result_file(ResultFile& file);

}  // namespace abut
