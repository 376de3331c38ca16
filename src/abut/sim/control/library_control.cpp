#include <algorithm>

#include <dlfcn.h>
#include <fmt/format.h>

#include "abut/controller.h"
#include "abut/sim/control/control_law.hpp"
#include "abut/sim/model.hpp"

namespace abut {

namespace {

/// A shared library that stays open as long as somebody uses it.
class Library {
 public:
  explicit Library(const std::string& file) : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) {
      const char* reason = dlerror();
      throw InputError(fmt::format("the library of a controller cannot be opened: {}", reason ? reason : file));
    }
  }
  ~Library() { dlclose(handle_); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  template <class Function>
  Function* find(const char* name) const {
    void* symbol = dlsym(handle_, name);
    if (symbol == nullptr)
      throw InputError(fmt::format("the library of a controller has no function {} (abut/controller.h)", name));
    return reinterpret_cast<Function*>(symbol);
  }

 private:
  void* handle_;
};

class LibraryControl final : public ControlLaw {
 public:
  LibraryControl(const LibraryControlSpec& spec, const ControlSite& site)
      : spec_(spec),
        motors_(site.motors),
        library_(spec.file),
        act_(library_.find<decltype(abut_controller_act)>("abut_controller_act")) {
    const int version = library_.find<decltype(abut_controller_version)>("abut_controller_version")();
    if (version != ABUT_CONTROLLER_VERSION)
      throw InputError(fmt::format("'{}' was compiled for version {} of abut/controller.h, this program has {}",
                                   spec.file, version, ABUT_CONTROLLER_VERSION));
    for (const std::string& joint : spec_.joints) joints_.push_back(joint.c_str());
    for (const std::string& sensor : spec_.sensors) {
      sensors_.push_back(sensor.c_str());
      for (const SensorPlan& plan : site.model.sensors) {
        if (plan.name == sensor) sensor_channels_.push_back(plan.channels.size());
      }
    }
    setup_ = {sizeof setup_,           1.0 / site.spec.rate,    joints_.size(),
              joints_.data(),          sensors_.size(),         sensors_.data(),
              sensor_channels_.data(), spec_.parameters.size(), spec_.parameters.data()};
    num_memory_ = library_.find<decltype(abut_controller_memory)>("abut_controller_memory")(&setup_);
    if (num_memory_ < 0)
      throw InputError(
          fmt::format("'{}' refuses to work with what controller '{}' gives it", spec.file, site.spec.name));
    q_.resize(motors_.size());
    v_.resize(motors_.size());
  }

  std::vector<std::string> sensors() const override { return spec_.sensors; }

  void sample(const ControlInput& input, std::vector<double>& memory, std::span<double> commands) override {
    memory.resize(static_cast<std::size_t>(num_memory_), 0.0);
    for (std::size_t i = 0; i < motors_.size(); ++i) {
      q_[i] = input.q[motors_[i].q_index];
      v_[i] = input.v[motors_[i].v_index];
    }
    shown_.clear();
    for (const std::span<const double> sensor : input.sensors)
      shown_.insert(shown_.end(), sensor.begin(), sensor.end());
    abut_controller_sample sample{sizeof sample, input.time,    q_.data(),       v_.data(),
                                  shown_.data(), memory.data(), commands.data(), nullptr};
    const int status = act_(&setup_, &sample);
    if (status == 0) return;
    throw ControlFailure(
        sample.message != nullptr ? std::string(sample.message) : fmt::format("its library answered {}", status),
        fmt::format("Look at {}.", spec_.file));
  }

 private:
  LibraryControlSpec spec_;
  std::vector<ControlledMotor> motors_;
  Library library_;
  decltype(abut_controller_act)* act_;
  std::vector<const char*> joints_, sensors_;
  std::vector<std::size_t> sensor_channels_;
  abut_controller_setup setup_{};
  long num_memory_ = 0;
  std::vector<double> q_, v_, shown_;
};

}  // namespace

std::unique_ptr<ControlLaw> make_law(const LibraryControlSpec& spec, const ControlSite& site) {
  return std::make_unique<LibraryControl>(spec, site);
}

}  // namespace abut
