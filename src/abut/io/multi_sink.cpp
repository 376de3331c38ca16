#include "abut/io/multi_sink.hpp"

#include <exception>

namespace abut {

void MultiSink::begin(const RecordLayout& layout) {
  for (const auto& sink : sinks_) sink->begin(layout);
}

void MultiSink::sample(const Sample& sample) {
  for (const auto& sink : sinks_) sink->sample(sample);
}

void MultiSink::event(const ContactEvent& event) {
  for (const auto& sink : sinks_) sink->event(event);
}

void MultiSink::realtime(const RealtimeReport& report) {
  for (const auto& sink : sinks_) sink->realtime(report);
}

void MultiSink::finish(const std::string& summary_json) {
  std::exception_ptr first;
  for (const auto& sink : sinks_) {
    try {
      sink->finish(summary_json);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace abut
