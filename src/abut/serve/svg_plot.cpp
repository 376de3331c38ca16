#include "abut/serve/svg_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "abut/serve/page.hpp"

namespace abut {
namespace {

/// Okabe and Ito's colours, and dashes, so that lines can be told apart without colour.
constexpr std::array<const char*, 7> kColors{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                             "#b8860b", "#56b4e9", "#666666"};
constexpr std::array<const char*, 7> kDashes{"", "6 3", "2 2", "8 3 2 3", "12 4", "4 4", "1 3"};
constexpr double kLeft = 74.0, kRight = 14.0, kTop = 34.0, kBottom = 34.0;  // [px]
constexpr double kLetter = 6.6, kSample = 42.0, kLine = 15.0;               // of a legend [px]
constexpr std::size_t kLongestLabel = 22;

/// As many bytes as fit, without cutting a letter in two, and a sign that something is missing.
std::string shorten(const std::string& label) {
  if (label.size() <= kLongestLabel) return label;
  std::size_t end = kLongestLabel - 1;
  while (end > 0 && (static_cast<unsigned char>(label[end]) & 0xc0u) == 0x80u) --end;
  return label.substr(0, end) + "\u2026";
}

struct Range {
  double low = HUGE_VAL, high = -HUGE_VAL;
  void include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void close(double margin) {
    if (low > high) low = 0.0, high = 1.0;
    // Rounding must not fill a panel.
    if (high - low <= 1e-6 * std::max(std::abs(low), std::abs(high))) {
      const double half = low == 0.0 ? 1.0 : 0.1 * std::abs(low);
      low -= half, high += half;
      return;
    }
    const double more = margin * (high - low);
    low -= more, high += more;
  }
};

class PanelDrawing {
 public:
  PanelDrawing(const PlotPanel& panel, const PlotStyle& style, double top)
      : panel_(panel), style_(style), top_(top), text_(style.inherits_colors ? "currentColor" : "#222222") {
    for (const PlotLine& line : panel.lines) {
      for (const double x : line.x) x_.include(x);
      for (const double y : line.y) y_.include(y);
    }
    x_.close(0.0);
    y_.close(0.06);
    // A legend that would run into the title has a line of its own.
    const double title_width = 7.2 * static_cast<double>(panel.title.size() + panel.y_label.size() + 6);
    if (panel.lines.size() > 1 && legend_width() + title_width > width()) top_margin_ += kLine;
  }

  std::string draw() const {
    std::string out = fmt::format("<g transform=\"translate(0 {})\">\n", top_);
    out += draw_axes();
    for (std::size_t i = 0; i < panel_.lines.size(); ++i) out += draw_line(i);
    out += draw_legend();
    return out + "</g>\n";
  }

 private:
  double width() const { return style_.width - kLeft - kRight; }
  double height() const { return style_.panel_height - top_margin_ - kBottom; }
  double place_x(double x) const { return kLeft + (x - x_.low) / (x_.high - x_.low) * width(); }
  double place_y(double y) const { return top_margin_ + (y_.high - y) / (y_.high - y_.low) * height(); }

  std::string text(double x, double y, const char* anchor, const std::string& content, const char* more = "") const {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n", x, y, anchor,
                       text_, more, escape_html(content));
  }

  std::string draw_axes() const {
    std::string out;
    const char* grid = style_.inherits_colors ? "currentColor\" stroke-opacity=\"0.15" : "#dddddd";
    const double step_y = calc_tick_step(y_.high - y_.low, 4), step_x = calc_tick_step(x_.high - x_.low, 8);
    for (double y = std::ceil(y_.low / step_y) * step_y; y <= y_.high; y += step_y) {
      out += fmt::format("<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", kLeft,
                         kLeft + width(), place_y(y), place_y(y), grid);
      out += text(kLeft - 6.0, place_y(y) + 4.0, "end", fmt::format("{:.4g}", std::abs(y) < 1e-9 * step_y ? 0.0 : y));
    }
    for (double x = std::ceil(x_.low / step_x) * step_x; x <= x_.high * (1.0 + 1e-12); x += step_x) {
      out += fmt::format("<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", place_x(x),
                         place_x(x), top_margin_, top_margin_ + height(), grid);
      out += text(place_x(x), top_margin_ + height() + 15.0, "middle",
                  fmt::format("{:.5g}", std::abs(x) < 1e-9 * step_x ? 0.0 : x));
    }
    out += text(kLeft + width(), top_margin_ + height() + 29.0, "end", panel_.x_label);
    const std::string unit = panel_.y_label.empty() ? "" : "  [" + panel_.y_label + "]";
    return out + text(kLeft, 15.0, "start", panel_.title + unit, " font-weight=\"600\"");
  }

  /// Points of a line, at most two for each pixel: the extremes.
  std::vector<std::pair<double, double>> thin(const PlotLine& line) const {
    std::vector<std::pair<double, double>> points;
    const std::size_t count = std::min(line.x.size(), line.y.size());
    const auto buckets = static_cast<std::size_t>(width());
    if (count <= 4 * buckets) {
      for (std::size_t i = 0; i < count; ++i) points.emplace_back(line.x[i], line.y[i]);
      return points;
    }
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
      const std::size_t from = bucket * count / buckets, to = (bucket + 1) * count / buckets;
      std::size_t least = from, most = from;
      for (std::size_t i = from; i < to; ++i) {
        if (!(line.y[i] >= line.y[least])) least = i;
        if (line.y[i] > line.y[most]) most = i;
      }
      for (const std::size_t i : {std::min(least, most), std::max(least, most)})
        points.emplace_back(line.x[i], line.y[i]);
    }
    return points;
  }

  std::string draw_line(std::size_t index) const {
    const PlotLine& line = panel_.lines[index];
    const char* color = kColors[index % kColors.size()];
    std::string path, marks;
    bool is_pen_down = false;
    for (const auto& [x, y] : thin(line)) {
      if (!std::isfinite(x) || !std::isfinite(y)) {
        is_pen_down = false;
        continue;
      }
      path += fmt::format("{}{:.1f} {:.1f}", is_pen_down ? "L" : "M", place_x(x), place_y(y));
      is_pen_down = true;
      if (line.has_markers) marks += draw_mark(index, place_x(x), place_y(y));
    }
    std::string out;
    if (line.has_line && !path.empty()) {
      out = fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" stroke-dasharray=\"{}\"/>\n",
                        path, color, kDashes[index % kDashes.size()]);
    }
    return out + marks;
  }

  static std::string draw_mark(std::size_t index, double x, double y) {
    const char* color = kColors[index % kColors.size()];
    if (index % 2 == 0) {
      return fmt::format("<path d=\"M{:.1f} {:.1f}l8 8m0 -8l-8 8\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", x - 4,
                         y - 4, color);
    }
    return fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", x, y,
        color);
  }

  double legend_width() const {
    double sum = 0.0;
    for (const PlotLine& line : panel_.lines) {
      if (!line.label.empty()) sum += kLetter * static_cast<double>(shorten(line.label).size()) + kSample;
    }
    return sum;
  }

  /// From the right end; entries that find no room are left out.
  std::string draw_legend() const {
    std::string out;
    if (panel_.lines.size() < 2) return out;
    const double y = top_margin_ > kTop ? 15.0 + kLine : 15.0;
    double x = style_.width - kRight;
    for (std::size_t k = panel_.lines.size(); k-- > 0;) {
      const std::string label = shorten(panel_.lines[k].label);
      if (label.empty()) continue;
      x -= kLetter * static_cast<double>(label.size()) + 8.0;
      if (x < 30.0) break;
      out += text(x, y, "start", label);
      if (panel_.lines[k].has_line) {
        out += fmt::format("<path d=\"M{:.1f} {:.1f}h20\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n",
                           x - 25.0, y - 4.0, kColors[k % kColors.size()], kDashes[k % kDashes.size()]);
      }
      if (panel_.lines[k].has_markers) out += draw_mark(k, x - 15.0, y - 4.0);
      x -= 34.0;
    }
    return out;
  }

  const PlotPanel& panel_;
  const PlotStyle& style_;
  double top_;
  const char* text_;
  double top_margin_ = kTop;
  Range x_, y_;
};

}  // namespace

double calc_tick_step(double range, int count) {
  const double rough = range / count, power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10.0 * power;
}

std::string make_svg(const std::string& title, const std::vector<PlotPanel>& panels, const PlotStyle& style) {
  const int head = title.empty() ? 0 : 30;
  const int height = head + static_cast<int>(panels.size()) * style.panel_height;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"11\" role=\"img\">\n<title>{2}</title>\n",
      style.width, height, escape_html(title.empty() ? "plot" : title));
  if (!style.inherits_colors) out += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  if (!title.empty())
    out += fmt::format("<text x=\"14\" y=\"21\" font-size=\"15\" font-weight=\"600\" fill=\"{}\">{}</text>\n",
                       style.inherits_colors ? "currentColor" : "#222222", escape_html(title));
  double top = head;
  for (const PlotPanel& panel : panels) {
    out += PanelDrawing(panel, style, top).draw();
    top += style.panel_height;
  }
  return out + "</svg>\n";
}

}  // namespace abut
