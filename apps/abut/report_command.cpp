#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.hpp"
#include "plot_file.hpp"
#include "result_page.hpp"

namespace abut {

namespace {

struct ReportArguments {
  std::string result;
  std::string out;
  std::string plot;
  bool quiet = false;
};

int report(const ReportArguments& arguments) {
  if (!arguments.plot.empty()) require_plot_name(arguments.plot);
  const ResultFile file = read_result_file(arguments.result);
  const std::string name = name_of_result(arguments.result);
  if (!arguments.plot.empty()) {
    write_plot(arguments.plot, file, file.title.empty() ? name : file.title);
    if (!arguments.quiet) fmt::print("written  {}\n", arguments.plot);
    if (arguments.out.empty()) return 0;
  }
  require_page_bundle();
  std::filesystem::path out = arguments.out;
  if (out.empty()) {
    const std::filesystem::path result = arguments.result;
    out = (std::filesystem::is_directory(result) ? result : result.parent_path()) / "report.html";
  }
  const std::string title = file.title.empty() ? name : file.title;
  write_page(out.string(), make_page(PageKind::report, title, {make_page_run(file, name)}), arguments.quiet);
  return 0;
}

}  // namespace

void add_report_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "make one self-contained HTML page of a result");
  command->add_option("result", arguments->result, "result.h5, or the folder it is in")->required();
  command->add_option("-o,--out", arguments->out, "HTML file to write (default: report.html beside the result)");
  command->add_option("--plot", arguments->plot, "write plots as SVG or PNG instead of the page (both with --out)");
  command->add_flag("--quiet", arguments->quiet, "print nothing but errors");
  command->callback([arguments, &status] { status = report(*arguments); });
}

}  // namespace abut
