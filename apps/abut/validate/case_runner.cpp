#include "validate/case_runner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/problem_report.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/simulate.hpp"
#include "validate/evaluate.hpp"

namespace abut {

namespace {

MeasureNames make_names(const Model& model) {
  MeasureNames names;
  for (const BodySpec& body : model.scene.body) names.bodies.push_back(body.name);
  for (const NamedJoint& joint : model.joints) names.joints.push_back(joint.name);
  return names;
}

RunRecord simulate_in_memory(const Model& model) {
  RunRecord record;
  record.begin(make_record_layout(model, "", ""));
  record.set_summary(simulate(model, record));
  record.finish("");
  return record;
}

CheckResult fail(const std::string& message) {
  return {Verdict::fails, std::numeric_limits<double>::quiet_NaN(), message};
}

CheckResult run_check(const CheckSpec& check, const Expression& measure, const RunRecord* record) {
  const bool has_failed = record != nullptr && record->summary().status != RunStatus::done;
  if (has_failed && !asks_for_outcome(measure)) return fail(record->summary().message);
  try {
    return judge(check, evaluate_measure(measure, record));
  } catch (const MeasureError& error) {
    return fail(error.what());
  }
}

}  // namespace

CheckResult judge(const CheckSpec& check, double obtained) {
  CheckResult result{Verdict::fails, obtained, ""};
  if (!(std::abs(obtained - check.expected) <= check.tolerance)) {
    result.message = fmt::format("expected {:.10g}, off by {:.3g}", check.expected, obtained - check.expected);
    return result;
  }
  const double allowance = std::max(check.tolerance, check.printed_to);
  const bool is_as_printed = !check.published || std::abs(obtained - *check.published) <= allowance;
  if (check.differs && is_as_printed) {
    result.message = fmt::format("declared to differ from the printed {:.6g}, but agrees with it", *check.published);
  } else if (!check.differs && !is_as_printed) {
    result.message = fmt::format("as expected, but not the printed {:.6g}", *check.published);
  } else {
    result.verdict = check.differs ? Verdict::differs : Verdict::agrees;
  }
  return result;
}

PreparedCase::PreparedCase(CaseSpec spec) : spec_(std::move(spec)) {
  for (const CheckSpec& check : spec_.checks) {
    if (check.scene.empty()) {
      run_of_check_.push_back(-1);
      measures_.push_back(parse_measure(check, nullptr));
    } else {
      const std::size_t run = prepare_run(check);
      run_of_check_.push_back(static_cast<int>(run));
      const MeasureNames names = make_names(runs_[run].model);
      measures_.push_back(parse_measure(check, &names));
    }
  }
}

std::size_t PreparedCase::prepare_run(const CheckSpec& check) {
  std::string key = check.scene;
  for (const std::string& item : check.set) key += "\n" + item;
  const auto found = std::find_if(runs_.begin(), runs_.end(), [&key](const Run& run) { return run.key == key; });
  if (found != runs_.end()) return static_cast<std::size_t>(found - runs_.begin());
  runs_.push_back({key, compile(read_scene_file((spec_.folder / check.scene).string(), check.set))});
  return runs_.size() - 1;
}

Expression PreparedCase::parse_measure(const CheckSpec& check, const MeasureNames* names) const {
  try {
    return parse_expression(check.measure, names);
  } catch (const ExpressionError& error) {
    SourceLocation where = check.measure_place;
    where.length = static_cast<int>(error.length());
    if (!check.is_from_list) where.column += static_cast<int>(error.offset());
    throw InputError(format_problems({{where, error.what(), ""}}, spec_.text));
  }
}

std::vector<CheckResult> PreparedCase::run(const Observer& observe) const {
  std::vector<CheckResult> results(spec_.checks.size());
  for (int run = -1; run < static_cast<int>(runs_.size()); ++run) {
    RunRecord record;
    if (run >= 0) record = simulate_in_memory(runs_[static_cast<std::size_t>(run)].model);
    if (run >= 0 && observe) observe(runs_[static_cast<std::size_t>(run)].key, record);
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (run_of_check_[i] == run) results[i] = run_check(spec_.checks[i], measures_[i], run < 0 ? nullptr : &record);
    }
  }
  return results;
}

}  // namespace abut
