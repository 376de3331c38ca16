#include "abut/serve/record_columns.hpp"

#include <fmt/format.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

constexpr std::size_t kTime = 0, kFirstBody = 1, kRowStart = kFirstBody + kBodyColumns.size();

}  // namespace

ResultColumn& RecordColumns::add(const std::string& name, const std::string& unit, std::size_t width, bool is_integer) {
  file_.columns.push_back({name, unit, width, is_integer, {}});
  return file_.columns.back();
}

void RecordColumns::push(std::size_t& next, double value) { file_.columns[next++].values.push_back(value); }

template <class Row>
void RecordColumns::add(const char* group, const RecordColumn<Row>& column, std::size_t count) {
  const bool is_integer = column.type != ColumnType::number;
  add(fmt::format("{}/{}", group, column.name), column.unit, column.width * count, is_integer);
}

template <class Row>
void RecordColumns::push(std::size_t& next, const RecordColumn<Row>& column, const Row& row) {
  double numbers[kMostColumnNumbers];
  column.read(row, numbers);
  std::vector<double>& values = file_.columns[next++].values;
  values.insert(values.end(), numbers, numbers + column.width);
}

void RecordColumns::begin(const RecordLayout& layout) {
  file_ = ResultFile{};
  file_.title = layout.title;
  file_.version = layout.version;
  file_.scene_text = layout.scene_text;
  file_.body_names = layout.body_names;
  file_.joint_names = layout.joint_names;
  file_.joint_q_start = layout.joint_q_start;
  file_.joint_num_q = layout.joint_num_q;
  file_.joint_v_start = layout.joint_v_start;
  file_.joint_num_v = layout.joint_num_v;
  file_.meshes = layout.meshes;
  num_contact_rows_ = 0.0;
  has_coordinates_ = false;
  const std::size_t bodies = layout.body_names.size();
  add("time", "s", 1);
  for (const auto& column : kBodyColumns) add("body", column, bodies);
  add("contact/row_start", "1", 1, true).values.push_back(0.0);
  contact_begin_ = file_.columns.size();
  contact_columns_.clear();
  for (const ContactColumn& column : kContactColumns) {
    if (!layout.has_column(column)) continue;
    contact_columns_.push_back(&column);
    add("contact", column, 1);
  }
  has_curves_ = layout.has_curves();
  num_segments_ = 0.0;
  if (has_curves_) {
    add("curve/segment_start", "1", 1, true).values.push_back(0.0);
    add("curve/segment", "m", 6);
  }
  event_begin_ = file_.columns.size();
  for (const auto& column : kEventColumns) add("event", column, 1);
  energy_begin_ = file_.columns.size();
  for (const std::string& name : layout.energy_names) add("energy/" + name, "J", 1);
  for (const RecordedSensor& sensor : layout.sensors) {
    for (const SensorQuantity& quantity : sensor.quantities)
      add(fmt::format("sensor/{}/{}", sensor.name, quantity.name), quantity.unit, quantity.width());
    sensor_quantities_.insert(sensor_quantities_.end(), sensor.quantities.begin(), sensor.quantities.end());
  }
}

void RecordColumns::push_contact(const ContactSample& contact, std::size_t next) {
  for (const ContactColumn* column : contact_columns_) push(next, *column, contact);
  if (!has_curves_) return;
  num_segments_ += static_cast<double>(contact.curve.size());
  push(next, num_segments_);
  std::vector<double>& segments = file_.columns[next].values;
  for (const CurveSegment& piece : contact.curve) {
    segments.insert(segments.end(), piece.start.data(), piece.start.data() + 3);
    segments.insert(segments.end(), piece.end.data(), piece.end.data() + 3);
  }
}

void RecordColumns::sample(const Sample& sample) {
  // Without declared joints the coordinates say again what the bodies' poses say.
  const bool has_joints = !file_.joint_names.empty();
  if (has_joints && !has_coordinates_) {
    for (const JointColumn& column : kJointColumns)
      add(fmt::format("joint/{}", column.name), column.unit, (sample.*column.values).size());
    has_coordinates_ = true;
  }
  std::vector<ResultColumn>& columns = file_.columns;
  columns[kTime].values.push_back(sample.time);
  for (const BodySample& body : sample.bodies) {
    std::size_t place = kFirstBody;
    for (const auto& column : kBodyColumns) push(place, column, body);
  }
  for (const ContactSample& contact : sample.contacts) push_contact(contact, contact_begin_);
  num_contact_rows_ += static_cast<double>(sample.contacts.size());
  columns[kRowStart].values.push_back(num_contact_rows_);
  std::size_t next = energy_begin_;
  for (const double energy : sample.energy) push(next, energy);
  auto number = sample.sensors.begin();
  for (const SensorQuantity& quantity : sensor_quantities_) {
    const auto width = static_cast<std::ptrdiff_t>(quantity.width());
    columns[next].values.insert(columns[next].values.end(), number, number + width);
    number += width;
    ++next;
  }
  if (!has_joints) return;
  for (const JointColumn& column : kJointColumns) {
    const std::vector<double>& values = sample.*column.values;
    columns[next].values.insert(columns[next].values.end(), values.begin(), values.end());
    ++next;
  }
}

void RecordColumns::event(const ContactEvent& event) {
  std::size_t next = event_begin_;
  for (const auto& column : kEventColumns) push(next, column, event);
}

void RecordColumns::finish(const std::string& summary_json) {
  file_.summary_json = summary_json;
  file_.is_complete = true;
}

std::vector<ResultColumn> RecordColumns::take_rows() {
  std::vector<ResultColumn> rows = file_.columns;
  for (ResultColumn& column : file_.columns) column.values.clear();
  return rows;
}

}  // namespace abut
