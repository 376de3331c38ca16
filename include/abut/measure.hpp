#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "abut/model.hpp"
#include "abut/world.hpp"

ABUT_DOOR_BEGIN

/// A whole run in memory, and numbers taken from it: what a sweep or an identification wants to know.
///
///   abut::MeasuredRun run(model.with({{"contact.ball-floor.normal.restitution", 0.6}}));
///   double pause = run.measure("touch_time(ball, floor, 2) - touch_time(ball, floor, 1)");   // s
///
/// Measures are those of cases (docs/validation.md): signals, their extrema and means, touches and lifts. Copies share
/// the run.
class ABUT_API MeasuredRun {
 public:
  /// From time zero to run.duration, as `abut run` would, with samples every run.record_interval.
  explicit MeasuredRun(const Model& model);

  /// How it ended. What was recorded until then can be measured.
  StepReport report() const;
  /// InputError with the place where the expression is wrong, and where the run has no answer ("touched 3 times, not
  /// 5"). `reference`: the run that `reference(signal)` reads.
  double measure(std::string_view expression) const;
  double measure(std::string_view expression, const MeasuredRun& reference) const;
  /// JSON, as summary.json of `abut run`.
  std::string summary() const;

 private:
  struct Parts;
  double measure(std::string_view expression, const Parts* reference) const;

  std::shared_ptr<const Parts> parts_;
};

ABUT_DOOR_END
