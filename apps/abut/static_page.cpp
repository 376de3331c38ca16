#include "static_page.hpp"

#include <fmt/format.h>

#include "abut/serve/page.hpp"

namespace abut {

namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --text: #1d2329; --faint: #5d6873; --line: #e3e7eb; --back: #ffffff; --soft: #f4f6f8;
  --ok: #00658f; --differs: #8a5a00; --fails: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e8ec; --faint: #98a3ae; --line: #2c343c; --back: #14181c;
  --soft: #1b2127; --ok: #5cc0ee; --differs: #e6b422; --fails: #ff8a80; } }
body { font: 14px/1.5 system-ui, 'DejaVu Sans', sans-serif; color: var(--text); background: var(--back);
  max-width: 1080px; margin: 0 auto; padding: 18px 16px 60px; }
h1 { font-size: 21px; } h2 { font-size: 16px; margin: 34px 0 4px; border-top: 1px solid var(--line); padding-top: 18px; }
p { margin: 4px 0; } .faint { color: var(--faint); } .scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 12.5px; margin: 10px 0; }
td, th { text-align: left; padding: 3px 10px 3px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--faint); font-weight: 500; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.agrees { color: var(--ok); } .differs { color: var(--differs); } .fails { color: var(--fails); font-weight: 700; }
svg { max-width: 100%; height: auto; } figure { margin: 10px 0; } figcaption { color: var(--faint); font-size: 12.5px; }
nav a { margin-right: 12px; white-space: nowrap; } a { color: var(--ok); }
ul.warnings li { color: var(--differs); }
.lines { white-space: pre-line; } td.why { min-width: 17em; } .meter { max-width: none; }
@media print { h2, tr, figure { break-inside: avoid; } }
)";

}  // namespace

std::string make_static_page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}</body>\n</html>\n",
      escape_html(title), kStyle, body);
}

}  // namespace abut
