#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "abut/scene/record.hpp"

namespace abut {

/// Writes a run to one HDF5 file that can be read while it grows and after the writer was killed, at any instant.
///
///   /time [T]   /body/name [N]   /body/position, velocity, angular_velocity [T, N, 3]   /body/orientation [T, N, 4]
///   (w, x, y, z) /joint/name, q_start, num_q, v_start, num_v [J]   /joint/q [T, nq]   /joint/v, force [T, nv]
///   /energy/<name> [T] /contact/row_start [T + 1]: sample t owns rows row_start[t] to row_start[t + 1] of every other
///   dataset in /contact /event/time, kind, body_a, body_b, patch, normal_speed [E] attributes of /: title, version,
///   scene (TOML), summary (JSON), complete (0 until finish), samples (T), command; of every dataset: unit, crc32c
///   /realtime/bin_start, count [B], only of runs paced by the clock: steps by when they were ready against when due
///
/// Rows are gathered in memory, and a thread of this object commits them together: the first sample at once, then after
/// 0.1 s and more, up to `flush_interval`. What is committed is whole and stays (detail/h5_store.hpp). Until the first
/// sample the file is PATH.part, and an older one of the name stays. SystemError with the path when folder or disk
/// refuse, or another writer has the file; what was committed before can be read then, too.
class Hdf5Recorder : public RecordSink {
 public:
  /// flush_interval: longest time that a sample is in memory only [s of wall time]; 0: each one is committed at once.
  explicit Hdf5Recorder(std::string path, double flush_interval = 1.0);
  /// Commits what was gathered.
  ~Hdf5Recorder() override;

  /// How many rows of each dataset there are. What is gathered is committed before.
  using Rows = std::map<std::string, std::int64_t>;
  Rows count_rows();
  /// To be called before begin(): goes on with the record that is there, after these rows of it.
  void resume_after(Rows rows) { kept_ = std::move(rows); }

  /// To be called before begin(): the attribute `command` of the file, what the user asked for.
  void set_command(std::string command) { command_ = std::move(command); }

  void begin(const RecordLayout& layout) override;
  void sample(const Sample& sample) override;
  void event(const ContactEvent& event) override;
  void realtime(const RealtimeReport& report) override;
  void finish(const std::string& summary_json) override;

 private:
  struct Impl;
  std::string path_, command_;
  double flush_interval_;
  std::optional<Rows> kept_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace abut
