// Files of contact forces.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "audit/trajectory_columns.hpp"

namespace abut {

namespace {

using Places = std::array<int, kForceColumns.size()>;

Places read_places(const CsvTable& table, const TrajectoryOptions& options, std::vector<Problem>& problems) {
  Places places;
  places.fill(-1);
  for (std::size_t i = 0; i < table.headings.size(); ++i) {
    const auto [name, unit] = split_unit(table.headings[i].text);
    const int column = find_column(name, kForceColumns, options.columns);
    if (column < 0) continue;
    check_unit(table.headings[i], unit, kForceColumns[static_cast<std::size_t>(column)], problems);
    places[static_cast<std::size_t>(column)] = static_cast<int>(i);
  }
  std::string missing;
  for (std::size_t i = 0; i < 6; ++i) {
    if (places[i] < 0) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", kForceColumns[i].name);
  }
  if (!missing.empty())
    problems.push_back({table.headings.front().where, "columns are missing: " + missing,
                        "docs/audit.md lists their names; --column OURS=HEADING says what they are called here."});
  return places;
}

/// The sample at an instant: within a thousandth of the interval there.
std::size_t find_sample(const CsvCell& cell, const std::vector<double>& times, std::vector<Problem>& problems) {
  const double time = read_number(cell, problems);
  const auto next = std::lower_bound(times.begin(), times.end(), time);
  std::size_t k = static_cast<std::size_t>(next - times.begin());
  if (k == times.size() || (k > 0 && time - times[k - 1] < times[k] - time)) --k;
  const double interval = k + 1 < times.size() ? times[k + 1] - times[k] : times[k] - times[k - 1];
  if (std::abs(times[k] - time) > 1e-3 * interval)
    problems.push_back({cell.where, fmt::format("the trajectory has no sample at {:.9g} s", time),
                        fmt::format("The nearest is at {:.9g} s.", times[k])});
  return k;
}

GivenForces& find_pair(int a, int b, Trajectory& trajectory) {
  for (GivenForces& forces : trajectory.forces) {
    if ((forces.body_a == a && forces.body_b == b) || (forces.body_a == b && forces.body_b == a)) return forces;
  }
  trajectory.forces.push_back({a, b, std::vector<GivenForce>(trajectory.num_samples())});
  return trajectory.forces.back();
}

void add_forces(const CsvTable& table, const SceneSpec& scene, const TrajectoryOptions& options,
                Trajectory& trajectory) {
  std::vector<Problem> problems;
  const Places places = read_places(table, options, problems);
  table.fail_on(problems);
  const bool has_points = places[6] >= 0 && places[7] >= 0 && places[8] >= 0;
  const bool has_torques = places[9] >= 0 && places[10] >= 0 && places[11] >= 0;
  for (const std::vector<CsvCell>& row : table.rows) {
    const auto cell = [&](std::size_t column) -> const CsvCell& {
      return row[static_cast<std::size_t>(places[column])];
    };
    const auto vector = [&](std::size_t column) {
      return Vec3(read_number(cell(column), problems), read_number(cell(column + 1), problems),
                  read_number(cell(column + 2), problems));
    };
    const std::size_t k = find_sample(cell(0), trajectory.times, problems);
    const int a = find_body(cell(1), cell(1).text, scene, problems),
              b = find_body(cell(2), cell(2).text, scene, problems);
    const Vec3 force = vector(3);
    if (a < 0 || b < 0) continue;
    GivenForces& pair = find_pair(a, b, trajectory);
    const double sign = pair.body_a == a ? 1.0 : -1.0;
    GivenForce& sum = pair.samples[k];
    sum.force += sign * force;
    if (has_points) sum.moment += sign * vector(6).cross(force);
    if (has_torques) sum.moment += sign * vector(9);
    sum.has_moment = has_points;
    sum.is_there = true;
  }
  table.fail_on(problems);
}

}  // namespace

void read_forces(const std::string& path, const SceneSpec& scene, const TrajectoryOptions& options,
                 Trajectory& trajectory) {
  add_forces(CsvTable::read(path), scene, options, trajectory);
}

void parse_forces(const std::string& text, const std::string& file, const SceneSpec& scene,
                  const TrajectoryOptions& options, Trajectory& trajectory) {
  add_forces(CsvTable::parse(text, file), scene, options, trajectory);
}

}  // namespace abut
