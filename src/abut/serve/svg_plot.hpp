#pragma once

#include <string>
#include <vector>

#include "abut/io/result_file.hpp"

namespace abut {

/// One line or set of points of a panel. Values that are not finite are gaps.
struct PlotLine {
  std::string label;
  std::vector<double> x, y;
  bool has_line = true;
  bool has_markers = false;
};

struct PlotPanel {
  std::string title;
  std::string x_label, y_label;
  std::vector<PlotLine> lines;
};

struct PlotStyle {
  int width = 820;         ///< [px]
  int panel_height = 210;  ///< [px], with its axis
  /// Uses the colours of the page around it, light or dark, instead of black on white.
  bool inherits_colors = false;
};

/// Panels below each other as one SVG picture. Long lines are thinned to two extremes for each pixel.
std::string make_svg(const std::string& title, const std::vector<PlotPanel>& panels, const PlotStyle& style = {});

/// What a person wants to see first of a run: forces and depths of the pairs with the largest forces, speeds of
/// bodies, joint coordinates, energies.
std::vector<PlotPanel> make_result_panels(const ResultFile& file);

/// 1, 2 or 5 times a power of ten: about `count` steps over a range.
double calc_tick_step(double range, int count);

}  // namespace abut
