// Contact of abut in MuJoCo: passive forces on bodies whose own contacts are switched off.
//
//   std::string xml = "... <actuator>" + MujocoContact::make_states("ball", 64) + "</actuator>";   // a joint of the
//   model MujocoContact contact(model, data, scene, "ball", "ball", "floor", "world"); while (...) contact.step(); //
//   instead of mj_step
//
// A body of MuJoCo stands for a body of the scene, its frame (xpos, xquat) for the frame there. What the contact
// remembers is integrated by MuJoCo itself, as activations of actuators that pull at nothing. MuJoCo's callbacks are
// global: one contact, or one list of them, a process.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <abut/abut.hpp>
#include <mujoco/mujoco.h>

class MujocoContact {
 public:
  /// Actuators for `room` numbers, on any joint: their gain is zero.
  static std::string make_states(const std::string& joint, int room) {
    std::string xml;
    for (int i = 0; i < room; ++i)
      xml += "<general name='abut" + std::to_string(i) + "' joint='" + joint +
             "' dyntype='user' gaintype='fixed' gainprm='0' biastype='none'/>\n";
    return xml;
  }

  MujocoContact(mjModel* model, mjData* data, const abut::Scene& scene, const std::string& name_a,
                const std::string& body_a, const std::string& name_b, const std::string& body_b)
      : model_(model),
        data_(data),
        pair_(scene, name_a, name_b),
        state_(pair_.start()),
        bodies_{find(body_a), find(body_b)} {
    if (current() != nullptr) throw std::runtime_error("MuJoCo has one callback, which another contact has already");
    const int first = mj_name2id(model, mjOBJ_ACTUATOR, "abut0");
    if (first < 0) throw std::runtime_error("the model has no actuators of make_states()");
    first_actuator_ = first;
    while (mj_name2id(model, mjOBJ_ACTUATOR, ("abut" + std::to_string(room_)).c_str()) >= 0) ++room_;
    // Activations are those of the last actuators that have them.
    first_activation_ = first - (model->nu - model->na);
    model->opt.disableflags |= mjDSBL_CONTACT;
    current() = this;
    mjcb_passive = [](const mjModel*, mjData* d) { current()->apply(d); };
    mjcb_act_dyn = [](const mjModel*, const mjData*, int actuator) { return current()->rate(actuator); };
  }
  MujocoContact(const MujocoContact&) = delete;
  MujocoContact& operator=(const MujocoContact&) = delete;
  ~MujocoContact() {
    mjcb_passive = nullptr;
    mjcb_act_dyn = nullptr;
    current() = nullptr;
  }

  /// mj_step, in two parts where the bodies meet within it, so that no depth is found late. Further patches of bodies
  /// that touch already wait for the next step.
  void step() {
    const double whole = model_->opt.timestep;
    place();
    const double gap = pair_.gap(motion(0), motion(1));
    const Snapshot before(*this);
    take_step(whole);
    place();
    if (gap > 0.0 && pair_.gap(motion(0), motion(1)) < 0.0) {
      const double touch = find_touch(before, whole);
      before.restore(*this);
      take_step(touch);
      if (whole - touch > 1e-9 * whole) take_step(whole - touch);
      data_->time = before.time + whole;
    }
    model_->opt.timestep = whole;
  }

  /// Of the contact alone, now.
  abut::Energy energy() {
    place();
    return pair_.energy(state_, data_->time, motion(0), motion(1));
  }
  /// Of a body, now: after step() or place().
  abut::Motion motion(int which) const {
    const int body = bodies_[which];
    const mjtNum *p = data_->xpos + 3 * body, *q = data_->xquat + 4 * body;
    mjtNum v[6];
    mj_objectVelocity(model_, data_, mjOBJ_XBODY, body, v, 0);
    return {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}, {v[3], v[4], v[5]}, {v[0], v[1], v[2]}};
  }
  /// Brings poses and velocities of bodies up to the coordinates, which mj_step leaves a step ahead of them.
  void place() {
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
    mj_comVel(model_, data_);
  }

 private:
  /// All that a step changes.
  struct Snapshot {
    explicit Snapshot(const MujocoContact& contact)
        : state(contact.state_),
          q(contact.data_->qpos, contact.data_->qpos + contact.model_->nq),
          v(contact.data_->qvel, contact.data_->qvel + contact.model_->nv),
          act(contact.data_->act, contact.data_->act + contact.model_->na),
          time(contact.data_->time) {}
    void restore(MujocoContact& contact) const {
      contact.state_ = state;
      mju_copy(contact.data_->qpos, q.data(), contact.model_->nq);
      mju_copy(contact.data_->qvel, v.data(), contact.model_->nv);
      mju_copy(contact.data_->act, act.data(), contact.model_->na);
      contact.data_->time = time;
    }
    abut::PairState state;
    std::vector<mjtNum> q, v, act;
    double time;
  };

  void take_step(double h) {
    place();
    const double t = data_->time;
    model_->opt.timestep = h;
    pair_.begin_step(state_, t, h, motion(0), motion(1));
    if (state_.numbers.size() > static_cast<std::size_t>(room_))
      throw std::runtime_error("a contact has " + std::to_string(state_.numbers.size()) + " numbers and room for " +
                               std::to_string(room_));
    for (std::size_t i = 0; i < state_.numbers.size(); ++i) activation(i) = state_.numbers[i];
    mj_step(model_, data_);
    take_numbers();
    if (!pair_.end_step(state_, t + h))
      throw std::runtime_error("this contact asks for steps to be taken again (region = \"perimeter\")");
  }

  /// How long a step the bodies just meet in, on the side on which they touch [s].
  double find_touch(const Snapshot& before, double whole) {
    double apart = 0.0, together = whole;
    while (together - apart > 1e-9 * whole) {
      const double middle = 0.5 * (apart + together);
      before.restore(*this);
      take_step(middle);
      place();
      (pair_.gap(motion(0), motion(1)) < 0.0 ? together : apart) = middle;
    }
    return together;
  }

  static MujocoContact*& current() {
    static MujocoContact* contact = nullptr;
    return contact;
  }
  int find(const std::string& name) const {
    const int body = mj_name2id(model_, mjOBJ_BODY, name.c_str());
    if (body < 0) throw std::runtime_error("MuJoCo has no body '" + name + "'");
    return body;
  }
  mjtNum& activation(std::size_t i) { return data_->act[first_activation_ + static_cast<int>(i)]; }
  void take_numbers() {
    for (std::size_t i = 0; i < state_.numbers.size(); ++i) state_.numbers[i] = activation(i);
  }

  /// At every stage of the integrator.
  void apply(mjData* d) {
    if (d != data_) return;
    std::vector<double> numbers(state_.numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = activation(i);
    const abut::PairForce force = pair_.evaluate(state_, d->time, motion(0), motion(1), numbers);
    rates_ = force.rates;
    const abut::Wrench* wrenches[2] = {&force.on_a, &force.on_b};
    for (int which = 0; which < 2; ++which)
      mj_applyFT(model_, d, wrenches[which]->force.data(), wrenches[which]->torque.data(), d->xpos + 3 * bodies_[which],
                 bodies_[which], d->qfrc_passive);
  }
  double rate(int actuator) const {
    const auto i = static_cast<std::size_t>(actuator - first_actuator_);
    return actuator >= first_actuator_ && i < rates_.size() ? rates_[i] : 0.0;
  }

  mjModel* model_;
  mjData* data_;
  abut::ContactPair pair_;
  abut::PairState state_;
  int bodies_[2];
  int first_actuator_ = 0, first_activation_ = 0, room_ = 0;
  std::vector<double> rates_;
};
