#include "abut/io/hdf5_recorder.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "abut/base/error.hpp"
#include "abut/io/detail/record_datasets.hpp"

namespace abut {
namespace {

using Clock = std::chrono::steady_clock;

/// Rows kept in memory are written earlier than the interval when they exceed this [bytes].
constexpr std::size_t kMostBufferedBytes = 64u << 20;
/// A short run leaves something, too: the time between the first two commits [s].
constexpr double kFirstInterval = 0.1;

}  // namespace

struct Hdf5Recorder::Impl {
  Impl(const std::string& path_of_file, const RecordLayout& layout, const std::optional<Rows>& kept, double longest);
  ~Impl();

  void commit();
  void commit_last(const std::string& summary_json);
  void throw_failure();
  void work();
  void end_work();
  /// A fork of the process has neither the thread nor the right to write.
  bool is_of_this_process() const { return ::getpid() == process; }
  void require_this_process() const;

  const pid_t process = ::getpid();
  const std::string path;
  std::mutex mutex;  ///< of all that follows
  RecordDatasets datasets;
  double interval, longest_interval;                    ///< [s]
  Clock::time_point oldest = Clock::time_point::max();  ///< when the first of what is not committed came
  double committed_time = 0.0;                          ///< of the last sample that is committed [s]
  bool is_torn = false;                                 ///< half a sample was added
  std::exception_ptr failure;                           ///< of the thread, not told yet
  bool has_failed = false;
  bool is_ending = false;
  std::condition_variable has_rows;
  std::thread thread;
};

Hdf5Recorder::Impl::Impl(const std::string& path_of_file, const RecordLayout& layout, const std::optional<Rows>& kept,
                         double longest)
    : path(path_of_file),
      datasets(path, layout, kept),
      interval(std::min(kFirstInterval, longest)),
      longest_interval(longest) {
  datasets.file().commit();
  if (kept) datasets.file().store().put_in_place();
  try {
    if (longest > 0.0) thread = std::thread([this] { work(); });
  } catch (const std::system_error&) {  // no more threads for this user: samples look at the clock
  }
}

Hdf5Recorder::Impl::~Impl() {
  if (!is_of_this_process()) {
    if (thread.joinable()) thread.detach();
    return;
  }
  end_work();
  // Whoever drops a record without its end has been told of another trouble; what was gathered is whole.
  if (has_failed || is_torn || datasets.num_samples() == 0) return;
  try {
    commit();
  } catch (const std::exception&) {  // nobody is left to be told
  }
}

void Hdf5Recorder::Impl::require_this_process() const {
  if (!is_of_this_process())
    throw SystemError(fmt::format("{}: belongs to the process that began it, not to a fork of it", path));
}

/// What a refusal of the disk means for the record.
void Hdf5Recorder::Impl::commit() {
  H5Store& store = datasets.file().store();
  try {
    if (datasets.num_samples() > 0) datasets.file().set_attribute("", "samples", datasets.num_samples());
    datasets.file().commit();
    if (!store.is_in_place() && datasets.num_samples() > 0) store.put_in_place();
    committed_time = datasets.last_time();
    oldest = Clock::time_point::max();
    interval = std::min(1.5 * interval, longest_interval);
  } catch (const SystemError& error) {
    has_failed = true;
    throw SystemError(store.is_in_place()
                          ? fmt::format("{}\nEverything until {:.9g} s is in it.", error.what(), committed_time)
                          : error.what());
  } catch (...) {
    has_failed = true;
    throw;
  }
}

void Hdf5Recorder::Impl::work() {
  std::unique_lock lock(mutex);
  while (!is_ending && !has_failed) {
    if (oldest == Clock::time_point::max()) {
      has_rows.wait(lock, [this] { return is_ending || oldest != Clock::time_point::max(); });
    } else if (Clock::now() - oldest < std::chrono::duration<double>(interval)) {
      has_rows.wait_for(lock, std::chrono::duration<double>(interval) - (Clock::now() - oldest));
    } else {
      try {
        commit();
      } catch (...) {
        failure = std::current_exception();
      }
    }
  }
}

void Hdf5Recorder::Impl::end_work() {
  {
    const std::lock_guard lock(mutex);
    is_ending = true;
  }
  has_rows.notify_one();
  if (thread.joinable()) thread.join();
}

void Hdf5Recorder::Impl::throw_failure() {
  if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
}

void Hdf5Recorder::Impl::commit_last(const std::string& summary_json) {
  datasets.complete_columns();
  H5File& file = datasets.file();
  file.set_attribute("", "summary", summary_json);
  file.set_attribute("", "complete", 1);
  for (H5Column& column : file.columns()) column.tidy(file.store());
  commit();
  if (!file.store().is_in_place()) file.store().put_in_place();
  file.store().sync();
  file.store().require_in_place();
}

Hdf5Recorder::Hdf5Recorder(std::string path, double flush_interval)
    : path_(std::move(path)), flush_interval_(flush_interval) {}

Hdf5Recorder::~Hdf5Recorder() = default;

void Hdf5Recorder::begin(const RecordLayout& layout) {
  impl_ = std::make_unique<Impl>(path_, layout, kept_, flush_interval_);
  if (!command_.empty()) impl_->datasets.file().set_attribute("", "command", command_);
}

Hdf5Recorder::Rows Hdf5Recorder::count_rows() {
  const std::lock_guard lock(impl_->mutex);
  impl_->throw_failure();
  impl_->commit();
  impl_->datasets.file().store().sync();
  return impl_->datasets.count_rows();
}

void Hdf5Recorder::sample(const Sample& sample) {
  Impl& r = *impl_;
  r.require_this_process();
  const std::lock_guard lock(r.mutex);
  r.throw_failure();
  if (r.has_failed) return;
  const bool is_first = r.datasets.num_samples() == 0;
  r.is_torn = true;
  r.datasets.add(sample);
  r.is_torn = false;
  const bool is_late = !r.thread.joinable() && r.oldest != Clock::time_point::max() &&
                       Clock::now() - r.oldest >= std::chrono::duration<double>(r.interval);
  if (is_first || is_late || r.longest_interval <= 0.0 || r.datasets.count_buffered_bytes() > kMostBufferedBytes) {
    r.commit();
  } else if (r.oldest == Clock::time_point::max()) {
    r.oldest = Clock::now();
    r.has_rows.notify_one();
  }
}

void Hdf5Recorder::event(const ContactEvent& event) {
  Impl& r = *impl_;
  r.require_this_process();
  const std::lock_guard lock(r.mutex);
  r.is_torn = true;
  r.datasets.add(event);
  r.is_torn = false;
}

void Hdf5Recorder::realtime(const RealtimeReport& report) {
  const std::lock_guard lock(impl_->mutex);
  impl_->datasets.add(report);
}

void Hdf5Recorder::finish(const std::string& summary_json) {
  if (!impl_) return;
  impl_->require_this_process();
  const std::unique_ptr<Impl> finished = std::move(impl_);
  finished->end_work();
  finished->throw_failure();
  // A failure that was told when it happened is not told again.
  if (finished->has_failed) return;
  try {
    finished->commit_last(summary_json);
  } catch (...) {
    finished->has_failed = true;
    throw;
  }
}

}  // namespace abut
