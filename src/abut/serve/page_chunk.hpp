#pragma once

#include <string>
#include <vector>

#include "abut/io/result_file.hpp"

namespace abut {

/// How the numbers of a column travel to the page. Doubles are rounded to 32 bits of mantissa (9.6 decimal digits, one
/// more than the page ever shows): the bytes that fall away are half of what a report would weigh. `single` is for what
/// is only drawn, never read off.
enum class PageType { rounded_double, single, integer, byte };

/// Columns of a record as one text that web/src/data.ts decodes: each component a series over the rows, its bytes
/// sorted into planes, each plane as differences (exclusive or) to the row before, all of them deflated, as base64.
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
