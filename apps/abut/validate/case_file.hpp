#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "abut/scene/field.hpp"

namespace abut {

/// One number that a run must reproduce, as written in case.toml ([[check]] with a list `with` gives one for each
/// entry).
struct CheckSpec {
  std::string quantity;
  std::string series;  ///< of an entry of a list: the quantity with its {}, the same for all entries
  std::string with;    ///< of an entry of a list: what {} stands for
  std::string unit;
  std::string scene;             ///< file in the folder of the case; empty for a measure that needs no run
  std::vector<std::string> set;  ///< overrides, as for `abut run --set`
  /// Overrides of a second run of the same scene, in place of `set`, which `reference(signal)` reads.
  std::vector<std::string> reference;
  bool has_reference = false;
  std::string measure;
  double expected = 0.0;   ///< by the source, a closed form or an independent computation
  double tolerance = 0.0;  ///< absolute, in the unit of the quantity
  std::string tolerance_reason;
  std::optional<double> published;  ///< printed in the source
  double printed_to = 0.0;          ///< how coarsely it is printed: how far the truth may be from it
  bool differs = false;             ///< the print is known to be off, for the reason below
  std::string reason;
  SourceLocation measure_place;  ///< of the first character of the measure
  bool is_from_list = false;     ///< then columns within the measure do not match the file
};

/// A published result: a folder with case.toml, scenes and a README that holds the evidence.
struct CaseSpec {
  std::string name;  ///< of the folder
  std::filesystem::path folder;
  std::string title;
  std::string source;
  std::string text;  ///< of case.toml, for messages
  std::vector<CheckSpec> checks;
};

/// Throws InputError with the whole report of mistakes (file:line:column, nearest spelling), SystemError when the file
/// cannot be read.
CaseSpec read_case(const std::filesystem::path& folder);
CaseSpec read_case_text(const std::string& text, const std::filesystem::path& folder);

/// Folders with a case.toml, by name.
std::vector<std::string> list_cases(const std::filesystem::path& cases_folder);

}  // namespace abut
