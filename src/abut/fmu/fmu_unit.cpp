#include "abut/fmu/fmu_unit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/fmu/port_value.hpp"
#include "abut/scene/method_list.hpp"

namespace abut {

namespace {

using Role = FmuPort::Role;
using Source = FmuPort::Source;

bool is_touch_or_lift(const ContactEvent& event) {
  return event.kind == ContactEventKind::touch || event.kind == ContactEventKind::lift;
}

}  // namespace

FmuUnit::FmuUnit(std::shared_ptr<const FmuModel> model) : model_(std::move(model)) { reset(); }

void FmuUnit::reset() {
  const std::size_t size = model_->ports.size();
  values_.clear();
  for (const FmuPort& port : model_->ports) values_.push_back(port.start);
  is_written_.assign(size, 0);
  is_new_.assign(size, 0);
  written_at_.assign(size, 0.0);
  flags_.assign(size, 0);
  holds_flags_ = false;
  start_time_ = time_ = 0.0;
  tolerance_.reset();
  world_.reset();
}

void FmuUnit::start(double time, std::optional<double> tolerance) {
  const bool is_asked = tolerance && !method_traits(model_->get().scene.run.method).has_fixed_step;
  start_time_ = time_ = time;
  tolerance_ = is_asked ? tolerance : std::nullopt;
  std::fill(written_at_.begin(), written_at_.end(), time);
  world_.reset();
  world();  // a tolerance or parameter that cannot be is refused here
}

std::shared_ptr<const Model> FmuUnit::make_model() const {
  std::vector<SceneChange> changes;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const FmuPort& port = model_->ports[i];
    if (port.role != Role::parameter || values_[i] == port.start) continue;
    changes.push_back({port.path, port.is_array ? KeyValue(values_[i]) : KeyValue(values_[i][0])});
  }
  if (tolerance_ && *tolerance_ != model_->get().scene.run.tolerance) changes.push_back({"run.tolerance", *tolerance_});
  return changes.empty() ? model_->model : std::make_shared<const Model>(model_->get().with(changes));
}

World& FmuUnit::world() {
  if (world_ == nullptr) {
    auto world = std::make_unique<World>(make_model(), 1);
    world_ = std::move(world);
    // Inputs that were written outlive the world that they were written to.
    for (std::size_t i = 0; i < is_new_.size(); ++i) is_new_[i] = is_written_[i];
  }
  return *world_;
}

void FmuUnit::read(std::size_t port, std::size_t first, std::span<double> values) {
  const FmuPort& known = model_->ports[port];
  if (known.role != Role::output) {
    std::copy_n(values_[port].begin() + static_cast<long>(first), values.size(), values.begin());
    return;
  }
  if (known.is_flag() && holds_flags_) {
    values[0] = flags_[port];
    return;
  }
  world();
  apply_inputs();
  read_output(*model_, port, *world_, scratch_);
  std::copy_n(scratch_.begin() + static_cast<long>(first), values.size(), values.begin());
}

void FmuUnit::write(std::size_t port, std::size_t first, std::span<const double> values) {
  const FmuPort& known = model_->ports[port];
  for (const double value : values) {
    if (!std::isfinite(value)) throw InputError(fmt::format("{} cannot be {}", known.name, value));
  }
  const auto place = values_[port].begin() + static_cast<long>(first);
  const bool is_same = std::equal(values.begin(), values.end(), place);
  std::copy(values.begin(), values.end(), place);
  if (known.role == Role::parameter) {
    if (!is_same) world_.reset();
    return;
  }
  written_at_[port] = time_;
  const bool is_motion = known.source == Source::motion || known.source == Source::motion_rate;
  // An equal value is no event. A command that has never been written is the scene's own, which may change with time.
  if (is_same && !is_motion && (is_written_[port] || values_[port] == known.start)) {
    const bool is_table = known.source == Source::command &&
                          model_->get().scene.joint[static_cast<std::size_t>(known.joint)].motor->table.has_value();
    if (is_written_[port] || !is_table) return;
  }
  is_written_[port] = is_new_[port] = 1;
}

/// Forces and commands. A force and a torque on one body go together.
void FmuUnit::apply_inputs() {
  for (std::size_t i = 0; i < is_new_.size(); ++i) {
    const FmuPort& port = model_->ports[i];
    if (!is_new_[i] || port.source == Source::motion || port.source == Source::motion_rate) continue;
    const SceneSpec& scene = model_->get().scene;
    if (port.source == Source::command) {
      world().set_command(scene.joint[static_cast<std::size_t>(port.joint)].name, values_[i][0]);
      is_new_[i] = 0;
      continue;
    }
    ExternalForce push;
    for (std::size_t k = 0; k < is_new_.size(); ++k) {
      const FmuPort& other = model_->ports[k];
      if (other.role != Role::input || other.body_a != port.body_a) continue;
      const Vec3 value(values_[k][0], values_[k][1], values_[k][2]);
      if (other.source == Source::body_force) push.force = value;
      if (other.source == Source::body_torque) push.torque = value;
      is_new_[k] = 0;
    }
    world().set_force(scene.body[static_cast<std::size_t>(port.body_a)].name, push);
  }
}

/// A prescribed joint is where its input says at the end of the step, gone on at the rate since it was written.
void FmuUnit::apply_motions(double until) {
  for (std::size_t i = 0; i < is_written_.size(); ++i) {
    const FmuPort& port = model_->ports[i];
    const bool is_motion = port.source == Source::motion || port.source == Source::motion_rate;
    if (!is_motion || !is_written_[i]) continue;
    const auto find = [&](Source source) -> std::optional<std::size_t> {
      for (std::size_t k = 0; k < is_written_.size(); ++k) {
        if (model_->ports[k].joint == port.joint && model_->ports[k].source == source) return k;
      }
      return std::nullopt;
    };
    const std::optional<std::size_t> place = find(Source::motion), rate = find(Source::motion_rate);
    // Each joint once, by the first of the two that was written.
    if (place && *place < i && is_written_[*place]) continue;
    if (rate && *rate < i && is_written_[*rate]) continue;
    const std::string& joint = model_->get().scene.joint[static_cast<std::size_t>(port.joint)].name;
    const double speed = rate ? values_[*rate][0] : 0.0;
    const double from = place ? values_[*place][0] : world().joint_position(joint);
    const double since = place ? written_at_[*place] : time_;
    world().set_motion(joint, until - start_time_, from + speed * (until - since), speed);
  }
}

void FmuUnit::hold_flags(bool holds) { holds_flags_ = holds; }

void FmuUnit::latch() {
  for (std::size_t i = 0; i < flags_.size(); ++i) {
    if (!model_->ports[i].is_flag()) continue;
    read_output(*model_, i, world(), scratch_);
    flags_[i] = scratch_[0] != 0.0;
  }
}

FmuAdvance FmuUnit::advance(double until, const Hooks& hooks) {
  World& moving = world();
  FmuAdvance result{time_, false, false, {}};
  if (!moving.report().is_ok()) {
    result.message = moving.report().message;
    return result;
  }
  const double target = std::max(until - start_time_, moving.time());
  if (target > moving.time()) apply_motions(until);
  apply_inputs();
  moving.take_events();
  const bool halts = hooks.stops_at_events || hooks.on_step;
  double limit = target;
  moving.set_pause(halts ? [] { return true; } : std::function<bool()>());
  while (moving.time() < limit) {
    const StepReport report = moving.advance(limit);
    const std::vector<ContactEvent> events = moving.take_events();
    result.has_event = result.has_event || std::any_of(events.begin(), events.end(), is_touch_or_lift);
    if (!report.is_ok()) {
      result.message = report.message.empty() ? "it cannot go on" : report.message;
      if (!report.advice.empty()) result.message += "\n" + report.advice;
      break;
    }
    if (hooks.on_step) {
      time_ = moving.time() == target ? until : start_time_ + moving.time();
      if (const std::optional<double> wanted = hooks.on_step(time_))
        limit = std::clamp(*wanted - start_time_, moving.time(), limit);
      apply_inputs();
    }
    if (hooks.stops_at_events && result.has_event) break;
  }
  moving.set_pause({});
  time_ = result.message.empty() && moving.time() >= target ? until : start_time_ + moving.time();
  result.time = time_;
  result.is_early = result.message.empty() && moving.time() < target;
  return result;
}

}  // namespace abut
