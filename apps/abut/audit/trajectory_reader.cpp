// Files of poses and of forces.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "abut/door/convert.hpp"
#include "audit/trajectory_columns.hpp"

namespace abut {

namespace {

/// Logs are printed with six digits; beyond that it is no rounding.
constexpr double kUnitError = 1e-3;
constexpr std::size_t kMostProblems = 100;

/// The 13 numbers of a body: which cell of a row each is in, -1 for none.
using Places = std::array<int, kNumNumbers>;

Places no_places() {
  Places places;
  places.fill(-1);
  return places;
}

/// Poses must be there; velocities all three or none.
void check_places(const Places& places, const std::string& whose, const CsvTable& table,
                  std::vector<Problem>& problems) {
  const CsvCell& cell = table.headings.front();
  std::string missing;
  for (std::size_t i = 0; i < 7; ++i) {
    if (places[i] < 0)
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", kTrajectoryColumns[kFirstNumber + i].name);
  }
  if (!missing.empty())
    problems.push_back({cell.where, fmt::format("columns are missing{}: {}", whose, missing),
                        "docs/audit.md lists their names; --column OURS=HEADING says what they are called here."});
  for (const std::size_t first : {7u, 10u}) {
    const auto count = std::count_if(&places[first], &places[first] + 3, [](int place) { return place >= 0; });
    if (count == 1 || count == 2)
      problems.push_back(
          {cell.where,
           fmt::format("{}{} has not all of x, y and z", first == 7 ? "velocity" : "angular_velocity", whose), ""});
  }
}

v0::Motion read_motion(const std::vector<CsvCell>& row, const Places& places, bool is_spin_in_body_axes,
                       std::vector<Problem>& problems) {
  std::array<double, kNumNumbers> x{};
  for (std::size_t i = 0; i < kNumNumbers; ++i) {
    if (places[i] >= 0) x[i] = read_number(row[static_cast<std::size_t>(places[i])], problems);
  }
  Quat q(x[3], x[4], x[5], x[6]);
  if (!(std::abs(q.norm() - 1.0) < kUnitError)) {
    problems.push_back({row[static_cast<std::size_t>(places[3])].where,
                        fmt::format("the quaternion has length {:.6g}, not 1", q.norm()),
                        "The order is w, x, y, z; each is found by its heading."});
    q = Quat::Identity();
  }
  q.normalize();
  Vec3 spin(x[10], x[11], x[12]);
  if (is_spin_in_body_axes) spin = q * spin;
  return {{x[0], x[1], x[2]}, to_array(q), {x[7], x[8], x[9]}, to_array(spin)};
}

struct Layout {
  int time = -1, body = -1;
  std::map<int, Places> places;  ///< of each body; of -1 where rows name theirs
};

Layout read_layout(const CsvTable& table, const SceneSpec& scene, const TrajectoryOptions& options,
                   std::vector<std::string>& ignored, std::vector<Problem>& problems) {
  Layout layout;
  const std::span<const TrajectoryColumn> columns(kTrajectoryColumns);
  for (const bool is_wide : {false, true}) {
    for (std::size_t i = 0; i < table.headings.size(); ++i) {
      const CsvCell& cell = table.headings[i];
      const auto [name, unit] = split_unit(cell.text);
      int column = find_column(name, columns, options.columns);
      int body = -1;
      const std::size_t dot = name.find_last_of("./");
      if (column < 0 && dot != std::string::npos) {
        column = find_column(name.substr(dot + 1), columns.subspan(kFirstNumber), options.columns);
        if (column >= 0) column += static_cast<int>(kFirstNumber);
        if (!is_wide || column < 0) {
          if (is_wide) ignored.push_back(name);
          continue;
        }
        body = find_body(cell, name.substr(0, dot), scene, problems);
      } else if (is_wide) {
        if (column < 0) ignored.push_back(name);
        continue;
      }
      if (column < 0) continue;
      check_unit(cell, unit, columns[static_cast<std::size_t>(column)], problems);
      const auto [entry, is_new] = layout.places.try_emplace(body, no_places());
      int& place = column == 0   ? layout.time
                   : column == 1 ? layout.body
                                 : entry->second[static_cast<std::size_t>(column) - kFirstNumber];
      if (place >= 0) problems.push_back({cell.where, fmt::format("a second column '{}'", cell.text), ""});
      place = static_cast<int>(i);
    }
  }
  const CsvCell& first = table.headings.front();
  if (layout.time < 0) problems.push_back({first.where, "there is no column of time", "Its heading is time or t."});
  if (layout.body < 0) layout.places.erase(-1);
  if (layout.body >= 0) layout.places = {{-1, layout.places[-1]}};
  if (layout.places.empty())
    problems.push_back({first.where, "there is no column body, and no heading BODY.COLUMN",
                        "docs/audit.md shows both forms of a trajectory."});
  for (const auto& [body, places] : layout.places) {
    const bool is_known = body >= 0 && body < static_cast<int>(scene.body.size());
    check_places(places, is_known ? fmt::format(" for '{}'", scene.body[static_cast<std::size_t>(body)].name) : "",
                 table, problems);
  }
  return layout;
}

class Reader {
 public:
  Reader(const CsvTable& table, const SceneSpec& scene, const TrajectoryOptions& options)
      : table_(table), scene_(scene), options_(options) {}

  Trajectory read() {
    out_.motions.resize(scene_.body.size());
    const Layout layout = read_layout(table_, scene_, options_, out_.ignored, problems_);
    table_.fail_on(problems_);
    for (const auto& [body, places] : layout.places) {
      out_.has_velocity = out_.has_velocity && places[7] >= 0;
      out_.has_angular_velocity = out_.has_angular_velocity && places[10] >= 0;
    }
    for (const std::vector<CsvCell>& row : table_.rows) {
      if (problems_.size() > kMostProblems) break;
      read_row(row, layout);
    }
    if (problems_.empty()) finish();
    table_.fail_on(problems_);
    return std::move(out_);
  }

 private:
  void read_row(const std::vector<CsvCell>& row, const Layout& layout) {
    const CsvCell& cell = row[static_cast<std::size_t>(layout.time)];
    const double time = read_number(cell, problems_);
    if (out_.times.empty() || time > out_.times.back()) {
      if (!out_.times.empty()) check_complete(cell);
      out_.times.push_back(time);
    } else if (time < out_.times.back() || layout.body < 0) {
      problems_.push_back({cell.where, fmt::format("time {:.9g} s comes after {:.9g} s", time, out_.times.back()),
                           "Rows are read in the order of time."});
      return;
    }
    for (const auto& [wide_body, places] : layout.places) {
      int body = wide_body;
      const CsvCell* name = &cell;
      if (body < 0) {
        name = &row[static_cast<std::size_t>(layout.body)];
        body = find_body(*name, name->text, scene_, problems_);
      }
      if (body < 0) continue;
      std::vector<v0::Motion>& motions = out_.motions[static_cast<std::size_t>(body)];
      const std::size_t wanted = out_.times.size() - 1;
      if (motions.size() > wanted) {
        problems_.push_back({name->where, fmt::format("'{}' has two rows at {:.9g} s", name->text, time), ""});
      } else if (motions.size() < wanted) {
        problems_.push_back({name->where,
                             fmt::format("'{}' has no row at {:.9g} s", name->text, out_.times[motions.size()]),
                             "Each body that is in the file is there at every instant."});
        motions.resize(wanted);
      }
      if (motions.size() == wanted)
        motions.push_back(read_motion(row, places, options_.is_spin_in_body_axes, problems_));
    }
  }

  void check_complete(const CsvCell& where) {
    for (std::size_t body = 0; body < out_.motions.size(); ++body) {
      std::vector<v0::Motion>& motions = out_.motions[body];
      if (motions.empty() || motions.size() == out_.times.size()) continue;
      if (problems_.size() <= kMostProblems)
        problems_.push_back({where.where,
                             fmt::format("'{}' has no row at {:.9g} s", scene_.body[body].name, out_.times.back()),
                             "Each body that is in the file is there at every instant."});
      motions.resize(out_.times.size());
    }
  }

  void finish() {
    SourceLocation where;
    where.file = table_.file;
    if (out_.times.size() < 3) {
      problems_.push_back(
          {where, fmt::format("{} instants are no trajectory: at least three are needed", out_.times.size()), ""});
      return;
    }
    for (std::size_t body = 0; body < out_.motions.size(); ++body) {
      std::vector<v0::Motion>& motions = out_.motions[body];
      const BodySpec& spec = scene_.body[body];
      if (motions.size() == out_.times.size()) continue;
      if (motions.empty() && spec.fixed) {
        motions.assign(out_.times.size(), {to_array(spec.position), to_array(spec.calc_orientation()), {}, {}});
      } else {
        problems_.push_back({where,
                             motions.empty() ? fmt::format("'{}' of the scene is not in the file", spec.name)
                                             : fmt::format("'{}' has no row at the end", spec.name),
                             motions.empty() ? "Only bodies that are fixed may be left out." : ""});
      }
    }
    if (problems_.empty()) fill_velocities(out_);
  }

  const CsvTable& table_;
  const SceneSpec& scene_;
  const TrajectoryOptions& options_;
  Trajectory out_;
  std::vector<Problem> problems_;
};

}  // namespace

Trajectory parse_trajectory(const std::string& text, const std::string& file, const SceneSpec& scene,
                            const TrajectoryOptions& options) {
  const CsvTable table = CsvTable::parse(text, file);
  return Reader(table, scene, options).read();
}

Trajectory read_trajectory(const std::string& path, const SceneSpec& scene, const TrajectoryOptions& options) {
  const CsvTable table = CsvTable::read(path);
  return Reader(table, scene, options).read();
}

}  // namespace abut
