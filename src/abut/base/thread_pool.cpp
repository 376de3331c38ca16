#include "abut/base/thread_pool.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace abut {

namespace {

/// About 50 microseconds of polling: longer than the gap between two sections of a step, shorter than a person's
/// notice.
constexpr int kSpinsBeforeSleep = 20000;

inline void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

constexpr int kChunksPerThread = 4;

std::uint64_t pack(unsigned generation, int first, int end) {
  return (static_cast<std::uint64_t>(generation) << 32) | (static_cast<std::uint64_t>(first) << 16) |
         static_cast<std::uint64_t>(end);
}
unsigned generation_of(std::uint64_t chunks) { return static_cast<unsigned>(chunks >> 32); }
int first_of(std::uint64_t chunks) { return static_cast<int>((chunks >> 16) & 0xffff); }
int end_of(std::uint64_t chunks) { return static_cast<int>(chunks & 0xffff); }

}  // namespace

ThreadPool::ThreadPool(int num_threads) : parts_(static_cast<std::size_t>(std::max(1, num_threads))) {
  try {
    for (int thread = 1; thread < num_threads; ++thread) workers_.emplace_back([this, thread] { work(thread); });
  } catch (const std::system_error&) {
    // The system has no more threads to give: fewer do the same work with the same result.
  }
}

ThreadPool::~ThreadPool() {
  stopping_.store(true);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::parallel_for(int count, int grain, const FunctionView<void(int, int)>& body) {
  if (count <= 0) return;
  const int chunks_per_thread = std::min(kChunksPerThread, count / std::max(grain, 1) / num_threads());
  if (workers_.empty() || chunks_per_thread == 0) {
    body(0, count);
    return;
  }
  body_ = &body;
  count_ = count;
  num_chunks_ = chunks_per_thread * num_threads();
  finished_.store(0, std::memory_order_relaxed);
  const unsigned generation = generation_.load(std::memory_order_relaxed) + 1;
  for (int thread = 0; thread < num_threads(); ++thread) {
    parts_[static_cast<std::size_t>(thread)].chunks.store(
        pack(generation, thread * chunks_per_thread, (thread + 1) * chunks_per_thread), std::memory_order_release);
  }
  generation_.store(generation, std::memory_order_release);
  generation_.notify_all();
  run_chunks(0, generation);
  while (finished_.load(std::memory_order_acquire) < num_chunks_) pause_briefly();
  if (failure_) rethrow_failure();
}

void ThreadPool::keep_failure(int chunk) {
  const std::lock_guard lock(failure_mutex_);
  if (failure_ && failed_chunk_ < chunk) return;
  failure_ = std::current_exception();
  failed_chunk_ = chunk;
}

void ThreadPool::rethrow_failure() { std::rethrow_exception(std::exchange(failure_, nullptr)); }

void ThreadPool::run_chunks(int thread, unsigned generation) {
  while (run_one_chunk(parts_[static_cast<std::size_t>(thread)], generation, true)) {
  }
  for (int other = 1; other < num_threads(); ++other) {
    Part& part = parts_[static_cast<std::size_t>((thread + other) % num_threads())];
    while (run_one_chunk(part, generation, false)) {
    }
  }
}

bool ThreadPool::run_one_chunk(Part& part, unsigned generation, bool from_front) {
  std::uint64_t chunks = part.chunks.load(std::memory_order_acquire);
  std::uint64_t rest = 0;
  do {
    if (generation_of(chunks) != generation || first_of(chunks) >= end_of(chunks)) return false;
    rest = from_front ? pack(generation, first_of(chunks) + 1, end_of(chunks))
                      : pack(generation, first_of(chunks), end_of(chunks) - 1);
  } while (!part.chunks.compare_exchange_weak(chunks, rest, std::memory_order_acq_rel));
  const int chunk = from_front ? first_of(chunks) : end_of(chunks) - 1;
  const auto bound = [this](int index) {
    return static_cast<int>(static_cast<long long>(count_) * index / num_chunks_);
  };
  try {
    (*body_)(bound(chunk), bound(chunk + 1));
  } catch (...) {
    keep_failure(chunk);
  }
  finished_.fetch_add(1, std::memory_order_release);
  return true;
}

void ThreadPool::work(int thread) {
  unsigned seen = 0;
  while (true) {
    for (int spin = 0; spin < kSpinsBeforeSleep && generation_.load(std::memory_order_acquire) == seen; ++spin)
      pause_briefly();
    generation_.wait(seen, std::memory_order_acquire);
    seen = generation_.load(std::memory_order_acquire);
    if (stopping_.load()) return;
    run_chunks(thread, seen);
  }
}

}  // namespace abut
