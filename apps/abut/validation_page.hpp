#pragma once

#include <string>
#include <vector>

#include "validate/case_table.hpp"

namespace abut {

/// The page of `abut validate --report`: for each case its source and verdict, every quantity as published, expected
/// and obtained, the lists among them as curves, and the course of its runs over time.
class ValidationPage {
 public:
  /// The runs of a case come before the case itself.
  void add_run(const std::string& run, const RunRecord& record);
  void add_case(const CaseResult& result);
  std::string make_html(const std::string& totals) const;

 private:
  std::string contents_;  ///< links
  std::string body_;
  std::string runs_;                 ///< pictures of the runs of the case to come
  std::vector<std::string> scenes_;  ///< whose first run is among them
};

}  // namespace abut
