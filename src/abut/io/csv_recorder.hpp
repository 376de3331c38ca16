#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "abut/scene/record.hpp"

namespace abut {

/// Writes body.csv, joint.csv, contact.csv, event.csv and energy.csv into a folder, which is created. One header line
/// with units; numbers read back exactly. Long form: one line for each body (joint coordinate, contact) and sample.
/// Written in blocks of whole lines, after half a second at the latest.
/// SystemError with the path when the folder or the disk refuses.
class CsvRecorder : public RecordSink {
 public:
  explicit CsvRecorder(std::string folder);
  ~CsvRecorder() override;

  /// How long each file is, by its name [bytes]. What is gathered is written before.
  using Sizes = std::map<std::string, std::int64_t>;
  Sizes count_bytes();
  /// Whether the files of the folder are there, and as long at least. SystemError with the path of one that is not.
  static void require_files(const std::string& folder, const Sizes& sizes);
  /// To be called before begin(): goes on with the files that are there, after that much of each.
  void resume_after(Sizes sizes) { kept_ = std::move(sizes); }

  /// To be called now and then where samples may be long in coming.
  void flush_when_due();

  void begin(const RecordLayout& layout) override;
  void sample(const Sample& sample) override;
  void event(const ContactEvent& event) override;
  void finish(const std::string& summary_json) override;

 private:
  struct Files;
  void write_headings();

  std::string folder_;
  RecordLayout layout_;
  std::optional<Sizes> kept_;
  std::unique_ptr<Files> files_;
};

}  // namespace abut
