#pragma once

#include <string>

#include "abut/io/result_file.hpp"

namespace abut {

/// Throws InputError unless the name ends in .svg or .png.
void require_plot_name(const std::string& path);

/// Writes plots of a record as SVG, or as PNG with the help of rsvg-convert (Debian: librsvg2-bin). SystemError when
/// that is not installed or the disk refuses.
void write_plot(const std::string& path, const ResultFile& file, const std::string& title);

}  // namespace abut
