#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "abut/io/result_file.hpp"

namespace abut {

/// How the numbers of a column travel to the page. `number`: a double, all of it or its upper 7, 6 or 5 bytes. For what
/// is only drawn, never read off, `single`: a float; and `drawn`: a float rounded to 15 bits of mantissa (relative
/// error 2e-5), 3 bytes.
enum class PageType { number, single, drawn, integer, byte };

/// Bytes of a number that loses nothing, and of the coarsest one: 28 bits of mantissa, relative error below 2e-9.
constexpr int kExactBytes = 8, kFewestBytes = 5;

/// Data of a whole page [bytes]: with the page itself less than 5 MB, which an e-mail still takes.
constexpr std::size_t kPageDataSize = 4'500'000;

/// Columns of a record as one text that web/src/data.ts decodes. Each component is a series over the rows: one byte
/// with the order of its predictor, then what the prediction leaves of each value, sorted into byte planes (all lowest
/// bytes, all second bytes, ...). Rows of /contact are coded contact by contact (sorted by body_a, body_b, patch, which
/// are themselves in the order of the record). Smooth series become long runs of zeros, which deflate removes. All as
/// base64.
struct PageChunk {
  std::string columns_json;  ///< name, unit, width, rows and type of each
  std::string data;          ///< base64
  bool is_deflated = false;
  int number_bytes = kExactBytes;

  /// The chunk with its data inside, for a live page.
  std::string to_json() const;
};

PageChunk make_page_chunk(const std::vector<ResultColumn>& columns, bool deflates, int number_bytes = kExactBytes);

/// A deflated chunk with numbers as exact as `most_size` bytes of data allow: every bit where they fit, and never
/// coarser than kFewestBytes, however many there are.
PageChunk make_fitting_chunk(const std::vector<ResultColumn>& columns, std::size_t most_size);

/// How a column travels, by its name.
PageType page_type(const ResultColumn& column);

/// The value that the page will have for a recorded one, of which it keeps the upper `number_bytes`, rounded.
double round_for_page(double value, int number_bytes);

}  // namespace abut
