#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "abut/io/detail/column_set.hpp"
#include "abut/io/detail/h5_file.hpp"
#include "abut/io/detail/h5_reader.hpp"
#include "abut/scene/realtime_report.hpp"
#include "abut/scene/record.hpp"

namespace abut {

/// The datasets of a record, filled sample by sample. With `kept` the first rows of each come from the file that is
/// there; InputError where it has not so many.
class RecordDatasets {
 public:
  using Rows = std::map<std::string, std::int64_t>;
  RecordDatasets(const std::string& path, const RecordLayout& layout, const std::optional<Rows>& kept);

  void add(const Sample& sample);
  void add(const ContactEvent& sample) { event_.push(sample); }
  void add(const RealtimeReport& report);
  /// Coordinates are known from the first sample only; a record without samples has them, too.
  void complete_columns();
  std::size_t count_buffered_bytes() const;
  Rows count_rows() const;
  /// Of the samples that were added.
  std::int64_t num_samples() const { return num_samples_; }
  double last_time() const { return last_time_; }
  H5File& file() { return file_; }

 private:
  H5Column& add(const std::string& name, H5Type type, std::vector<std::uint64_t> shape, const std::string& unit,
                const std::string& parts = "");
  template <class Row>
  void add(const char* group, const RecordColumn<Row>& column, ColumnSet<Row>& set,
           std::vector<std::uint64_t> count = {});
  void keep_rows(H5Column& column);
  void create_joints(const RecordLayout& layout);
  void create_meshes(const RecordLayout& layout);
  void create_sensors(const RecordLayout& layout);
  void create_contacts(const RecordLayout& layout);
  void create_coordinates(std::size_t num_q, std::size_t num_v);
  void add_contact(const ContactSample& contact);
  void keep_counts();

  std::optional<Rows> kept_;
  std::unique_ptr<H5Reader> reader_;  ///< of what is kept, until all columns are there
  H5File file_;
  H5Column* time_ = nullptr;
  ColumnSet<BodySample> body_;
  std::vector<H5Column*> joint_;  ///< in the order of kJointColumns; empty before the first sample
  std::vector<H5Column*> energy_;
  struct SensorColumn {
    H5Column* column;
    std::size_t width;
  };
  std::vector<SensorColumn> sensor_;  ///< one for each quantity of each sensor
  std::int64_t num_samples_ = 0, num_contact_rows_ = 0, num_segments_ = 0;
  double last_time_ = 0.0;  ///< [s]
  H5Column* row_start_ = nullptr;
  ColumnSet<ContactSample> contact_;
  ColumnSet<ContactEvent> event_;
  /// Null where no contact of the run tells its curve.
  H5Column *segment_start_ = nullptr, *segment_ = nullptr;
};

}  // namespace abut
