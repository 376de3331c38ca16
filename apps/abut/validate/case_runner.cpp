#include "validate/case_runner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/problem_report.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/measure/evaluate.hpp"
#include "abut/measure/run_in_memory.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/simulate.hpp"

namespace abut {

namespace {

CheckResult fail(const std::string& message) {
  return {Verdict::fails, std::numeric_limits<double>::quiet_NaN(), message};
}

CheckResult run_check(const CheckSpec& check, const Expression& measure, const RunRecord* record,
                      const RunRecord* reference) {
  const auto has_failed = [](const RunRecord* run) {
    return run != nullptr && run->summary().status != RunStatus::done;
  };
  if (has_failed(record) && !asks_for(Function::is_done, measure)) return fail(record->summary().message);
  if (has_failed(reference)) return fail("the reference " + reference->summary().message);
  try {
    return judge(check, evaluate_measure(measure, record, reference));
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
    reference_of_check_.push_back(-1);
    if (check.scene.empty()) {
      run_of_check_.push_back(-1);
      measures_.push_back(parse_measure(check, nullptr));
      continue;
    }
    const int run = prepare_run(check.scene, check.set);
    run_of_check_.push_back(run);
    const MeasureNames names = make_measure_names(runs_[static_cast<std::size_t>(run)].model);
    measures_.push_back(parse_measure(check, &names));
    if (check.has_reference) reference_of_check_.back() = prepare_run(check.scene, check.reference);
    check_reference(check, measures_.back(), names);
  }
}

int PreparedCase::prepare_run(const std::string& scene, const std::vector<std::string>& set) {
  std::string key = scene;
  for (const std::string& item : set) key += "\n" + item;
  const auto found = std::find_if(runs_.begin(), runs_.end(), [&key](const Run& run) { return run.key == key; });
  if (found != runs_.end()) return static_cast<int>(found - runs_.begin());
  runs_.push_back({key, compile(read_scene_file((spec_.folder / scene).string(), set))});
  return static_cast<int>(runs_.size()) - 1;
}

void PreparedCase::check_reference(const CheckSpec& check, const Expression& measure, const MeasureNames& names) const {
  const auto refuse = [&](const char* message) {
    throw InputError(format_problems({{check.measure_place, message, ""}}, spec_.text));
  };
  const bool asks = asks_for(Function::reference, measure);
  if (asks && !check.has_reference) refuse("'reference(...)' needs the key 'reference': overrides of a second run");
  if (!asks && check.has_reference) refuse("the check has the key 'reference', but its measure never asks for it");
  if (!asks) return;
  const MeasureNames others = make_measure_names(runs_[static_cast<std::size_t>(reference_of_check_.back())].model);
  if (others.bodies != names.bodies || others.joints != names.joints) {
    refuse("the run of 'reference' has other bodies or joints than that of 'set'");
  }
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
  const auto simulate_run = [this, &observe](std::size_t run) {
    RunRecord record = run_in_memory(runs_[run].model);
    if (observe) observe(runs_[run].key, record);
    return record;
  };
  // References are kept while others are compared with them; every other record only while its checks are judged.
  std::map<int, RunRecord> kept;
  for (const int run : reference_of_check_) {
    if (run >= 0 && !kept.contains(run)) kept.emplace(run, simulate_run(static_cast<std::size_t>(run)));
  }
  for (int run = -1; run < static_cast<int>(runs_.size()); ++run) {
    if (std::find(run_of_check_.begin(), run_of_check_.end(), run) == run_of_check_.end()) continue;
    RunRecord own;
    if (run >= 0 && !kept.contains(run)) own = simulate_run(static_cast<std::size_t>(run));
    const RunRecord* record = run < 0 ? nullptr : kept.contains(run) ? &kept.at(run) : &own;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (run_of_check_[i] != run) continue;
      const RunRecord* reference = reference_of_check_[i] < 0 ? nullptr : &kept.at(reference_of_check_[i]);
      results[i] = run_check(spec_.checks[i], measures_[i], record, reference);
    }
  }
  return results;
}

}  // namespace abut
