#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/csv_table.hpp"
#include "audit/trajectory.hpp"

namespace abut {

/// A column that the audit reads: our name, the unit that may stand in brackets behind it, and what others call it.
struct TrajectoryColumn {
  std::string_view name, unit, others;
};

inline constexpr auto kTrajectoryColumns = std::to_array<TrajectoryColumn>({
    {"time", "s", "t"},
    {"body", "", ""},
    {"position_x", "m", "x px pos_x"},
    {"position_y", "m", "y py pos_y"},
    {"position_z", "m", "z pz pos_z"},
    {"orientation_w", "", "qw quat_w"},
    {"orientation_x", "", "qx quat_x"},
    {"orientation_y", "", "qy quat_y"},
    {"orientation_z", "", "qz quat_z"},
    {"velocity_x", "m/s", "vx vel_x"},
    {"velocity_y", "m/s", "vy vel_y"},
    {"velocity_z", "m/s", "vz vel_z"},
    {"angular_velocity_x", "rad/s", "wx omega_x"},
    {"angular_velocity_y", "rad/s", "wy omega_y"},
    {"angular_velocity_z", "rad/s", "wz omega_z"},
});
inline constexpr std::size_t kFirstNumber = 2, kNumNumbers = 13;  ///< of the numbers of one body among them

inline constexpr auto kForceColumns = std::to_array<TrajectoryColumn>({
    {"time", "s", "t"},
    {"body_a", "", ""},
    {"body_b", "", ""},
    {"force_x", "N", "fx"},
    {"force_y", "N", "fy"},
    {"force_z", "N", "fz"},
    {"point_x", "m", ""},
    {"point_y", "m", ""},
    {"point_z", "m", ""},
    {"torque_x", "N m", ""},
    {"torque_y", "N m", ""},
    {"torque_z", "N m", ""},
});

/// "position_x [m]" as "position_x" and "m".
std::pair<std::string, std::string> split_unit(const std::string& heading);

/// Which of `columns` a heading without unit is: by its own name, that of others, or what the user said; -1 for none.
int find_column(std::string_view name, std::span<const TrajectoryColumn> columns,
                const std::vector<ColumnName>& renamed);
/// Notes a unit that is not the one of the column.
void check_unit(const CsvCell& cell, const std::string& unit, const TrajectoryColumn& column,
                std::vector<Problem>& problems);
/// Index in the scene, or -1 and a problem with the nearest name.
int find_body(const CsvCell& cell, const std::string& name, const SceneSpec& scene, std::vector<Problem>& problems);

}  // namespace abut
