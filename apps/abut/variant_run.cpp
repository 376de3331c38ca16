#include "variant_run.hpp"

#include <algorithm>
#include <cmath>

#include "abut/io/scene_writer.hpp"
#include "abut/sim/advice.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/simulate.hpp"
#include "version.hpp"

namespace abut {

namespace {

constexpr double kSamplesInContact = 8.0;
constexpr double kMostFineness = 40.0;
constexpr double kAtRest = 0.01;  ///< of the greatest speed

/// How many samples to take for each one kept.
int choose_fineness(const SceneSpec& scene, const Model& like) {
  const Model model = compile(scene, like);
  double shortest = HUGE_VAL;  // [s]
  for (const ContactAdvice& advice : make_contact_advice(model, 20, false)) {
    if (advice.duration > 0.0) shortest = std::min(shortest, advice.duration);
  }
  const double wanted = scene.run.record_interval_or_default() * kSamplesInContact / shortest;
  return static_cast<int>(std::clamp(std::ceil(wanted), 1.0, kMostFineness));
}

SceneSpec refine(SceneSpec scene, int fineness) {
  scene.run.record_interval = scene.run.record_interval_or_default() / fineness;
  scene.run.threads = 1;  // variants run side by side
  return scene;
}

/// Integrates over every sample and keeps every n-th.
class FineSink : public RecordSink {
 public:
  FineSink(RecordColumns& kept, int fineness) : kept_(kept), fineness_(fineness) {}

  void begin(const RecordLayout& layout) override { kept_.begin(layout); }
  void sample(const Sample& sample) override {
    double force = 0.0, speed = 0.0;
    for (const ContactSample& contact : sample.contacts) force += contact.normal_force;
    for (const BodySample& body : sample.bodies) speed = std::max(speed, body.velocity.norm());
    if (num_samples_ > 0) impulse += 0.5 * (force + last_force_) * (sample.time - last_time_);
    last_force_ = force;
    last_time_ = sample.time;
    if (num_samples_++ % fineness_ == 0) kept_.sample(sample);
    speeds_.emplace_back(sample.time, speed);
  }
  void event(const ContactEvent& event) override { kept_.event(event); }
  void finish(const std::string& summary_json) override { kept_.finish(summary_json); }

  /// The instant after which nothing is faster than 1 % of the greatest speed; none while something still is.
  std::optional<double> calc_rest_time() const {
    double greatest = 0.0;
    for (const auto& [time, speed] : speeds_) greatest = std::max(greatest, speed);
    for (std::size_t i = speeds_.size(); i-- > 0;) {
      if (speeds_[i].second <= kAtRest * greatest) continue;
      if (i + 1 == speeds_.size()) return std::nullopt;
      return speeds_[i + 1].first;
    }
    return 0.0;
  }

  double impulse = 0.0;  ///< [N s]

 private:
  RecordColumns& kept_;
  int fineness_;
  long num_samples_ = 0;
  double last_force_ = 0.0, last_time_ = 0.0;
  std::vector<std::pair<double, double>> speeds_;
};

}  // namespace

VariantRun::VariantRun(std::string label, const SceneSpec& scene, const Model& like)
    : label_(std::move(label)),
      fineness_(choose_fineness(scene, like)),
      model_(compile(refine(scene, fineness_), like)) {}

void VariantRun::run(const std::atomic<bool>& stop) {
  FineSink sink(columns_, fineness_);
  RunOptions options;
  options.stop = &stop;
  const double duration = model_.scene.run.duration;
  options.on_progress = [this, duration](double time) { progress_ = time / duration; };
  sink.begin(make_record_layout(model_, scene_to_toml(model_.scene), kVersion));
  summary_ = simulate(model_, sink, options);
  for (const PairSummary& pair : summary_.pairs) numbers_.peak_force = std::max(numbers_.peak_force, pair.peak_force);
  numbers_.impulse = sink.impulse;
  numbers_.rest_time = sink.calc_rest_time();
  numbers_.energy_lost = summary_.energy.sum(EnergyKind::dissipated);
  numbers_.steps = summary_.work.accepted;
  numbers_.wall_time = summary_.wall_time;
  progress_ = 1.0;
}

}  // namespace abut
