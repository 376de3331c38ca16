#include "audit/trajectory_columns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "abut/base/spelling.hpp"

namespace abut {

std::pair<std::string, std::string> split_unit(const std::string& heading) {
  const std::size_t open = heading.rfind('[');
  if (open == std::string::npos || !heading.ends_with(']')) return {heading, ""};
  std::string name = heading.substr(0, open);
  while (name.ends_with(' ')) name.pop_back();
  return {name, heading.substr(open + 1, heading.size() - open - 2)};
}

int find_column(std::string_view name, std::span<const TrajectoryColumn> columns,
                const std::vector<ColumnName>& renamed) {
  const auto index_of = [&](std::string_view ours) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].name == ours) return static_cast<int>(i);
    }
    return -1;
  };
  for (const ColumnName& column : renamed) {
    if (column.theirs == name) return index_of(column.ours);
  }
  // A name that the user has given to another heading is that of no other.
  const auto is_taken = [&](int i) {
    return std::any_of(renamed.begin(), renamed.end(),
                       [&](const ColumnName& c) { return c.ours == columns[static_cast<std::size_t>(i)].name; });
  };
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string others = fmt::format(" {} {} ", columns[i].name, columns[i].others);
    if (others.find(fmt::format(" {} ", name)) != std::string::npos)
      return is_taken(static_cast<int>(i)) ? -1 : static_cast<int>(i);
  }
  return -1;
}

void check_unit(const CsvCell& cell, const std::string& unit, const TrajectoryColumn& column,
                std::vector<Problem>& problems) {
  if (unit.empty() || unit == column.unit || (column.unit.empty() && unit == "1")) return;
  problems.push_back({cell.where, fmt::format("'{}' is in {}", cell.text, unit),
                      fmt::format("{} is read in {}: convert it.", column.name, column.unit)});
}

int find_body(const CsvCell& cell, const std::string& name, const SceneSpec& scene, std::vector<Problem>& problems) {
  std::vector<std::string> known;
  for (const BodySpec& body : scene.body) {
    if (body.name == name) return static_cast<int>(known.size());
    known.push_back(body.name);
  }
  const std::string nearest = nearest_spelling(name, known);
  problems.push_back({cell.where, fmt::format("the scene has no body '{}'", name),
                      nearest.empty() ? "" : fmt::format("Did you mean '{}'?", nearest)});
  return -1;
}

ColumnName parse_column_name(const std::string& text) {
  const std::size_t sign = text.find('=');
  const ColumnName column{text.substr(0, sign), sign == std::string::npos ? "" : text.substr(sign + 1)};
  std::vector<std::string> known;
  for (const TrajectoryColumn& ours : kTrajectoryColumns) known.emplace_back(ours.name);
  for (const TrajectoryColumn& ours : kForceColumns) known.emplace_back(ours.name);
  const bool is_known = std::find(known.begin(), known.end(), column.ours) != known.end();
  if (is_known && !column.theirs.empty()) return column;
  const std::string nearest = nearest_spelling(column.ours, known);
  throw InputError(fmt::format("--column {}: give it as OURS=HEADING, such as position_x=px.{}\nNothing was run.", text,
                               is_known || nearest.empty() ? "" : fmt::format(" Did you mean '{}'?", nearest)));
}

}  // namespace abut
