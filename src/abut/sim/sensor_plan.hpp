#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "abut/math/pose.hpp"
#include "abut/multibody/tree.hpp"
#include "abut/scene/sensor_channel.hpp"

namespace abut {

/// A frame S that a link carries.
struct LinkFrame {
  int link = kWorld;
  Pose X_LS;
};

/// What a sensor looks at, by links of the model.
struct ReactionPlan {
  int link = 0;  ///< child of the joint
  ReactionSensorSpec::Part part = ReactionSensorSpec::Part::total;
  LinkFrame frame;
};
struct ContactWrenchPlan {
  std::vector<int> links;
  LinkFrame frame;
};
struct MotionPlan {
  LinkFrame frame, from;
};
struct JointPlan {
  int link = 0;
};
struct GapPlan {
  int link_a = 0, link_b = 0;
  /// Colliders of both, in pairs whose distance is looked for.
  std::vector<std::pair<int, int>> colliders;
};

/// A sensor of the scene, ready to be read. Vectors have one value for each channel.
struct SensorPlan {
  std::string name;
  std::variant<ReactionPlan, ContactWrenchPlan, MotionPlan, JointPlan, GapPlan> kind;
  std::vector<SensorQuantity> quantities;
  std::vector<SensorChannel> channels;  ///< the numbers of the quantities
  int first = 0;                        ///< of its channels among those of all sensors
  int orientation = -1;                 ///< channel at which a unit quaternion begins; -1: there is none
  double rate = 0.0;                    ///< [Hz]; 0: not sampled
  double delay = 0.0;                   ///< [s]
  double low_pass = 0.0;                ///< [Hz]; 0: none
  std::vector<double> gain, offset, noise, quantum;
  std::uint64_t noise_key = 0;

  int num_channels() const { return static_cast<int>(channels.size()); }
  bool is_sampled() const { return rate > 0.0; }
  double sample_time(std::int64_t sample) const { return static_cast<double>(sample) / rate; }
  /// Samples of which one may still have to be read: the one that is read, and those that are under way.
  std::size_t num_kept() const;
};

}  // namespace abut
