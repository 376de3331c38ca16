#include "abut/io/async_sink.hpp"

#include "abut/base/error.hpp"

namespace abut {

AsyncSink::AsyncSink(RecordSink& target, std::size_t capacity) : target_(target), ring_(capacity) {
  ABUT_REQUIRE(capacity > 0, "a queue of {} places", capacity);
}

AsyncSink::~AsyncSink() { end_work(); }

void AsyncSink::begin(const RecordLayout& layout) {
  target_.begin(layout);
  thread_ = std::thread([this] { work(); });
}

/// The next free place; it belongs to the caller until commit().
AsyncSink::Message& AsyncSink::claim() {
  std::unique_lock lock(mutex_);
  has_place_.wait(lock, [this] { return count_ < ring_.size() || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  return ring_[(first_ + count_) % ring_.size()];
}

void AsyncSink::commit() {
  {
    const std::lock_guard lock(mutex_);
    ++count_;
  }
  has_message_.notify_one();
}

void AsyncSink::sample(const Sample& sample) {
  Message& message = claim();
  message.is_event = false;
  message.sample = sample;
  commit();
}

void AsyncSink::event(const ContactEvent& event) {
  Message& message = claim();
  message.is_event = true;
  message.event = event;
  commit();
}

void AsyncSink::work() {
  try {
    for (;;) {
      const Message* message = nullptr;
      {
        std::unique_lock lock(mutex_);
        has_message_.wait(lock, [this] { return count_ > 0 || is_ending_; });
        if (count_ == 0) return;
        message = &ring_[first_];
      }
      if (message->is_event) {
        target_.event(message->event);
      } else {
        target_.sample(message->sample);
      }
      {
        const std::lock_guard lock(mutex_);
        first_ = (first_ + 1) % ring_.size();
        --count_;
      }
      has_place_.notify_one();
    }
  } catch (...) {
    {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
    has_place_.notify_one();
  }
}

void AsyncSink::end_work() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  has_message_.notify_one();
  thread_.join();
}

void AsyncSink::realtime(const RealtimeReport& report) {
  end_work();
  if (!failure_) target_.realtime(report);
}

void AsyncSink::finish(const std::string& summary_json) {
  end_work();
  target_.finish(summary_json);
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace abut
