#include "abut/base/thread_pool.hpp"

#include <algorithm>

namespace abut {

namespace {

/// About 50 microseconds of polling: longer than the gap between two sections of a step, shorter than a person's notice.
constexpr int kSpinsBeforeSleep = 20000;

inline void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

ThreadPool::ThreadPool(int num_threads) {
  for (int worker = 1; worker < num_threads; ++worker) workers_.emplace_back([this, worker] { work(worker); });
}

ThreadPool::~ThreadPool() {
  stopping_.store(true);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run_chunk(int chunk) {
  const auto bound = [this](int index) { return static_cast<int>(static_cast<long long>(count_) * index / num_chunks_); };
  const int begin = bound(chunk), end = bound(chunk + 1);
  if (begin < end) (*body_)(begin, end);
}

void ThreadPool::parallel_for(int count, int grain, const std::function<void(int, int)>& body) {
  if (count <= 0) return;
  const int chunks = std::min(num_threads(), count / std::max(grain, 1));
  if (chunks <= 1) {
    body(0, count);
    return;
  }
  body_ = &body;
  count_ = count;
  num_chunks_ = chunks;
  unfinished_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  run_chunk(0);
  while (unfinished_.load(std::memory_order_acquire) > 0) pause_briefly();
}

void ThreadPool::work(int worker) {
  unsigned seen = 0;
  while (true) {
    for (int spin = 0; spin < kSpinsBeforeSleep && generation_.load(std::memory_order_acquire) == seen; ++spin) pause_briefly();
    generation_.wait(seen, std::memory_order_acquire);
    if (generation_.load(std::memory_order_acquire) == seen) continue;
    seen = generation_.load(std::memory_order_acquire);
    if (stopping_.load()) return;
    if (worker < num_chunks_) run_chunk(worker);
    unfinished_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace abut
