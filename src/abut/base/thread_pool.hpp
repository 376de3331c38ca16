#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "abut/base/function_view.hpp"

namespace abut {

/// A few threads that split index ranges again and again, as a step loop needs: several thousand short parallel
/// sections a second. Workers spin briefly before they sleep, so that a section costs about a microsecond to start.
///
/// Each thread owns the same contiguous part of the indices in every section, so that what it works on stays in its
/// cache; the part is cut into chunks, and a thread that is done takes chunks from the far end of another's part: a
/// thread that the system has put aside delays nobody but the chunk it holds. Nothing is reduced across threads, so
/// every result is the same for any number of threads and any order: the body of parallel_for writes only to places
/// that belong to its own indices.
class ThreadPool {
 public:
  /// `num_threads` counts the calling thread: 1 means no worker at all. Fewer are made where the system refuses more.
  explicit ThreadPool(int num_threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int num_threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls body(begin, end) on disjoint ranges that cover [0, count). Ranges below `grain` indices are not split. What
  /// a body throws comes out here, once all ranges are done with; of several failures that of the first range.
  void parallel_for(int count, int grain, const FunctionView<void(int, int)>& body);

 private:
  /// The chunks of one thread's part that nobody has taken yet: generation (32 bits), first (16), end (16). Taking one
  /// and checking that it belongs to the section one thinks of is one atomic operation.
  struct alignas(64) Part {
    std::atomic<std::uint64_t> chunks{0};
  };

  void work(int thread);
  void run_chunks(int thread, unsigned generation);
  bool run_one_chunk(Part& part, unsigned generation, bool from_front);
  void keep_failure(int chunk);
  void rethrow_failure();

  std::vector<std::thread> workers_;
  // The section at work; written only while no chunk of it is being run.
  const FunctionView<void(int, int)>* body_ = nullptr;
  int count_ = 0;
  int num_chunks_ = 0;
  std::vector<Part> parts_;
  std::mutex failure_mutex_;    ///< of the next two
  int failed_chunk_ = 0;        ///< the first that threw
  std::exception_ptr failure_;  ///< what; none while all is well
  alignas(64) std::atomic<unsigned> generation_{0};
  alignas(64) std::atomic<int> finished_{0};
  std::atomic<bool> stopping_{false};
};

}  // namespace abut
