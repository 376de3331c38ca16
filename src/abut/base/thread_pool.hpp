#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace abut {

/// A few threads that split index ranges again and again, as a step loop needs: several thousand short parallel sections a
/// second. Workers spin briefly before they sleep, so that a section costs about a microsecond to start.
///
/// Work is split into fixed contiguous chunks and never reduced across threads, so every result is the same for any number of
/// threads: a body of parallel_for writes only to places that belong to its own indices.
class ThreadPool {
 public:
  /// `num_threads` counts the calling thread: 1 means no worker at all.
  explicit ThreadPool(int num_threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int num_threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls body(begin, end) on disjoint ranges that cover [0, count). Ranges below `grain` indices are not split.
  void parallel_for(int count, int grain, const std::function<void(int, int)>& body);

 private:
  void work(int worker);
  void run_chunk(int chunk);

  std::vector<std::thread> workers_;
  const std::function<void(int, int)>* body_ = nullptr;
  int count_ = 0;
  int num_chunks_ = 0;
  std::atomic<unsigned> generation_{0};
  std::atomic<int> unfinished_{0};
  std::atomic<bool> stopping_{false};
};

}  // namespace abut
