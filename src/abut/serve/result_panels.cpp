#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "abut/serve/svg_plot.hpp"

namespace abut {
namespace {

constexpr std::size_t kMostLines = 5;
constexpr double kRounding = 1e-9;  // of the normal force; friction below it is none

struct PairSeries {
  std::string name;
  std::vector<double> force, depth;  ///< sum [N] and largest [m] over the points of the pair
  std::vector<double> volume;        ///< sum [m^3]
  std::vector<double> friction;      ///< size of the sum of what lies across the normals [N]
  std::vector<std::array<double, 3>> across;
  double peak = 0.0;
};

std::vector<PairSeries> sum_pairs(const ResultFile& file, std::size_t num_samples) {
  const ResultColumn* start = file.find("contact/row_start");
  const ResultColumn *a = file.find("contact/body_a"), *b = file.find("contact/body_b");
  const ResultColumn *force = file.find("contact/normal_force"), *depth = file.find("contact/depth");
  const ResultColumn *vector = file.find("contact/force"), *normal = file.find("contact/normal");
  const ResultColumn* volume = file.find("contact/volume");
  if (start == nullptr || a == nullptr || b == nullptr || force == nullptr || depth == nullptr) return {};
  std::map<std::pair<int, int>, PairSeries> pairs;
  for (std::size_t sample = 0; sample < num_samples; ++sample) {
    const auto from = static_cast<std::size_t>(start->values[sample]);
    const auto to = static_cast<std::size_t>(start->values[sample + 1]);
    for (std::size_t row = from; row < to; ++row) {
      const std::pair<int, int> bodies(static_cast<int>(a->values[row]), static_cast<int>(b->values[row]));
      PairSeries& pair = pairs[bodies];
      pair.force.resize(num_samples, 0.0);
      pair.depth.resize(num_samples, 0.0);
      pair.force[sample] += force->values[row];
      pair.depth[sample] = std::max(pair.depth[sample], depth->values[row]);
      pair.peak = std::max(pair.peak, pair.force[sample]);
      if (vector != nullptr && normal != nullptr) {
        pair.across.resize(num_samples);
        const double* f = &vector->values[3 * row];
        const double* n = &normal->values[3 * row];
        const double along = f[0] * n[0] + f[1] * n[1] + f[2] * n[2];
        for (std::size_t i = 0; i < 3; ++i) pair.across[sample][i] += f[i] - along * n[i];
      }
      if (volume != nullptr) {
        pair.volume.resize(num_samples, 0.0);
        pair.volume[sample] += volume->values[row];
      }
    }
  }
  std::vector<PairSeries> list;
  for (auto& [bodies, pair] : pairs) {
    pair.name = fmt::format("{}-{}", file.body_names[static_cast<std::size_t>(bodies.first)],
                            file.body_names[static_cast<std::size_t>(bodies.second)]);
    for (const std::array<double, 3>& f : pair.across) pair.friction.push_back(std::hypot(f[0], f[1], f[2]));
    list.push_back(std::move(pair));
  }
  std::stable_sort(list.begin(), list.end(), [](const auto& x, const auto& y) { return x.peak > y.peak; });
  list.resize(std::min(list.size(), kMostLines));
  return list;
}

bool has_values(const std::vector<double>& values, double least) {
  return std::any_of(values.begin(), values.end(), [least](double value) { return value > least; });
}

std::vector<PlotLine> make_speeds(const ResultFile& file, const std::vector<double>& time) {
  const ResultColumn* velocity = file.find("body/velocity");
  std::vector<PlotLine> lines;
  for (std::size_t body = 0; velocity != nullptr && body < file.body_names.size() && lines.size() < kMostLines;
       ++body) {
    PlotLine line{file.body_names[body], time, {}};
    double largest = 0.0;
    for (std::size_t i = 0; i < time.size(); ++i) {
      const double* v = &velocity->values[i * velocity->width + 3 * body];
      line.y.push_back(std::hypot(v[0], v[1], v[2]));
      largest = std::max(largest, line.y.back());
    }
    if (largest > 0.0) lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<PlotLine> make_joints(const ResultFile& file, const std::vector<double>& time) {
  const ResultColumn* q = file.find("joint/q");
  std::vector<PlotLine> lines;
  for (std::size_t joint = 0; q != nullptr && joint < file.joint_names.size(); ++joint) {
    for (int k = 0; k < file.joint_num_q[joint] && lines.size() < kMostLines; ++k) {
      const bool is_single = file.joint_num_q[joint] == 1;
      PlotLine line{is_single ? file.joint_names[joint] : fmt::format("{}[{}]", file.joint_names[joint], k), time, {}};
      const auto place = static_cast<std::size_t>(file.joint_q_start[joint] + k);
      for (std::size_t i = 0; i < time.size(); ++i) line.y.push_back(q->values[i * q->width + place]);
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

/// The energies that take a visible part.
std::vector<PlotLine> make_energies(const ResultFile& file, const std::vector<double>& time) {
  std::vector<PlotLine> lines;
  double largest = 0.0;
  const auto range_of = [](const std::vector<double>& v) {
    const auto [low, high] = std::minmax_element(v.begin(), v.end());
    return v.empty() ? 0.0 : *high - *low;
  };
  for (const ResultColumn& column : file.columns) {
    if (column.name.rfind("energy/", 0) == 0 && column.name != "energy/residual")
      largest = std::max(largest, range_of(column.values));
  }
  for (const ResultColumn& column : file.columns) {
    if (column.name.rfind("energy/", 0) != 0 || column.name == "energy/residual") continue;
    if (range_of(column.values) < 0.005 * largest || lines.size() >= 6) continue;
    std::string label = column.name.substr(7);
    std::replace(label.begin(), label.end(), '_', ' ');
    std::vector<double> values = column.values;
    if (label == "gravitational") {
      // Its zero is arbitrary; only what is gained or lost belongs beside the others.
      for (double& value : values) value -= column.values.front();
      label += " (change)";
    }
    lines.push_back({label, time, values});
  }
  return lines;
}

}  // namespace

std::vector<PlotPanel> make_result_panels(const ResultFile& file) {
  const ResultColumn* column = file.find("time");
  const std::vector<double> time = column == nullptr ? std::vector<double>() : column->values;
  std::vector<PlotPanel> panels;
  const std::vector<PairSeries> pairs = sum_pairs(file, time.size());
  PlotPanel force{"Normal force", "time [s]", "N", {}}, friction{"Friction force", "time [s]", "N", {}};
  PlotPanel depth{"Depth", "time [s]", "m", {}}, volume{"Volume of interference", "time [s]", "m^3", {}};
  for (const PairSeries& pair : pairs) {
    force.lines.push_back({pair.name, time, pair.force});
    depth.lines.push_back({pair.name, time, pair.depth});
    if (has_values(pair.friction, kRounding * pair.peak)) friction.lines.push_back({pair.name, time, pair.friction});
    if (has_values(pair.volume, 0.0)) volume.lines.push_back({pair.name, time, pair.volume});
  }
  for (const PlotPanel& panel :
       {force, friction, depth, volume, PlotPanel{"Joint coordinate", "time [s]", "m or rad", make_joints(file, time)},
        PlotPanel{"Speed", "time [s]", "m/s", make_speeds(file, time)},
        PlotPanel{"Energy", "time [s]", "J", make_energies(file, time)}}) {
    if (!panel.lines.empty()) panels.push_back(panel);
  }
  return panels;
}

}  // namespace abut
