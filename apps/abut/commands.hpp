#pragma once

namespace CLI {
class App;
}

namespace abut {

/// Each adds one subcommand; running it leaves its exit status in `status`, or throws InputError or SystemError.
void add_run_command(CLI::App& app, int& status);
void add_rerun_command(CLI::App& app, int& status);
void add_check_command(CLI::App& app, int& status);
void add_validate_command(CLI::App& app, int& status);
void add_models_command(CLI::App& app, int& status);
void add_schema_command(CLI::App& app, int& status);
void add_report_command(CLI::App& app, int& status);
void add_view_command(CLI::App& app, int& status);
void add_compare_command(CLI::App& app, int& status);
void add_import_command(CLI::App& app, int& status);
void add_export_fmu_command(CLI::App& app, int& status);
void add_audit_command(CLI::App& app, int& status);
void add_gains_command(CLI::App& app, int& status);

}  // namespace abut
