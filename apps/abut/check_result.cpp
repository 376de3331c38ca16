#include "check_result.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "abut/base/error.hpp"
#include "abut/io/result_file.hpp"
#include "abut/sim/assumptions.hpp"
#include "abut/sim/run_notes.hpp"
#include "text.hpp"

namespace abut {

namespace {

using Json = nlohmann::json;

double number(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() || !found->is_number() ? 0.0 : found->get<double>();
}

PairSummary read_pair(const Json& json, const Model& model, const std::map<std::string, int>& link_of) {
  PairSummary pair;
  pair.body_a = json.value("body_a", "");
  pair.body_b = json.value("body_b", "");
  pair.rule = json.value("rule", "");
  if (!link_of.contains(pair.body_a) || !link_of.contains(pair.body_b))
    throw InputError(fmt::format("the record has a pair {}-{} that the scene has not", pair.body_a, pair.body_b));
  const RuleMatch match = model.find_rule(link_of.at(pair.body_a), link_of.at(pair.body_b));
  pair.region = match.region;
  pair.touches = json.value("touches", 0);
  pair.in_contact = json.value("in_contact", false);
  pair.peak_force = number(json, "peak_force");
  pair.peak_time = number(json, "peak_time");
  pair.peak_depth = number(json, "peak_depth");
  pair.peak_duration = number(json, "peak_duration");
  pair.flatness = number(json, "flatness");
  pair.damping = number(json, "damping");
  pair.friction = number(json, "friction");
  pair.viscous = number(json, "viscous_friction");
  pair.patch.ratio = number(json, "patch_ratio");
  pair.patch.mean_pressure = number(json, "mean_pressure");
  pair.patch.peak_pressure = number(json, "peak_pressure");
  if (const auto axes = json.find("patch_half_axes"); axes != json.end() && axes->size() == 2) {
    pair.patch.short_axis = (*axes)[0].get<double>();
    pair.patch.long_axis = (*axes)[1].get<double>();
  }
  return pair;
}

RunSummary read_summary(const std::string& text, const Model& model) {
  std::map<std::string, int> link_of;
  for (int link = 0; link < model.tree.num_links(); ++link) link_of[model.body_name(link)] = link;
  const Json json = Json::parse(text);
  RunSummary summary;
  summary.worst_residual = number(json, "energy_worst_residual");
  summary.energy_turnover = number(json, "energy_turnover");
  summary.volume_made = number(json, "volume_energy_made");
  if (const auto energy = json.find("energy"); energy != json.end()) {
    for (int i = 0; i < kNumEnergies; ++i)
      summary.energy[static_cast<Energy>(i)] =
          number(*energy, std::string(kEnergyNames[static_cast<std::size_t>(i)]).c_str());
  }
  if (const auto pairs = json.find("contacts"); pairs != json.end()) {
    for (const Json& pair : *pairs) summary.pairs.push_back(read_pair(pair, model, link_of));
  }
  return summary;
}

/// Poses of the links at a sample of the record.
std::vector<Pose> read_poses(const ResultFile& file, const Model& model, std::size_t sample) {
  const ResultColumn *position = file.find("body/position"), *orientation = file.find("body/orientation");
  std::vector<Pose> poses(model.scene.body.size());
  if (position == nullptr || orientation == nullptr) return poses;
  for (std::size_t body = 0; body < poses.size(); ++body) {
    const double* p = position->values.data() + sample * position->width + 3 * body;
    const double* q = orientation->values.data() + sample * orientation->width + 4 * body;
    poses[model.link_of_body[body]] = Pose(Quat(q[0], q[1], q[2], q[3]), Vec3(p[0], p[1], p[2]));
  }
  return poses;
}

/// Contact row of a pair with the largest force, and its sample; false where the samples missed it.
bool find_peak_row(const ResultFile& file, int body_a, int body_b, std::size_t& sample, std::size_t& row) {
  const ResultColumn *start = file.find("contact/row_start"), *a = file.find("contact/body_a"),
                     *b = file.find("contact/body_b"), *force = file.find("contact/normal_force");
  if (start == nullptr || a == nullptr || b == nullptr || force == nullptr) return false;
  double most = 0.0;
  for (std::size_t i = 0; i + 1 < start->values.size(); ++i) {
    for (auto k = static_cast<std::size_t>(start->values[i]); k < static_cast<std::size_t>(start->values[i + 1]); ++k) {
      if (a->values[k] != body_a || b->values[k] != body_b || force->values[k] <= most) continue;
      most = force->values[k];
      sample = i;
      row = k;
    }
  }
  return most > 0.0;
}

std::vector<std::string> judge_record_waves(const ResultFile& file, const Model& model, const RunSummary& summary) {
  std::vector<std::string> notes;
  const ResultColumn* normal = file.find("contact/normal");
  for (const PairSummary& pair : summary.pairs) {
    const auto find = [&](const std::string& name) {
      return static_cast<int>(std::find(file.body_names.begin(), file.body_names.end(), name) -
                              file.body_names.begin());
    };
    const int a = find(pair.body_a), b = find(pair.body_b);
    std::size_t sample = 0, row = 0;
    if (normal == nullptr || !(pair.peak_duration > 0.0) || !find_peak_row(file, a, b, sample, row)) continue;
    const std::vector<Pose> poses = read_poses(file, model, sample);
    const BodyMotion motion{poses.data(), nullptr, nullptr, nullptr};
    const Vec3 n(normal->values[3 * row], normal->values[3 * row + 1], normal->values[3 * row + 2]);
    if (const auto text =
            judge_waves(model, motion, model.link_of_body[a], model.link_of_body[b], n, pair.peak_duration))
      notes.push_back(fmt::format("{}-{}: {}", pair.body_a, pair.body_b, *text));
  }
  return notes;
}

void print_pair(const PairSummary& pair) {
  std::string text = fmt::format("  pair {}-{}   {}, peak {:.4g} N at {:.4g} s, deepest {}", pair.body_a, pair.body_b,
                                 format_plural(pair.touches, "touch", "touches"), pair.peak_force, pair.peak_time,
                                 format_length(pair.peak_depth));
  if (pair.patch.long_axis > 0.0) {
    text += fmt::format(", patch {} and {}, largest pressure {:.3g} MPa", format_length(pair.patch.short_axis),
                        format_length(pair.patch.long_axis), 1e-6 * pair.patch.peak_pressure);
  }
  fmt::print("{}\n", text);
}

}  // namespace

void print_result_check(const std::string& path, const Model& model) {
  const ResultFile file = read_result_file(path);
  std::vector<std::string> names;
  for (const BodySpec& body : model.scene.body) names.push_back(body.name);
  if (names != file.body_names)
    throw InputError(fmt::format("{}: this is a record of a scene with other bodies", path));
  fmt::print("\nresult {}\n", path);
  if (file.summary_json.empty()) {
    fmt::print("  warning          the run has not ended: there is no summary to judge yet\n");
    return;
  }
  constexpr std::size_t kMostPairs = 20;
  const RunSummary summary = read_summary(file.summary_json, model);
  for (std::size_t i = 0; i < std::min(summary.pairs.size(), kMostPairs); ++i) print_pair(summary.pairs[i]);
  fmt::print("  balance          closes to {:.1e} J at worst ({:.0e} of the energy turned over)\n",
             std::abs(summary.worst_residual),
             std::abs(summary.worst_residual) / std::max(summary.energy_turnover, 1e-300));
  std::vector<std::string> notes = make_run_notes(model, summary);
  const std::vector<std::string> waves = judge_record_waves(file, model, summary);
  notes.insert(notes.end(), waves.begin(), waves.end());
  for (const std::string& note : notes) fmt::print("  warning          {}\n", note);
  if (notes.empty()) fmt::print("  every assumption that was looked at held\n");
}

}  // namespace abut
