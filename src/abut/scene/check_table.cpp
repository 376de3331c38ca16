#include <fmt/format.h>

#include "abut/scene/check_specs.hpp"

namespace abut {
namespace {

void check_abscissa(const Located& spec, const char* key, const std::vector<double>& values, const std::string& label,
                    ProblemList& problems) {
  if (spec.is_unusable(key)) return;
  if (values.empty()) problems.add(spec.location_of(key), fmt::format("{} must not be empty in {}", key, label));
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i] > values[i - 1]) continue;
    problems.add(spec.location_of(key),
                 fmt::format("{} must increase in {}: {} follows {}", key, label, values[i], values[i - 1]));
    return;
  }
}

void check_length(const Located& spec, const char* key, std::size_t length, const char* reference, std::size_t expected,
                  const std::string& label, ProblemList& problems) {
  if (spec.is_unusable(key) || spec.is_unusable(reference) || length == expected) return;
  problems.add(spec.location_of(key),
               fmt::format("{} has {} entries but {} has {} in {}", key, length, reference, expected, label));
}

}  // namespace

void check_whole(const ScalarTableSpec& table, const std::string& label, ProblemList& problems) {
  check_abscissa(table, "time", table.time, label, problems);
  check_length(table, "value", table.value.size(), "time", table.time.size(), label, problems);
}

void check_whole(const ForceTableSpec& table, const std::string& label, ProblemList& problems) {
  check_abscissa(table, "time", table.time, label, problems);
  if (table.force.empty() && table.torque.empty() && !table.is_unusable("force") && !table.is_unusable("torque")) {
    problems.add(table.where, fmt::format("{} gives neither force nor torque", label));
  }
  if (!table.force.empty())
    check_length(table, "force", table.force.size(), "time", table.time.size(), label, problems);
  if (!table.torque.empty())
    check_length(table, "torque", table.torque.size(), "time", table.time.size(), label, problems);
}

void check_whole(const RestitutionTableSpec& table, const std::string& label, ProblemList& problems) {
  check_abscissa(table, "speed", table.speed, label, problems);
  check_length(table, "restitution", table.restitution.size(), "speed", table.speed.size(), label, problems);
}

void check_whole(const MotionSpec& motion, const std::string& label, ProblemList& problems) {
  const auto* table = std::get_if<TableMotionSpec>(&motion.kind);
  if (const auto* file = std::get_if<FileMotionSpec>(&motion.kind); file != nullptr && !file->time.empty()) {
    check_abscissa(motion, "time", file->time, label, problems);
    check_length(motion, "value", file->value.size(), "time", file->time.size(), label, problems);
  }
  if (table == nullptr || motion.is_unusable("kind")) return;
  check_abscissa(motion, "time", table->time, label, problems);
  if (table->time.size() == 1) {
    problems.add(motion.location_of("time"), fmt::format("time needs at least two entries in {}", label));
  }
  check_length(motion, "value", table->value.size(), "time", table->time.size(), label, problems);
}

}  // namespace abut
