#pragma once

#include <span>
#include <vector>

#include "abut/sim/dynamics.hpp"
#include "abut/sim/free_motion.hpp"
#include "abut/sim/joint_rows.hpp"
#include "abut/sim/layer_step.hpp"
#include "abut/sim/velocity_parts.hpp"

namespace abut {

/// The jointed bodies of a model as the mechanism of a layer step: speeds of joints take the place of their own.
class NcpMechanism {
 public:
  NcpMechanism(const Dynamics& dynamics, const State& state);

  /// Speeds of joints at the end of the step without contacts, and what moves the links with others. The links follow.
  void begin(const FreeMotion& free, JointRows& joints, double h);
  void add_link(int link, LayerBody& body);
  /// Null where no link moves.
  const LayerMechanism* get() const { return mechanism_.jacobians.empty() ? nullptr : &mechanism_; }

  /// What a step found, for the rows of the joints, the speeds and the coordinates of the mechanism's links.
  void write_loads(const LayerStepResult& result, JointRows& joints) const;
  void write_speeds(const LayerStepResult& result, std::span<double> v) const;
  void write_coordinates(const LayerStepResult& result, double h, std::span<double> q);

 private:
  void calc_end(const VecX& speeds, double h);
  void move_links(const VecX& speeds, double h, std::vector<LayerBody>& bodies);

  const Dynamics& dynamics_;
  const State& state_;
  const Tree& tree_;
  VelocityParts parts_;
  ConstraintSystem system_;
  LayerMechanism mechanism_;
  std::vector<int> links_;
  std::vector<std::size_t> load_rows_;  ///< of the joints' rows, those that are loads
  std::vector<double> v_free_, v_end_, q_end_;
  Kinematics end_;
};

}  // namespace abut
