#pragma once

#include <memory>
#include <vector>

#include "abut/scene/record.hpp"

namespace abut {

/// Hands a run to several sinks, in the order in which they were added. finish() reaches all of them even when one
/// throws; the first failure is thrown afterwards.
class MultiSink : public RecordSink {
 public:
  void add(std::unique_ptr<RecordSink> sink) { sinks_.push_back(std::move(sink)); }

  void begin(const RecordLayout& layout) override;
  void sample(const Sample& sample) override;
  void event(const ContactEvent& event) override;
  void realtime(const RealtimeReport& report) override;
  void finish(const std::string& summary_json) override;

 private:
  std::vector<std::unique_ptr<RecordSink>> sinks_;
};

}  // namespace abut
