#include "abut/io/robot/robot_model.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace abut {
namespace {

/// Lines told of one kind; a file of a hundred links repeats itself.
constexpr std::size_t kMostLines = 12;

}  // namespace

std::size_t LeftOut::index_of(const std::string& what) {
  const auto found = std::find(kinds_.begin(), kinds_.end(), what);
  if (found != kinds_.end()) return static_cast<std::size_t>(found - kinds_.begin());
  kinds_.push_back(what);
  lines_.emplace_back();
  return kinds_.size() - 1;
}

std::vector<std::string> LeftOut::list() const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    std::string lines;
    for (std::size_t k = 0; k < std::min(lines_[i].size(), kMostLines); ++k)
      lines += fmt::format("{}{}", k == 0 ? "" : ", ", lines_[i][k]);
    if (lines_[i].size() > kMostLines) lines += fmt::format(" and {} more", lines_[i].size() - kMostLines);
    texts.push_back(fmt::format("{} (line{} {})", kinds_[i], lines_[i].size() == 1 ? "" : "s", lines));
  }
  return texts;
}

}  // namespace abut
