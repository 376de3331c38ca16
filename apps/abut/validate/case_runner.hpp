#pragma once

#include <functional>
#include <string>
#include <vector>

#include "abut/measure/expression.hpp"
#include "abut/measure/run_record.hpp"
#include "abut/sim/model.hpp"
#include "validate/case_file.hpp"

namespace abut {

enum class Verdict { agrees, differs, fails };

struct CheckResult {
  Verdict verdict = Verdict::fails;
  double obtained = 0.0;  ///< NaN when the run could not answer
  std::string message;    ///< why it fails
};

/// The verdict on an obtained value. Beyond |obtained - expected| <= tolerance it asks of the print: a check that
/// agrees must lie within max(tolerance, printed_to) of it, one that differs must not.
CheckResult judge(const CheckSpec& check, double obtained);

/// A case whose measures are parsed and whose scenes are read and compiled: nothing in it can be misspelt any more.
class PreparedCase {
 public:
  /// Throws InputError when a scene or a measure is wrong.
  explicit PreparedCase(CaseSpec spec);

  const CaseSpec& spec() const { return spec_; }
  /// Sees each run: the scene with its overrides, and its record.
  using Observer = std::function<void(const std::string& run, const RunRecord& record)>;

  /// Runs every scene once for each set of overrides and judges all checks, in their order.
  std::vector<CheckResult> run(const Observer& observe = {}) const;

 private:
  struct Run {
    std::string key;  ///< scene and overrides
    Model model;
  };
  int prepare_run(const std::string& scene, const std::vector<std::string>& set);
  void check_reference(const CheckSpec& check, const Expression& measure, const MeasureNames& names) const;
  Expression parse_measure(const CheckSpec& check, const MeasureNames* names) const;

  CaseSpec spec_;
  std::vector<Run> runs_;
  std::vector<int> run_of_check_;        ///< -1 for a measure that needs no run
  std::vector<int> reference_of_check_;  ///< -1 for a measure that compares with none
  std::vector<Expression> measures_;
};

}  // namespace abut
