#include "abut/io/async_sink.hpp"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

/// Writes down the order of what it gets; slowly, and until it is full.
struct Notes : RecordSink {
  int capacity = 1 << 20;
  std::string text;
  std::vector<double> times;
  std::thread::id thread;

  void begin(const RecordLayout&) override { text += "b"; }
  void sample(const Sample& sample) override {
    thread = std::this_thread::get_id();
    if (static_cast<int>(times.size()) == capacity) throw SystemError("the disk is full");
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    times.push_back(sample.time);
    text += "s";
  }
  void event(const ContactEvent&) override { text += "e"; }
  void realtime(const RealtimeReport&) override { text += "r"; }
  void finish(const std::string& json) override { text += json; }
};

TEST(AsyncSink, KeepsOrderAndLosesNothing) {
  Notes notes;
  AsyncSink sink(notes, 8);  // much less than there is, so that the run has to wait
  sink.begin({});
  std::string expected = "b";
  Sample sample;
  for (int i = 0; i < 200; ++i) {
    sample.time = i;
    sink.sample(sample);
    expected += "s";
    if (i % 7 != 0) continue;
    sink.event({});
    expected += "e";
  }
  sink.realtime({});
  sink.finish("f");
  EXPECT_EQ(notes.text, expected + "rf");
  for (int i = 0; i < 200; ++i) ASSERT_EQ(notes.times[i], i);
  EXPECT_NE(notes.thread, std::this_thread::get_id());
}

TEST(AsyncSink, FailureReachesTheRun) {
  Notes notes;
  notes.capacity = 3;
  AsyncSink sink(notes, 4);
  sink.begin({});
  EXPECT_THROW(
      {
        for (int i = 0; i < 100; ++i) sink.sample({});
      },
      SystemError);
  EXPECT_THROW(sink.finish("f"), SystemError);
  EXPECT_EQ(notes.text, "bsssf");  // what was kept is closed properly
}

TEST(AsyncSink, MayBeDroppedUnfinished) {
  Notes notes;
  {
    AsyncSink sink(notes, 4);
    sink.begin({});
    sink.sample({});
  }
  EXPECT_EQ(notes.text, "bs");
}

}  // namespace
}  // namespace abut
