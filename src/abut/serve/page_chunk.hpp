#pragma once

#include <string>
#include <vector>

#include "abut/io/result_file.hpp"

namespace abut {

/// How the numbers of a column travel to the page. `number`: a double rounded to 28 bits of mantissa (relative error
/// below 2e-9: eight digits, two more than the page shows), 5 bytes. `drawn`: a float rounded to 15 bits of mantissa
/// (2e-5), 3 bytes, for what is only drawn, never read off.
enum class PageType { number, drawn, integer, byte };

/// Columns of a record as one text that web/src/data.ts decodes. Each component is a series over the rows: one byte
/// with the order of its predictor, then what the prediction leaves of each value, sorted into byte planes (all lowest
/// bytes, all second bytes, ...). Rows of /contact are coded contact by contact (sorted by body_a, body_b, patch, which
/// are themselves in the order of the record). Smooth series become long runs of zeros, which deflate removes. All as
/// base64.
struct PageChunk {
  std::string columns_json;  ///< name, unit, width, rows and type of each
  std::string data;          ///< base64
  bool is_deflated = false;

  /// The chunk with its data inside, for a live page.
  std::string to_json() const;
};

PageChunk make_page_chunk(const std::vector<ResultColumn>& columns, bool deflates);

/// How a column travels, by its name.
PageType page_type(const ResultColumn& column);

/// The value that the page will have for a recorded one.
double round_for_page(double value);

}  // namespace abut
