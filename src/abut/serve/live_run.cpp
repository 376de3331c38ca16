#include "abut/serve/live_run.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/io/scene_writer.hpp"
#include "abut/serve/page_chunk.hpp"
#include "abut/serve/record_columns.hpp"
#include "abut/serve/run_info.hpp"
#include "abut/serve/scene_values.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/simulate.hpp"

namespace abut {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// Rows are sent together about this often [s of wall time]: often enough to look smooth.
constexpr double kSendInterval = 0.04;

std::string make_event(const char* name, const std::string& json) {
  return fmt::format("event: {}\ndata: {}\n\n", name, json);
}

/// "gravity[2]" -> "gravity", 2; -1 without an index.
std::pair<std::string, int> split_index(const std::string& path) {
  const std::size_t size = path.size();
  if (size < 4 || path[size - 1] != ']' || path[size - 3] != '[' || path[size - 2] < '0' || path[size - 2] > '2')
    return {path, -1};
  return {path.substr(0, size - 3), path[size - 2] - '0'};
}

}  // namespace

struct LiveRun::Impl : public RecordSink {
  explicit Impl(LiveSource from) : source(std::move(from)) {}

  Model make_model(const std::map<std::string, KeyValue>& with) const {
    std::vector<SceneChange> changes;
    for (const auto& [path, value] : with) changes.push_back({path, value});
    return first->with(changes, [this](SceneSpec& scene) { read_missing_meshes(scene, source.path); });
  }

  void start(Model next);
  void stop_thread();
  void run();
  void post(std::string message);  // with the mutex held
  void post_state();               // with the mutex held
  void send_rows();

  // RecordSink, called by the thread of the run.
  void begin(const RecordLayout& layout) override;
  void sample(const Sample& sample) override;
  void event(const ContactEvent& event) override { columns.event(event); }
  void finish(const std::string& summary_json) override;
  void wait_for_turn(double time);

  LiveSource source;
  std::mutex control;  ///< held by whoever starts or ends a run
  std::map<std::string, KeyValue> settings;
  std::optional<Model> first;  ///< as the scene has it; settings change copies that share its shapes
  std::thread thread;
  std::optional<Model> model;
  RecordColumns columns;  ///< of the thread of the run
  Clock::time_point last_send;
  bool has_unsent = false;

  std::mutex mutex;  ///< of everything below
  std::condition_variable changed;
  std::vector<std::string> messages;
  long generation = 0;
  bool is_paused = false, is_running = false, is_down = false;
  int num_steps = 0;  ///< samples to let through while paused
  double speed = 1.0;
  std::atomic<bool> stop{false};
  bool has_origin = false;
  Clock::time_point origin;  ///< wall time at which origin_time was shown
  double origin_time = 0.0;  ///< [s]
};

void LiveRun::Impl::post(std::string message) {
  messages.push_back(std::move(message));
  changed.notify_all();
}

void LiveRun::Impl::post_state() {
  post(make_event("state", fmt::format(R"({{"paused":{},"running":{},"speed":{}}})", is_paused, is_running, speed)));
}

void LiveRun::Impl::stop_thread() {
  {
    const std::lock_guard<std::mutex> lock(mutex);
    stop = true;
    changed.notify_all();
  }
  if (thread.joinable()) thread.join();
}

void LiveRun::Impl::start(Model next) {
  stop_thread();
  model = std::move(next);
  {
    const std::lock_guard<std::mutex> lock(mutex);
    if (is_down) return;
    stop = false;
    ++generation;
    messages.clear();
    is_running = true;
    has_origin = false;
    num_steps = 0;
  }
  thread = std::thread([this] { run(); });
}

void LiveRun::Impl::run() {
  RunOptions options;
  options.stop = &stop;
  try {
    begin(make_record_layout(*model, scene_to_toml(model->scene), source.version));
    const RunSummary summary = simulate(*model, *this, options);
    if (!stop) finish(source.summarize(summary, *model));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    const std::lock_guard<std::mutex> lock(mutex);
    is_running = false;
    post(make_event("end", fmt::format(R"({{"summary":{{"status":"failed","message":"{}"}}}})",
                                       "the run ended with an error of the program")));
    post_state();
  }
}

void LiveRun::Impl::begin(const RecordLayout& layout) {
  columns.begin(layout);
  RunInfo info;
  info.name = source.name;
  info.description = source.describe(*model);
  info.has_settings = true;
  const std::string json = make_run_info_json(info, columns.file(), &*model);
  last_send = Clock::now();
  // The columns come with the first rows: the number of coordinates is not known earlier.
  const std::lock_guard<std::mutex> lock(mutex);
  post(make_event("begin", fmt::format(R"({{"info":{},"chunk":{{"columns":[],"encoding":"raw","data":""}}}})", json)));
  post_state();
}

void LiveRun::Impl::send_rows() {
  last_send = Clock::now();
  has_unsent = false;
  const PageChunk chunk = make_page_chunk(columns.take_rows(), false);
  const std::lock_guard<std::mutex> lock(mutex);
  post(make_event("rows", fmt::format(R"({{"chunk":{}}})", chunk.to_json())));
}

void LiveRun::Impl::sample(const Sample& sample) {
  wait_for_turn(sample.time);
  columns.sample(sample);
  has_unsent = true;
  bool is_waiting = false;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    is_waiting = is_paused && num_steps == 0;
  }
  if (is_waiting || sample.time == 0.0 || Seconds(Clock::now() - last_send).count() >= kSendInterval) send_rows();
}

/// Blocks while paused, and until the wall clock has come to `time`.
void LiveRun::Impl::wait_for_turn(double time) {
  std::unique_lock<std::mutex> lock(mutex);
  while (!stop) {
    // The first sample is shown at once: a paused page must have something to show.
    if (time == 0.0) break;
    if (is_paused && num_steps > 0) {
      --num_steps;
      break;
    }
    if (is_paused && has_unsent) {
      // What was computed until now is shown before the wait.
      lock.unlock();
      send_rows();
      lock.lock();
      continue;
    }
    if (is_paused) {
      has_origin = false;
      changed.wait(lock);
      continue;
    }
    if (!has_origin) {
      has_origin = true;
      origin = Clock::now();
      origin_time = time;
      break;
    }
    const auto due = origin + std::chrono::duration_cast<Clock::duration>(Seconds((time - origin_time) / speed));
    if (Clock::now() >= due) break;
    changed.wait_until(lock, due);
  }
}

void LiveRun::Impl::finish(const std::string& summary_json) {
  send_rows();
  std::string line = summary_json;
  std::replace(line.begin(), line.end(), '\n', ' ');  // a line break ends the data of an event
  const std::lock_guard<std::mutex> lock(mutex);
  is_running = false;
  post(make_event("end", fmt::format(R"({{"summary":{}}})", line)));
  post_state();
}

LiveRun::LiveRun(LiveSource source, double speed) : impl_(std::make_unique<Impl>(std::move(source))) {
  impl_->speed = speed;
  impl_->first = compile(read_scene_text(impl_->source.scene_text, impl_->source.path));
  impl_->start(*impl_->first);
}

LiveRun::~LiveRun() { shut_down(); }

void LiveRun::pause() {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  impl_->is_paused = true;
  impl_->num_steps = 0;
  impl_->post_state();
}

void LiveRun::resume() {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  impl_->is_paused = false;
  impl_->num_steps = 0;
  impl_->post_state();
}

void LiveRun::step(int count) {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  impl_->is_paused = true;
  impl_->num_steps += count;
  impl_->post_state();
}

void LiveRun::set_speed(double speed) {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  impl_->speed = speed;
  impl_->has_origin = false;
  impl_->post_state();
}

void LiveRun::restart() {
  const std::lock_guard<std::mutex> guard(impl_->control);
  impl_->start(impl_->make_model(impl_->settings));
}

void LiveRun::set_numbers(const std::vector<std::pair<std::string, double>>& numbers) {
  const std::lock_guard<std::mutex> guard(impl_->control);
  std::map<std::string, KeyValue> settings = impl_->settings;
  std::vector<SceneValue> values = list_scene_values(impl_->model->scene);
  for (const auto& [path, number] : numbers) {
    const auto [base, index] = split_index(path);
    const auto same_path = [&base = base](const SceneValue& value) { return value.path == base; };
    const auto found = std::find_if(values.begin(), values.end(), same_path);
    const std::size_t place = index < 0 ? 0 : static_cast<std::size_t>(index);
    const bool is_number = found != values.end() && found->numbers.size() == (index < 0 ? 1u : 3u);
    if (!is_number) throw InputError(fmt::format("'{}' is not a number of this scene", path));
    found->numbers[place] = number;
    const std::vector<double>& now = found->numbers;
    settings[base] = index >= 0          ? KeyValue(now)
                     : found->is_integer ? KeyValue(static_cast<int>(number))
                                         : KeyValue(number);
  }
  Model model = impl_->make_model(settings);
  impl_->settings = settings;
  impl_->start(std::move(model));
}

void LiveRun::shut_down() {
  {
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    impl_->is_down = true;
    impl_->changed.notify_all();
  }
  const std::lock_guard<std::mutex> guard(impl_->control);
  impl_->stop_thread();
}

bool LiveRun::wait_for_messages(Cursor& cursor, double seconds, std::string& text, std::size_t most_bytes) {
  text.clear();
  std::unique_lock<std::mutex> lock(impl_->mutex);
  impl_->changed.wait_for(lock, Seconds(seconds), [&] {
    return impl_->is_down || cursor.generation != impl_->generation || cursor.next < impl_->messages.size();
  });
  if (impl_->is_down) return false;
  if (cursor.generation != impl_->generation) cursor = {impl_->generation, 0};
  for (; cursor.next < impl_->messages.size() && text.size() < most_bytes; ++cursor.next)
    text += impl_->messages[cursor.next];
  return true;
}

}  // namespace abut
