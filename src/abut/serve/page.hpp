#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abut/serve/page_chunk.hpp"

namespace abut {

/// One run of a page: make_run_info_json() and its columns.
struct PageRun {
  std::string info_json;
  PageChunk chunk;
};

enum class PageKind { report, live, compare };

/// The page that the build has put into this program: script and style inside, places for the data.
bool has_page_bundle();
/// Throws SystemError, saying what was missing when the program was built and how to get it.
void require_page_bundle();

/// A whole HTML file that needs nothing else. A live page starts empty and asks the server that sent it.
std::string make_page(PageKind kind, const std::string& title, const std::vector<PageRun>& runs);

/// The same with another template, for tests.
std::string fill_page(std::string_view bundle, PageKind kind, const std::string& title,
                      const std::vector<PageRun>& runs);

/// For text inside HTML.
std::string escape_html(std::string_view text);

}  // namespace abut
