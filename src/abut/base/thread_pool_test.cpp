#include "abut/base/thread_pool.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace abut {
namespace {

TEST(ThreadPool, CoversEveryIndexOnceForAnyNumberOfThreads) {
  for (int threads : {1, 2, 3, 5}) {
    ThreadPool pool(threads);
    for (int count : {0, 1, 7, 1000}) {
      std::vector<int> visits(static_cast<std::size_t>(count), 0);
      pool.parallel_for(count, 1, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
      });
      for (int visit : visits) EXPECT_EQ(visit, 1);
    }
  }
}

TEST(ThreadPool, ManyShortSectionsGiveTheSameBits) {
  const auto run = [](int threads) {
    ThreadPool pool(threads);
    std::vector<double> x(501, 0.5);
    for (int section = 0; section < 2000; ++section) {
      pool.parallel_for(static_cast<int>(x.size()), 8, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) x[static_cast<std::size_t>(i)] = std::sin(x[static_cast<std::size_t>(i)] + i);
      });
    }
    return x;
  };
  EXPECT_EQ(run(1), run(2));
}

TEST(ThreadPool, SleepsAndWakes) {
  ThreadPool pool(2);
  int total = 0;
  for (int round = 0; round < 3; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::vector<int> marks(64, 0);
    pool.parallel_for(64, 1, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) marks[static_cast<std::size_t>(i)] = 1;
    });
    for (int mark : marks) total += mark;
  }
  EXPECT_EQ(total, 3 * 64);
}

/// Whoever throws, the caller hears of it, of the first range where several do; and the pool works on.
TEST(ThreadPool, WhatABodyThrowsReachesTheCaller) {
  for (int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    for (int round = 0; round < 200; ++round) {
      std::vector<int> marks(64, 0);
      std::string caught;
      try {
        pool.parallel_for(64, 1, [&](int begin, int end) {
          for (int i = begin; i < end; ++i) marks[static_cast<std::size_t>(i)] = 1;
          if (end > 17) throw std::runtime_error(begin <= 17 ? "first" : "later");
        });
      } catch (const std::runtime_error& error) {
        caught = error.what();
      }
      EXPECT_EQ(caught, "first");
      for (int mark : marks) EXPECT_EQ(mark, 1);
    }
    int sum = 0;
    pool.parallel_for(1, 1, [&](int begin, int end) { sum += end - begin; });
    EXPECT_EQ(sum, 1);
  }
}

}  // namespace
}  // namespace abut
