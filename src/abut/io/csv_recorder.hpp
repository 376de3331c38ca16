#pragma once

#include <memory>
#include <string>

#include "abut/scene/record.hpp"

namespace abut {

/// Writes body.csv, joint.csv, contact.csv, event.csv and energy.csv into a folder, which is created. One header line
/// with units; numbers read back exactly. Long form: one line for each body (joint coordinate, contact) and sample.
/// SystemError with the path when the folder or the disk refuses.
class CsvRecorder : public RecordSink {
 public:
  explicit CsvRecorder(std::string folder);
  ~CsvRecorder() override;

  void begin(const RecordLayout& layout) override;
  void sample(const Sample& sample) override;
  void event(const ContactEvent& event) override;
  void finish(const std::string& summary_json) override;

 private:
  struct Files;
  std::string folder_;
  RecordLayout layout_;
  std::unique_ptr<Files> files_;
};

}  // namespace abut
