#include "abut/serve/page.hpp"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "abut/base/error.hpp"
#include "abut/serve/detail/embedded_page.hpp"

namespace abut {
namespace {

constexpr std::string_view kDoctype = "<!doctype html>";

/// Inside a script element only "</" and "<!" end or confuse it.
std::string escape_script(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string make_page_json(PageKind kind, const std::vector<PageRun>& runs) {
  constexpr std::array<const char*, 3> kKinds{"report", "live", "compare"};
  std::string list;
  for (const PageRun& run : runs) {
    list +=
        fmt::format(R"({}{{"info":{},"chunk":{{"columns":{},"encoding":"{}","data":""}}}})", list.empty() ? "" : ",",
                    run.info_json, run.chunk.columns_json, run.chunk.is_deflated ? "deflate" : "raw");
  }
  return fmt::format(R"({{"kind":"{}","program":"abut","runs":[{}]}})", kKinds[static_cast<std::size_t>(kind)], list);
}

std::string make_data(const std::vector<PageRun>& runs) {
  std::string text;
  for (std::size_t i = 0; i < runs.size(); ++i)
    text += fmt::format("<script type=\"text/plain\" id=\"abut-data-{}\">{}</script>\n", i, runs[i].chunk.data);
  return text;
}

}  // namespace

bool has_page_bundle() { return embedded_page().substr(0, kDoctype.size()) == kDoctype; }

void require_page_bundle() {
  if (has_page_bundle()) return;
  std::string reason(embedded_page());
  while (!reason.empty() && reason.back() == '\n') reason.pop_back();
  throw SystemError(fmt::format(
      "this build of abut has no page: {}.\nThe page is made by Node.js (18 or later) and npm. On Debian: tools/setup "
      "web, then build again (./abut does both by itself).\nPlots without a browser: --plot FILE.svg",
      reason));
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // No document of XML may hold the others, not even by their number.
        if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') {
          out += "\xEF\xBF\xBD";
        } else {
          out += c;
        }
    }
  }
  return out;
}

std::string fill_page(std::string_view bundle, PageKind kind, const std::string& title,
                      const std::vector<PageRun>& runs) {
  std::string out;
  std::size_t from = 0;
  // One pass over the template: what is filled in may itself contain such marks.
  while (true) {
    const std::size_t open = bundle.find("{{", from);
    const std::size_t close = open == std::string_view::npos ? open : bundle.find("}}", open);
    if (close == std::string_view::npos) break;
    const std::string_view mark = bundle.substr(open + 2, close - open - 2);
    out += bundle.substr(from, open - from);
    from = close + 2;
    if (mark == "title") {
      out += escape_html(title);
    } else if (mark == "connect") {
      out += kind == PageKind::live ? "'self'" : "'none'";
    } else if (mark == "page") {
      out += escape_script(make_page_json(kind, runs));
    } else if (mark == "data") {
      out += make_data(runs);
    } else {
      out += bundle.substr(open, 2);  // two braces of the script
      from = open + 2;
    }
  }
  out += bundle.substr(from);
  return out;
}

std::string make_page(PageKind kind, const std::string& title, const std::vector<PageRun>& runs) {
  require_page_bundle();
  return fill_page(embedded_page(), kind, title, runs);
}

}  // namespace abut
