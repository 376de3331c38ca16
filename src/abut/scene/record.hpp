#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "abut/math/mesh_data.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// What a run hands to whoever keeps it (HDF5, CSV, a live page). Plain data, so that the simulator and the writers
/// need not know each other. All vectors are in the world frame, SI units.

/// A mesh file of the scene: with it a record can be drawn and run again after the file has gone.
struct RecordedMesh {
  std::string file;                      ///< as the scene names it
  double scale = 1.0;                    ///< already applied to the data
  std::shared_ptr<const MeshData> data;  ///< [m]
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
  std::vector<RecordedMesh> meshes;
  bool has_volume_contacts = false;  ///< whether contacts have what volumetric ones have
  bool has_hertz_contacts = false;   ///< whether contacts have what Hertz's law gives of their patch
  bool has_curves = false;           ///< whether some contacts tell the curve in which the surfaces cross
};

struct BodySample {
  Vec3 position = Vec3::Zero();          ///< p_WB, origin of the body frame [m]
  Quat orientation = Quat::Identity();   ///< of the body frame
  Vec3 velocity = Vec3::Zero();          ///< v_WB of the body frame's origin [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< w_WB [rad/s]
};

/// A piece of the curve in which two surfaces cross [m].
struct CurveSegment {
  Vec3 start = Vec3::Zero();
  Vec3 end = Vec3::Zero();
};

/// One patch in contact at one instant: body a, body b; the force acts on a, its opposite on b.
struct ContactSample {
  int body_a = -1;
  int body_b = -1;
  int patch = 0;                      ///< tells apart several points of one pair (corners of a box)
  double depth = 0.0;                 ///< [m]
  double depth_rate = 0.0;            ///< [m/s], > 0 approaching
  Vec3 point = Vec3::Zero();          ///< [m]
  Vec3 normal = Vec3::Zero();         ///< from b into a
  Vec3 force = Vec3::Zero();          ///< on a [N]
  double normal_force = 0.0;          ///< [N]
  Vec3 slip_velocity = Vec3::Zero();  ///< tangential velocity of a relative to b [m/s]
  Vec3 bristle = Vec3::Zero();        ///< bristle deflection [m]
  double dwell = 0.0;                 ///< stiction recovered, 0 to 1
  bool sticking = false;
  // Point contacts whose force grows with depth^1.5 only, zero for others and where the patch is no ellipse:
  std::array<double, 2> curvature{};  ///< relative principal curvatures, the larger first [1/m]
  std::array<double, 2> half_axes{};  ///< of the patch at this depth, the short one first [m]
  double mean_pressure = 0.0;         ///< normal force over the area of the patch [Pa]
  double peak_pressure = 0.0;         ///< in its middle, 3/2 of that [Pa]
  // Volumetric and perimeter contacts only, zero for others:
  Vec3 torque = Vec3::Zero();  ///< on a, beyond that of the force at its point [N m]
  // Volumetric contacts only:
  double twist = 0.0;            ///< of the bristles about the normal [rad]
  double spin = 0.0;             ///< of a relative to b about the normal [rad/s]
  double volume = 0.0;           ///< of interference [m^3]
  double area = 0.0;             ///< of contact [m^2]
  double gyration_radius = 0.0;  ///< of the patch about the normal [m]
  /// xx, yy, zz, xy, xz, yz of the volume's inertia tensor at unit density, about `point` [m^5]
  std::array<double, 6> inertia{};
  double perimeter = 0.0;           ///< length of the curve in which the surfaces cross [m]
  std::vector<CurveSegment> curve;  ///< its pieces, in no particular order; empty where it is not known
};

struct Sample {
  double time = 0.0;  ///< [s]
  std::vector<BodySample> bodies;
  std::vector<double> q, v;         ///< generalised coordinates [m, rad] and velocities [m/s, rad/s]
  std::vector<double> joint_force;  ///< of motors, springs, friction and prescribed motion [N, N m]
  std::vector<ContactSample> contacts;
  std::vector<double> energy;  ///< [J]
};

enum class ContactEventKind { touch, lift, stick, slip };

struct ContactEvent {
  double time = 0.0;  ///< [s]
  ContactEventKind kind = ContactEventKind::touch;
  int body_a = -1;
  int body_b = -1;
  int patch = 0;
  double normal_speed = 0.0;  ///< rate of the gap at that instant [m/s], < 0 approaching
};

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
