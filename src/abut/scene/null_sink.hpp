#pragma once

#include <string>

#include "abut/scene/record.hpp"

namespace abut {

/// For runs that nobody records.
class NullSink : public RecordSink {
 public:
  void begin(const RecordLayout&) override {}
  void sample(const Sample&) override {}
  void event(const ContactEvent&) override {}
  void finish(const std::string&) override {}
};

}  // namespace abut
