#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "abut/sim/control/control_message.hpp"
#include "abut/sim/control/line_socket.hpp"

namespace abut {

namespace {

/// Asks a program at each sample and waits for its answer, so that a run has the same results at any pace.
class SocketControl final : public ControlLaw {
 public:
  SocketControl(const SocketControlSpec& spec, const ControlSite& site)
      : spec_(spec),
        motors_(site.motors),
        deadline_(spec.deadline > 0.0 ? spec.deadline : 1.0 / site.spec.rate),
        socket_(spec.address),
        q_(motors_.size()),
        v_(motors_.size()) {
    if (!socket_.send(write_greeting(site, spec_.sensors)))
      throw InputError(fmt::format("the program at '{}' closed its socket at once", spec.address));
  }

  std::vector<std::string> sensors() const override { return spec_.sensors; }

  void sample(const ControlInput& input, std::vector<double>&, std::span<double> commands) override {
    for (std::size_t i = 0; i < motors_.size(); ++i) {
      q_[i] = input.q[motors_[i].q_index];
      v_[i] = input.v[motors_[i].v_index];
    }
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    std::string line;
    LineSocket::Answer answer = LineSocket::Answer::gone;
    if (socket_.send(write_measurement(input.time, q_, v_, input.sensors)))
      answer = socket_.receive(spec_.timeout, line);
    if (answer == LineSocket::Answer::gone)
      throw ControlFailure(fmt::format("the program at '{}' has closed its socket", spec_.address),
                           "Look at what that program said; everything until then is recorded.");
    if (answer == LineSocket::Answer::late)
      throw ControlFailure(
          fmt::format("the program at '{}' did not answer within {:.3g} s", spec_.address, spec_.timeout),
          "Give a longer timeout, or look at what that program does.");
    note(std::chrono::duration<double>(Clock::now() - start).count(), input.time);
    const ControlAnswer read = read_answer(line, commands.size());
    if (!read.error.empty()) throw ControlFailure(read.error, "docs/controllers.md says what an answer is.");
    if (!read.stop.empty()) throw ControlFailure(read.stop, "The program asked for the end of the run.");
    std::copy(read.commands.begin(), read.commands.end(), commands.begin());
  }

  void report(std::vector<std::string>& notes) const override {
    if (num_asked_ == 0) return;
    notes.push_back(fmt::format(
        "{} of {} answers took longer than {:.3g} s; {:.3g} s on average, {:.3g} s at most, at {:.6g} s of the run",
        num_late_, num_asked_, deadline_, total_ / static_cast<double>(num_asked_), longest_, longest_at_));
  }

 private:
  void note(double taken, double time) {
    ++num_asked_;
    total_ += taken;
    if (taken > deadline_) ++num_late_;
    if (taken <= longest_) return;
    longest_ = taken;
    longest_at_ = time;
  }

  SocketControlSpec spec_;
  std::vector<ControlledMotor> motors_;
  double deadline_;  ///< [s]
  LineSocket socket_;
  std::vector<double> q_, v_;
  long num_asked_ = 0, num_late_ = 0;
  double total_ = 0.0, longest_ = 0.0, longest_at_ = 0.0;  ///< [s]
};

}  // namespace

std::unique_ptr<ControlLaw> make_law(const SocketControlSpec& spec, const ControlSite& site) {
  return std::make_unique<SocketControl>(spec, site);
}

}  // namespace abut
