#include <algorithm>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/base/spelling.hpp"
#include "commands.hpp"
#include "result_page.hpp"
#include "validate/case_table.hpp"
#include "validation_page.hpp"

namespace abut {

namespace {

struct ValidateArguments {
  std::vector<std::string> names;
  std::string folder = (std::filesystem::path(ABUT_SOURCE_DIR) / "cases").string();
  std::string report;
  bool json = false;
  bool list = false;
};

void require_known(const std::vector<std::string>& names, const std::vector<std::string>& known) {
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string nearest = nearest_spelling(name, known);
    const std::string hint = nearest.empty() ? "" : fmt::format(" Did you mean '{}'?", nearest);
    throw InputError(fmt::format("there is no case '{}'.{} `abut validate --list` names all.", name, hint));
  }
}

int print_list(const std::filesystem::path& folder, const std::vector<std::string>& names) {
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size());
  for (const std::string& name : names) {
    const CaseSpec spec = read_case(folder / name);
    fmt::print("{:<{}}  {} ({})\n", name, width, spec.title, spec.source);
  }
  return 0;
}

int validate_cases(const ValidateArguments& arguments) {
  const std::filesystem::path folder = arguments.folder;
  const std::vector<std::string> known = list_cases(folder);
  if (known.empty()) throw InputError(fmt::format("{}: no folder in it has a case.toml", folder.string()));
  require_known(arguments.names, known);
  const std::vector<std::string>& names = arguments.names.empty() ? known : arguments.names;
  if (arguments.list) return print_list(folder, names);

  std::vector<PreparedCase> cases;
  for (const std::string& name : names) cases.emplace_back(read_case(folder / name));
  const CaseTable table(cases);
  if (!arguments.json) fmt::print("{}", table.header());
  std::vector<CaseResult> results;
  bool any_fails = false;
  ValidationPage page;
  for (const PreparedCase& entry : cases) {
    const auto observe = [&page](const std::string& run, const RunRecord& record) { page.add_run(run, record); };
    results.push_back({&entry, entry.run(arguments.report.empty() ? PreparedCase::Observer() : observe)});
    if (!arguments.report.empty()) page.add_case(results.back());
    any_fails = any_fails || results.back().verdict() == Verdict::fails;
    if (arguments.json) continue;
    fmt::print("{}", table.rows(results.back()));
    std::fflush(stdout);
  }
  if (arguments.json) {
    fmt::print("{}", results_to_json(results));
  } else {
    fmt::print("{}\n", format_totals(results));
  }
  if (!arguments.report.empty()) write_page(arguments.report, page.make_html(format_totals(results)), arguments.json);
  return any_fails ? 1 : 0;
}

}  // namespace

void add_validate_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<ValidateArguments>();
  CLI::App* command = app.add_subcommand("validate", "run the published cases and compare");
  command->add_option("case", arguments->names, "names of cases (default: all)");
  command->add_option("--cases", arguments->folder, "folder of the cases");
  CLI::Option* report =
      command
          ->add_option("--report", arguments->report,
                       "also write a page with every result and its curves (default out/validation.html)")
          ->expected(0, 1);
  command->add_flag("--json", arguments->json, "print everything as JSON");
  command->add_flag("--list", arguments->list, "name the cases and run nothing");
  command->callback([arguments, report, &status] {
    if (report->count() > 0 && arguments->report.empty()) arguments->report = make_page_path("validation");
    status = validate_cases(*arguments);
  });
}

}  // namespace abut
