#include "abut/serve/page.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "abut/serve/svg_plot.hpp"

namespace abut {
namespace {

const PageRun kRun{R"({"name":"a </script><b>"})", {"[]", "QUJD", true}};

TEST(Page, FillsEachMarkOnceAndLeavesTheScriptAlone) {
  const std::string page = fill_page("<!doctype html>{{title}}|{{connect}}|{{page}}|{{data}}|x={{a:1}};{{title}}",
                                     PageKind::report, "a<b {{page}}", {kRun});
  EXPECT_EQ(page.substr(0, 31), "<!doctype html>a&lt;b {{page}}|");
  EXPECT_NE(page.find("|'none'|"), std::string::npos);
  EXPECT_NE(page.find("x={{a:1}};a&lt;b {{page}}"), std::string::npos);
  EXPECT_NE(page.find("id=\"abut-data-0\">QUJD</script>"), std::string::npos);
}

TEST(Page, TextCannotEndTheScript) {
  const std::string page = fill_page("{{page}}", PageKind::live, "", {kRun});
  EXPECT_EQ(page.find("</script>"), std::string::npos);
  EXPECT_NE(page.find("a \\u003c/script>\\u003cb>"), std::string::npos);
  EXPECT_NE(page.find("\"kind\":\"live\""), std::string::npos);
}

TEST(SvgPlot, DrawsLinesWithGapsAndEscapesText) {
  PlotPanel panel{"force <N>", "time [s]", "N", {{"a", {0, 1, 2, 3}, {0, 1, NAN, 2}}, {"b", {0, 3}, {1, 1}}}};
  const std::string svg = make_svg("t & t", {panel});
  EXPECT_NE(svg.find("t &amp; t"), std::string::npos);
  EXPECT_NE(svg.find("force &lt;N&gt;"), std::string::npos);
  const std::size_t path = svg.find("<path d=\"M");
  ASSERT_NE(path, std::string::npos);
  // The gap lifts the pen: a second M within the path.
  EXPECT_NE(svg.substr(path + 10, svg.find('"', path + 10) - path - 10).find('M'), std::string::npos);
}

TEST(SvgPlot, KeepsTheExtremesOfALongLine) {
  PlotLine line{"a", {}, {}};
  for (int i = 0; i < 200000; ++i) {
    line.x.push_back(i);
    line.y.push_back(i == 123456 ? 7.0 : 0.0);
  }
  const std::string svg = make_svg("", {{"p", "", "", {line}}});
  EXPECT_LT(svg.size(), 60000u);
  // The peak is at the top of the panel: 34 + 0.06/1.12 of 142 px below.
  EXPECT_NE(svg.find(" 41.6"), std::string::npos);
}

TEST(SvgPlot, ALongLegendHasALineOfItsOwn) {
  PlotPanel panel{"Normal force", "time [s]", "N", {}};
  const auto y_of = [](const std::string& svg, const std::string& text) {
    const std::size_t end = svg.find(">" + text);
    const std::size_t begin = svg.rfind("y=\"", end);
    return std::stod(svg.substr(begin + 3));
  };
  for (const char* name : {"a", "b"}) panel.lines.push_back({name, {0, 1}, {0, 1}});
  EXPECT_EQ(y_of(make_svg("", {panel}), "a<"), y_of(make_svg("", {panel}), "Normal force"));
  for (PlotLine& line : panel.lines) line.label = "a name that goes on and on " + line.label;
  panel.lines.push_back({"a third of the same length", {0, 1}, {0, 1}});
  panel.lines.push_back({"a fourth of the same length", {0, 1}, {0, 1}});
  const std::string svg = make_svg("", {panel});
  EXPECT_GT(y_of(svg, "a name that goes on a\u2026"), y_of(svg, "Normal force"));
}

TEST(SvgPlot, TickStepsAreRound) {
  EXPECT_DOUBLE_EQ(calc_tick_step(10.0, 4), 5.0);
  EXPECT_DOUBLE_EQ(calc_tick_step(0.3, 4), 0.1);
  EXPECT_DOUBLE_EQ(calc_tick_step(7.9e6, 8), 1e6);
}

}  // namespace
}  // namespace abut
