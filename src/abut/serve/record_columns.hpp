#pragma once

#include <vector>

#include "abut/io/result_file.hpp"
#include "abut/scene/record.hpp"

namespace abut {

/// Keeps a run in memory in the columns that its HDF5 record would have (those of joints only where joints are
/// declared): what a page is made from when there is no file.
class RecordColumns : public RecordSink {
 public:
  void begin(const RecordLayout& layout) override;
  void sample(const Sample& sample) override;
  void event(const ContactEvent& event) override;
  void finish(const std::string& summary_json) override;

  const ResultFile& file() const { return file_; }
  /// Hands out the rows since the last call and forgets them; row_start and segment_start go on counting.
  std::vector<ResultColumn> take_rows();

 private:
  ResultColumn& add(const std::string& name, const std::string& unit, std::size_t width, bool is_integer = false);
  void push(std::size_t& next, double value);
  template <class Row>
  void add(const char* group, const RecordColumn<Row>& column, std::size_t count);
  template <class Row>
  void push(std::size_t& next, const RecordColumn<Row>& column, const Row& row);
  void push_contact(const ContactSample& contact, std::size_t next);

  ResultFile file_;
  std::vector<SensorQuantity> sensor_quantities_;                       ///< of all sensors
  std::size_t contact_begin_ = 0, event_begin_ = 0, energy_begin_ = 0;  ///< places in file_.columns
  double num_contact_rows_ = 0.0;
  bool has_coordinates_ = false;
  std::vector<const ContactColumn*> contact_columns_;
  bool has_curves_ = false;
  double num_segments_ = 0.0;
};

}  // namespace abut
