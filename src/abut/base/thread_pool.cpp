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

constexpr int kChunksPerThread = 4;

std::uint64_t make_ticket(unsigned generation, int num_chunks) {
  return (static_cast<std::uint64_t>(generation) << 32) | (static_cast<std::uint64_t>(num_chunks) << 16);
}
unsigned generation_of(std::uint64_t ticket) { return static_cast<unsigned>(ticket >> 32); }
int num_chunks_of(std::uint64_t ticket) { return static_cast<int>((ticket >> 16) & 0xffff); }
int next_chunk_of(std::uint64_t ticket) { return static_cast<int>(ticket & 0xffff); }

}  // namespace

ThreadPool::ThreadPool(int num_threads) {
  for (int worker = 1; worker < num_threads; ++worker) workers_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  stopping_.store(true);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::parallel_for(int count, int grain, const std::function<void(int, int)>& body) {
  if (count <= 0) return;
  const int chunks = std::min(kChunksPerThread * num_threads(), count / std::max(grain, 1));
  if (workers_.empty() || chunks <= 1) {
    body(0, count);
    return;
  }
  body_ = &body;
  count_ = count;
  finished_.store(0, std::memory_order_relaxed);
  const unsigned generation = generation_.load(std::memory_order_relaxed) + 1;
  ticket_.store(make_ticket(generation, chunks), std::memory_order_release);
  generation_.store(generation, std::memory_order_release);
  generation_.notify_all();
  while (run_one_chunk(generation)) {
  }
  while (finished_.load(std::memory_order_acquire) < chunks) pause_briefly();
}

bool ThreadPool::run_one_chunk(unsigned generation) {
  std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
  do {
    if (generation_of(ticket) != generation || next_chunk_of(ticket) >= num_chunks_of(ticket)) return false;
  } while (!ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel));
  const auto bound = [&](int index) { return static_cast<int>(static_cast<long long>(count_) * index / num_chunks_of(ticket)); };
  (*body_)(bound(next_chunk_of(ticket)), bound(next_chunk_of(ticket) + 1));
  finished_.fetch_add(1, std::memory_order_release);
  return true;
}

void ThreadPool::work() {
  unsigned seen = 0;
  while (true) {
    for (int spin = 0; spin < kSpinsBeforeSleep && generation_.load(std::memory_order_acquire) == seen; ++spin) pause_briefly();
    generation_.wait(seen, std::memory_order_acquire);
    seen = generation_.load(std::memory_order_acquire);
    if (stopping_.load()) return;
    while (run_one_chunk(seen)) {
    }
  }
}

}  // namespace abut
