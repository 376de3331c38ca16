#include "abut/io/detail/record_datasets.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/base/error.hpp"

namespace abut {

namespace {

H5Type h5_type(ColumnType type) {
  switch (type) {
    case ColumnType::number:
      return H5Type::float64;
    case ColumnType::flag:
      return H5Type::uint8;
    default:
      return H5Type::int32;
  }
}

}  // namespace

RecordDatasets::RecordDatasets(const std::string& path, const RecordLayout& layout, const std::optional<Rows>& kept)
    : kept_(kept), reader_(kept ? std::make_unique<H5Reader>(path) : nullptr), file_(path) {
  file_.set_attribute("", "title", layout.title);
  file_.set_attribute("", "version", layout.version);
  file_.set_attribute("", "scene", layout.scene_text);
  file_.set_attribute("", "summary", "");
  file_.set_attribute("", "complete", 0);
  file_.set_attribute("", "samples", 0);
  for (const char* group : {"body", "joint", "energy", "contact", "event"}) file_.make_group(group);
  file_.add_texts("body/name", layout.body_names, "name");
  create_joints(layout);
  time_ = &add("time", H5Type::float64, {}, "s");
  for (const auto& column : kBodyColumns) add("body", column, body_, {layout.body_names.size()});
  create_meshes(layout);
  for (const std::string& name : layout.energy_names)
    energy_.push_back(&add("energy/" + name, H5Type::float64, {}, "J"));
  create_sensors(layout);
  create_contacts(layout);
  for (const auto& column : kEventColumns) add("event", column, event_);
  if (kept_) keep_counts();
}

H5Column& RecordDatasets::add(const std::string& name, H5Type type, std::vector<std::uint64_t> shape,
                              const std::string& unit, const std::string& parts) {
  H5Column& column = file_.add_column(name, type, std::move(shape), unit, parts);
  if (kept_) keep_rows(column);
  return column;
}

template <class Row>
void RecordDatasets::add(const char* group, const RecordColumn<Row>& column, ColumnSet<Row>& set,
                         std::vector<std::uint64_t> count) {
  if (column.width > 1) count.push_back(column.width);
  set.add(column, add(fmt::format("{}/{}", group, column.name), h5_type(column.type), std::move(count), column.unit,
                      column.parts));
}

/// A group for each sensor, with a column for each of its quantities.
void RecordDatasets::create_sensors(const RecordLayout& layout) {
  if (!layout.sensors.empty()) file_.make_group("sensor");
  for (const RecordedSensor& sensor : layout.sensors) {
    const std::string group = "sensor/" + sensor.name;
    file_.make_group(group);
    for (const SensorQuantity& quantity : sensor.quantities) {
      std::vector<std::uint64_t> shape;
      if (!quantity.parts.empty()) shape.push_back(quantity.parts.size());
      sensor_.push_back({&add(fmt::format("{}/{}", group, quantity.name), H5Type::float64, std::move(shape),
                              quantity.unit, fmt::format("{}", fmt::join(quantity.parts, " "))),
                         quantity.width()});
    }
  }
}

void RecordDatasets::keep_rows(H5Column& column) {
  const auto rows = kept_->find(column.name());
  if (rows == kept_->end())
    throw InputError(fmt::format("the checkpoint does not know {} of the record it belongs to.", column.name()));
  const H5Object* found = reader_->find(column.name());
  const bool fits = found != nullptr && found->type.bytes == size_of(column.type()) && found->shape->size() > 0 &&
                    std::vector<std::uint64_t>(found->shape->begin() + 1, found->shape->end()) == column.row_shape();
  if (!fits || rows->second < 0)
    throw InputError(fmt::format("{} of the record is not what the checkpoint was made with.", column.name()));
  reader_->copy_rows(column.name(), static_cast<std::uint64_t>(rows->second),
                     [&column](std::string_view values) { column.append(values); });
  column.write(file_.store());
}

/// Where the rows to come begin.
void RecordDatasets::keep_counts() {
  num_samples_ = static_cast<std::int64_t>(time_->num_rows());
  num_contact_rows_ = static_cast<std::int64_t>(contact_.num_rows());
  if (segment_ != nullptr) num_segments_ = static_cast<std::int64_t>(segment_->num_rows());
}

void RecordDatasets::create_joints(const RecordLayout& layout) {
  file_.add_texts("joint/name", layout.joint_names, "name");
  const auto add_table = [this](const char* name, const std::vector<int>& values) {
    file_.add_column(name, H5Type::int32, {}, "1").push(values);
  };
  add_table("joint/q_start", layout.joint_q_start);
  add_table("joint/num_q", layout.joint_num_q);
  add_table("joint/v_start", layout.joint_v_start);
  add_table("joint/num_v", layout.joint_num_v);
}

void RecordDatasets::create_meshes(const RecordLayout& layout) {
  if (!layout.meshes.empty()) file_.make_group("mesh");
  for (std::size_t i = 0; i < layout.meshes.size(); ++i) {
    const RecordedMesh& mesh = layout.meshes[i];
    if (mesh.data == nullptr) continue;
    const std::string group = fmt::format("mesh/{}", i);
    file_.make_group(group);
    file_.set_attribute(group, "file", mesh.file);
    file_.set_attribute(group, "scale", fmt::format("{}", mesh.scale));
    if (const Vec3& s = mesh.stretch; s != Vec3::Ones())
      file_.set_attribute(group, "stretch", fmt::format("{} {} {}", s.x(), s.y(), s.z()));
    H5Column& vertices = file_.add_column(group + "/vertices", H5Type::float64, {3}, "m");
    for (const Vec3& vertex : mesh.data->vertices) vertices.push(vertex);
    H5Column& triangles = file_.add_column(group + "/triangles", H5Type::int32, {3}, "1");
    for (const std::array<int, 3>& triangle : mesh.data->triangles) {
      for (const int corner : triangle) triangles.push(corner);
    }
  }
}

void RecordDatasets::create_coordinates(std::size_t num_q, std::size_t num_v) {
  for (const JointColumn& column : kJointColumns) {
    joint_.push_back(&add(fmt::format("joint/{}", column.name), H5Type::float64, {column.is_coordinate ? num_q : num_v},
                          column.unit));
  }
  reader_ = nullptr;
  kept_.reset();
}

void RecordDatasets::create_contacts(const RecordLayout& layout) {
  row_start_ = &add("contact/row_start", H5Type::int64, {}, "1");
  if (!kept_) row_start_->push(std::int64_t{0});
  for (const ContactColumn& column : kContactColumns) {
    if (layout.has_column(column)) add("contact", column, contact_);
  }
  if (!layout.has_curves()) return;
  file_.make_group("curve");
  segment_start_ = &add("curve/segment_start", H5Type::int64, {}, "1");
  if (!kept_) segment_start_->push(std::int64_t{0});
  segment_ = &add("curve/segment", H5Type::float64, {2, 3}, "m");
}

void RecordDatasets::add_contact(const ContactSample& contact) {
  contact_.push(contact);
  if (segment_ == nullptr) return;
  for (const CurveSegment& piece : contact.curve) {
    segment_->push(piece.start);
    segment_->push(piece.end);
  }
  num_segments_ += static_cast<std::int64_t>(contact.curve.size());
  segment_start_->push(num_segments_);
}

void RecordDatasets::add(const Sample& sample) {
  if (joint_.empty()) create_coordinates(sample.q.size(), sample.v.size());
  ABUT_REQUIRE(sample.energy.size() == energy_.size(), "{} energies, {} announced", sample.energy.size(),
               energy_.size());
  time_->push(sample.time);
  for (const BodySample& body : sample.bodies) body_.push(body);
  for (std::size_t i = 0; i < joint_.size(); ++i) joint_[i]->push(sample.*kJointColumns[i].values);
  for (std::size_t i = 0; i < energy_.size(); ++i) energy_[i]->push(sample.energy[i]);
  std::size_t channel = 0;
  for (const SensorColumn& sensor : sensor_) {
    for (std::size_t k = 0; k < sensor.width; ++k) sensor.column->push(sample.sensors.at(channel++));
  }
  for (const ContactSample& contact : sample.contacts) add_contact(contact);
  num_contact_rows_ += static_cast<std::int64_t>(sample.contacts.size());
  row_start_->push(num_contact_rows_);
  ++num_samples_;
  last_time_ = sample.time;
}

void RecordDatasets::add(const RealtimeReport& report) {
  file_.make_group("realtime");
  H5Column& start = file_.add_column("realtime/bin_start", H5Type::float64, {}, "s");
  H5Column& count = file_.add_column("realtime/count", H5Type::int64, {}, "1");
  for (std::size_t i = 0; i < RealtimeReport::kNumBins; ++i) {
    start.push(report.step * RealtimeReport::bin_start(i));
    count.push(static_cast<std::int64_t>(report.counts[i]));
  }
}

void RecordDatasets::complete_columns() {
  if (joint_.empty()) create_coordinates(0, 0);
}

std::size_t RecordDatasets::count_buffered_bytes() const {
  std::size_t bytes = 0;
  for (const H5Column& column : file_.columns()) bytes += column.buffered_bytes();
  return bytes;
}

RecordDatasets::Rows RecordDatasets::count_rows() const {
  Rows rows;
  for (const H5Column& column : file_.columns()) rows[column.name()] = static_cast<std::int64_t>(column.num_rows());
  return rows;
}

}  // namespace abut
