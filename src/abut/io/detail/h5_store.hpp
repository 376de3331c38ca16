#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include <unistd.h>

namespace abut {

/// The space of an HDF5 file, and the one write by which a new state of it takes the place of the old one.
///
/// What belongs to a state that was committed is never written over: new structures go to free space, and commit()
/// writes 48 bytes at the front that lead to them. Whoever opens the file, at any instant and also after the writer was
/// killed between two writes, finds the last state that was committed, whole. Space that is no longer led to is used
/// again only after a while, so that readers that have opened an older state may finish.
///
/// The file is written aside, as PATH.part, until put_in_place(): an older file of that name stays until then.
class H5Store {
 public:
  /// SystemError where it cannot be written, or another process writes it.
  explicit H5Store(std::string path);
  ~H5Store();
  H5Store(const H5Store&) = delete;
  H5Store& operator=(const H5Store&) = delete;

  std::uint64_t allocate(std::uint64_t bytes);
  void release(std::uint64_t address, std::uint64_t bytes);
  void write(std::uint64_t address, std::string_view bytes);
  std::string read(std::uint64_t address, std::uint64_t bytes) const;
  /// allocate() and write().
  std::uint64_t add(std::string_view bytes);

  /// root: header of the group that leads to all others.
  void commit(std::uint64_t root);
  /// Under its own name from now on.
  void put_in_place();
  bool is_in_place() const { return is_in_place_; }
  /// SystemError when it is no longer the file of that name.
  void require_in_place() const;
  /// Waits until the disk has all that was written.
  void sync();
  /// No more writes: what was committed last is what there is.
  bool has_failed() const { return has_failed_; }
  const std::string& path() const { return path_; }

 private:
  struct Released {
    std::uint64_t address, bytes;
    std::int64_t commit;
    std::chrono::steady_clock::time_point time;
  };
  void reuse_what_is_old();
  void lock();
  [[noreturn]] void fail(int reason);

  std::string path_, written_path_;
  const int process_ = ::getpid();  ///< not a fork of it
  int file_ = -1;
  bool is_in_place_ = false, has_failed_ = false;
  std::uint64_t end_ = 0;                        ///< of what is given out [bytes]
  std::map<std::uint64_t, std::uint64_t> free_;  ///< size by address
  std::deque<Released> released_;
  std::uint64_t released_bytes_ = 0;
  std::int64_t num_commits_ = 0;
};

}  // namespace abut
