#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "abut/math/mesh_data.hpp"
#include "abut/math/types.hpp"
#include "abut/scene/body_sample.hpp"
#include "abut/scene/contact_event.hpp"
#include "abut/scene/contact_sample.hpp"
#include "abut/scene/sensor_channel.hpp"

namespace abut {

/// What a run hands to whoever keeps it (HDF5, CSV, a live page). Plain data, so that the simulator and the writers
/// need not know each other. All vectors are in the world frame, SI units.

/// A mesh file of the scene: with it a record can be drawn and run again after the file has gone.
struct RecordedMesh {
  std::string file;                      ///< as the scene names it
  double scale = 1.0;                    ///< already applied to the data
  std::shared_ptr<const MeshData> data;  ///< [m]
  Vec3 stretch = Vec3::Ones();           ///< already applied to the data
};

/// Of [[sensor]]: where its numbers stand in a sample, and what they are.
struct RecordedSensor {
  std::string name;
  std::vector<SensorQuantity> quantities;
};

/// Names and sizes that stay the same for the whole run.
struct RecordLayout {
  std::string title;
  std::string version;     ///< of the program
  std::string scene_text;  ///< the scene as run (TOML), enough to run it again
  std::vector<std::string> body_names;
  std::vector<std::string> joint_names;         ///< declared joints only
  std::vector<int> joint_q_start, joint_num_q;  ///< slices of Sample::q
  std::vector<int> joint_v_start, joint_num_v;  ///< slices of Sample::v and Sample::joint_force
  std::vector<std::string> energy_names;        ///< columns of Sample::energy, e.g. "kinetic", "damping" [J]
  std::vector<RecordedSensor> sensors;          ///< their channels one after the other make Sample::sensors
  std::vector<RecordedMesh> meshes;
  unsigned contact_kinds = 0;  ///< of ContactKind: what some contacts of the run tell

  bool has_column(const ContactColumn& column) const {
    return column.kinds == 0 || (column.kinds & contact_kinds) != 0;
  }
  /// Whether some contacts tell the curve in which the surfaces cross.
  bool has_curves() const { return (contact_kinds & kPerimetric) != 0; }
};

struct Sample {
  double time = 0.0;  ///< [s]
  std::vector<BodySample> bodies;
  std::vector<double> q, v;         ///< generalised coordinates [m, rad] and velocities [m/s, rad/s]
  std::vector<double> joint_force;  ///< of motors, springs, friction and prescribed motion [N, N m]
  std::vector<ContactSample> contacts;
  std::vector<double> energy;   ///< [J]
  std::vector<double> sensors;  ///< what they show, held since they could be read
};

/// One number for each coordinate or rate of all joints.
struct JointColumn {
  const char* name;
  const char* unit;
  const char* doc;
  std::vector<double> Sample::*values;
  bool is_coordinate;  ///< as many as coordinates; otherwise as many as velocities
};

inline constexpr auto kJointColumns = std::to_array<JointColumn>({
    {"q", "m or rad", "Coordinates.", &Sample::q, true},
    {"v", "m/s or rad/s", "Their rates.", &Sample::v, false},
    {"force", "N or N m", "Of motors, springs, friction and prescribed motion.", &Sample::joint_force, false},
});

struct RealtimeReport;

/// Receives a run as it goes on. Samples come in order of time; events may come between them.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  virtual void begin(const RecordLayout& layout) = 0;
  virtual void sample(const Sample& sample) = 0;
  virtual void event(const ContactEvent& event) = 0;
  /// Called before finish() when the run was paced by the clock.
  virtual void realtime(const RealtimeReport&) {}
  /// Called once, also after an interruption or a failure; the record must be complete and readable afterwards.
  virtual void finish(const std::string& summary_json) = 0;
};

}  // namespace abut
