#pragma once

#include <string>

#include "abut/io/result_file.hpp"
#include "abut/serve/page.hpp"

namespace abut {

/// A record as one run of a page; `name` is shown where the scene has no title.
PageRun make_page_run(const ResultFile& file, const std::string& name);

/// "out/ball/result.h5" and "out/ball/" are both named "ball".
std::string name_of_result(const std::string& path);

/// Where a page goes that was given no name: out/NAME.html, in a folder made here.
std::string make_page_path(const std::string& name);
/// Writes a page beside its target and renames it; says where it is and how large, unless quiet.
void write_page(const std::string& path, const std::string& html, bool is_quiet);

}  // namespace abut
