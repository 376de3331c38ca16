#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "abut/scene/record.hpp"

namespace abut {

/// Hands a run on from a thread of its own, so that a run paced by the clock need not wait for the disk. Holds a fixed
/// number of samples and events in places that are used again, without allocation once they have grown to size; a run
/// that is further ahead of the disk waits. What the target throws reaches the run with the next sample or event.
class AsyncSink : public RecordSink {
 public:
  explicit AsyncSink(RecordSink& target, std::size_t capacity = 1024);
  ~AsyncSink() override;

  void begin(const RecordLayout& layout) override;
  void sample(const Sample& sample) override;
  void event(const ContactEvent& event) override;
  void realtime(const RealtimeReport& report) override;
  void finish(const std::string& summary_json) override;

 private:
  struct Message {
    bool is_event = false;
    Sample sample;
    ContactEvent event;
  };
  Message& claim();
  void commit();
  void work();
  void end_work();

  RecordSink& target_;
  std::vector<Message> ring_;
  std::size_t first_ = 0, count_ = 0;  ///< places filled
  bool is_ending_ = false;
  std::exception_ptr failure_;
  std::mutex mutex_;
  std::condition_variable has_message_, has_place_;
  std::thread thread_;
};

}  // namespace abut
