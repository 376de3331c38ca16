#pragma once

#include <string>
#include <vector>

#include "validate/case_runner.hpp"

namespace abut {

struct CaseResult {
  const PreparedCase* prepared = nullptr;
  std::vector<CheckResult> checks;

  /// fails if any check does, else differs if any does.
  Verdict verdict() const;
};

/// Lays the columns out for a set of cases and formats them line by line, so that rows appear as they are computed.
class CaseTable {
 public:
  explicit CaseTable(const std::vector<PreparedCase>& cases);

  std::string header() const;
  /// The rows of one case, each ending with a line break; a failing row is followed by the reason.
  std::string rows(const CaseResult& result) const;

 private:
  std::size_t case_width_ = 4, quantity_width_ = 8;  ///< at least their headings
};

/// "20 cases: 14 agree, 6 differ from print for a stated reason, 0 fail.", with the number of checks before it.
std::string format_totals(const std::vector<CaseResult>& results);

/// Everything, for programs.
std::string results_to_json(const std::vector<CaseResult>& results);

}  // namespace abut
