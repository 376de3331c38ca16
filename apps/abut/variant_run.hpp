#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "abut/serve/record_columns.hpp"
#include "abut/sim/model.hpp"
#include "abut/sim/run_summary.hpp"

namespace abut {

/// Numbers of one variant that can be set against those of another.
struct VariantNumbers {
  double peak_force = 0.0;  ///< [N], of any pair
  double impulse = 0.0;     ///< of all normal forces [N s]
  std::optional<double>
      rest_time;             ///< [s], since when every body moves slower than 1 % of the greatest speed of the run
  double energy_lost = 0.0;  ///< dissipated [J]
  long steps = 0;
  double wall_time = 0.0;  ///< [s]
};

/// Runs one variant in memory. The forces are integrated over samples eight times finer than the shortest expected
/// contact (at most 40 for each one that is kept), so that an impact between two kept samples still counts.
class VariantRun {
 public:
  /// Shares with `like` what both have. Throws InputError when the scene cannot be compiled.
  VariantRun(std::string label, const SceneSpec& scene, const Model& like);

  void run(const std::atomic<bool>& stop);

  const std::string& label() const { return label_; }
  const Model& model() const { return model_; }
  const RunSummary& summary() const { return summary_; }
  const VariantNumbers& numbers() const { return numbers_; }
  RecordColumns& columns() { return columns_; }
  const RecordColumns& columns() const { return columns_; }
  /// 0 to 1.
  double progress() const { return progress_; }

 private:
  std::string label_;
  int fineness_ = 1;  ///< fine samples for each one kept
  Model model_;
  RecordColumns columns_;
  RunSummary summary_;
  VariantNumbers numbers_;
  std::atomic<double> progress_{0.0};
};

}  // namespace abut
