#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/contact_pair.hpp"
#include "abut/scene/scene_spec.hpp"

namespace abut {

/// Contact force between two bodies as the other simulator has it, at one sample.
struct GivenForce {
  Vec3 force = Vec3::Zero();   ///< on the first body of the pair [N]
  Vec3 moment = Vec3::Zero();  ///< of it about the world's origin [N m]; of no use without points
  bool has_moment = false;
  bool is_there = false;
};

/// Forces of one pair at all samples; zero where the file has no row.
struct GivenForces {
  int body_a = -1, body_b = -1;  ///< of the scene
  std::vector<GivenForce> samples;
};

/// How the bodies of a scene moved under another simulator.
struct Trajectory {
  std::vector<double> times;                     ///< [s], increasing
  std::vector<std::vector<v0::Motion>> motions;  ///< [body of the scene][sample]
  bool has_velocity = true, has_angular_velocity = true;
  /// Where velocities are differences of poses: how far those over one and two intervals are apart, over three, in the
  /// middle of all samples and at the worst [m/s], [rad/s].
  double velocity_error = 0.0, worst_velocity_error = 0.0;
  double angular_velocity_error = 0.0, worst_angular_velocity_error = 0.0;
  std::vector<GivenForces> forces;
  std::vector<std::string> ignored;  ///< headings that say nothing to the audit

  std::size_t num_samples() const { return times.size(); }
};

/// Headings of the file that stand for one of ours: {"position_x", "px"}.
struct ColumnName {
  std::string ours, theirs;
};

/// "position_x=px"; InputError where it is not of this form or names no column of ours.
ColumnName parse_column_name(const std::string& text);

struct TrajectoryOptions {
  std::vector<ColumnName> columns;
  bool is_spin_in_body_axes = false;  ///< angular velocities are in the axes of the body, as those of MuJoCo's joints
};

/// Poses (and velocities, where they are there) of a file of docs/audit.md: one row for each body and instant, or one
/// row for each instant with headings BODY.COLUMN. InputError with every place where something is wrong.
Trajectory read_trajectory(const std::string& path, const SceneSpec& scene, const TrajectoryOptions& options = {});
Trajectory parse_trajectory(const std::string& text, const std::string& file, const SceneSpec& scene,
                            const TrajectoryOptions& options = {});

/// Adds the contact forces of a file to a trajectory: rows of one pair and instant are summed.
void read_forces(const std::string& path, const SceneSpec& scene, const TrajectoryOptions& options,
                 Trajectory& trajectory);
void parse_forces(const std::string& text, const std::string& file, const SceneSpec& scene,
                  const TrajectoryOptions& options, Trajectory& trajectory);

/// Velocities from poses, by parabolas through three samples, where the file has none.
void fill_velocities(Trajectory& trajectory);

/// A motion between two samples: cubics with the velocities of both ends, in position and in the rotation from the
/// first. `t` may lie anywhere from sample k to k + 1 [s].
v0::Motion interpolate(const Trajectory& trajectory, int body, std::size_t k, double t);

}  // namespace abut
