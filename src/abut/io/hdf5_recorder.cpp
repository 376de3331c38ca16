#include "abut/io/hdf5_recorder.hpp"

#include <chrono>
#include <deque>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/base/error.hpp"
#include "abut/io/detail/column_set.hpp"
#include "abut/io/detail/hdf5_file.hpp"
#include "abut/scene/realtime_report.hpp"

namespace abut {
namespace {

using Clock = std::chrono::steady_clock;

/// Rows kept in memory are written earlier than the interval when they exceed this [bytes].
constexpr std::size_t kMostBufferedBytes = 64u << 20;

}  // namespace

struct Hdf5Recorder::Impl {
  Impl(const std::string& path, const RecordLayout& layout, const std::optional<Rows>& kept_rows);

  void create_bodies(const RecordLayout& layout);
  void create_joints(const RecordLayout& layout);
  void create_contacts(const RecordLayout& layout);
  void create_sensors(const RecordLayout& layout);
  void create_curves();
  void write_meshes(const RecordLayout& layout);
  void create_events();
  /// The number of coordinates is known from the first sample only.
  void create_coordinates(std::size_t num_q, std::size_t num_v);
  void append_contact(const ContactSample& sample);
  void write_all();
  void close();
  std::size_t calc_buffered_bytes() const;

  template <class T>
  Column<T>& add(const std::string& name, std::vector<hsize_t> shape, const std::string& unit);

  std::optional<std::int64_t> find_kept(const std::string& name) const;
  void create_groups(const RecordLayout& layout);
  /// A dataset for a row of a table; each has `count` rows in one sample, where that is given.
  template <class Row>
  void add(const char* group, const RecordColumn<Row>& column, ColumnSet<Row>& set, std::vector<hsize_t> count = {});

  std::optional<Rows> kept;  ///< of the record that is gone on with
  Hdf5File file;
  std::deque<Column<double>> doubles;  // deque: references stay valid
  std::deque<Column<int>> integers;
  std::deque<Column<std::uint8_t>> flags;
  std::deque<Column<std::int64_t>> offsets;

  Column<double>* time = nullptr;
  ColumnSet<BodySample> body;
  std::vector<Column<double>*> joint;  ///< in the order of kJointColumns; empty before the first sample
  std::vector<Column<double>*> energy;
  struct SensorColumn {
    Column<double>* column;
    std::size_t width;
  };
  std::vector<SensorColumn> sensor;  ///< one for each quantity of each sensor
  std::int64_t num_contact_rows = 0;
  Column<std::int64_t>* row_start = nullptr;
  ColumnSet<ContactSample> contact;
  ColumnSet<ContactEvent> event;
  /// Null where no contact of the run tells its curve.
  std::int64_t num_segments = 0;
  Column<std::int64_t>* segment_start = nullptr;
  Column<double>* segment = nullptr;
  Clock::time_point last_write = Clock::now();
};

template <class T>
Column<T>& Hdf5Recorder::Impl::add(const std::string& name, std::vector<hsize_t> shape, const std::string& unit) {
  if constexpr (std::is_same_v<T, double>) {
    return doubles.emplace_back(file, name, std::move(shape), unit, find_kept(name));
  } else if constexpr (std::is_same_v<T, int>) {
    return integers.emplace_back(file, name, std::move(shape), unit, find_kept(name));
  } else if constexpr (std::is_same_v<T, std::uint8_t>) {
    return flags.emplace_back(file, name, std::move(shape), unit, find_kept(name));
  } else {
    return offsets.emplace_back(file, name, std::move(shape), unit, find_kept(name));
  }
}

template <class Row>
void Hdf5Recorder::Impl::add(const char* group, const RecordColumn<Row>& column, ColumnSet<Row>& set,
                             std::vector<hsize_t> count) {
  const std::string name = fmt::format("{}/{}", group, column.name);
  if (column.width > 1) count.push_back(column.width);
  switch (column.type) {
    case ColumnType::number:
      set.add(column, add<double>(name, std::move(count), column.unit));
      break;
    case ColumnType::integer:
    case ColumnType::body:
      set.add(column, add<int>(name, std::move(count), column.unit));
      break;
    case ColumnType::flag:
      set.add(column, add<std::uint8_t>(name, std::move(count), column.unit));
      break;
  }
  if (column.parts[0] != '\0') file.write_attribute(name, "names", column.parts);
}

std::optional<std::int64_t> Hdf5Recorder::Impl::find_kept(const std::string& name) const {
  if (!kept) return std::nullopt;
  const auto found = kept->find(name);
  if (found == kept->end())
    throw InputError(fmt::format("the checkpoint does not know {} of the record it belongs to.", name));
  return found->second;
}

void Hdf5Recorder::Impl::create_groups(const RecordLayout& layout) {
  file.write_attribute("/", "title", layout.title);
  file.write_attribute("/", "version", layout.version);
  file.write_attribute("/", "scene", layout.scene_text);
  for (const char* group : {"/body", "/joint", "/energy", "/contact", "/event"}) file.make_group(group);
  file.write_names("/body/name", layout.body_names, "name");
  create_joints(layout);
}

Hdf5Recorder::Impl::Impl(const std::string& path, const RecordLayout& layout, const std::optional<Rows>& kept_rows)
    : kept(kept_rows), file(path, kept_rows.has_value()) {
  file.write_attribute("/", "complete", 0);
  if (kept) {
    file.write_attribute("/", "summary", "");
    file.write_attribute("/", "scene", layout.scene_text);
  } else {
    create_groups(layout);
  }
  time = &add<double>("/time", {}, "s");
  create_bodies(layout);
  if (!kept) write_meshes(layout);
  for (const std::string& name : layout.energy_names) energy.push_back(&add<double>("/energy/" + name, {}, "J"));
  create_sensors(layout);
  create_contacts(layout);
  if (layout.has_curves()) create_curves();
  create_events();
  if (kept) {
    num_contact_rows = contact.num_rows();
    if (segment != nullptr) num_segments = segment->num_rows();
  }
  write_all();
}

void Hdf5Recorder::Impl::create_bodies(const RecordLayout& layout) {
  const hsize_t count = layout.body_names.size();
  for (const auto& column : kBodyColumns) add("/body", column, body, {count});
}

void Hdf5Recorder::Impl::write_meshes(const RecordLayout& layout) {
  if (!layout.meshes.empty()) file.make_group("/mesh");
  for (std::size_t i = 0; i < layout.meshes.size(); ++i) {
    const RecordedMesh& mesh = layout.meshes[i];
    if (mesh.data == nullptr) continue;
    const std::string group = fmt::format("/mesh/{}", i);
    file.make_group(group);
    file.write_attribute(group, "file", mesh.file);
    file.write_attribute(group, "scale", fmt::format("{}", mesh.scale));
    Column<double>& vertices = add<double>(group + "/vertices", {3}, "m");
    for (const Vec3& vertex : mesh.data->vertices) vertices.push(vertex);
    Column<int>& triangles = add<int>(group + "/triangles", {3}, "1");
    for (const std::array<int, 3>& triangle : mesh.data->triangles) {
      for (const int corner : triangle) triangles.push(corner);
    }
  }
}

void Hdf5Recorder::Impl::create_joints(const RecordLayout& layout) {
  file.write_names("/joint/name", layout.joint_names, "name");
  file.write_integers("/joint/q_start", layout.joint_q_start, "1");
  file.write_integers("/joint/num_q", layout.joint_num_q, "1");
  file.write_integers("/joint/v_start", layout.joint_v_start, "1");
  file.write_integers("/joint/num_v", layout.joint_num_v, "1");
}

void Hdf5Recorder::Impl::create_coordinates(std::size_t num_q, std::size_t num_v) {
  for (const JointColumn& column : kJointColumns) {
    joint.push_back(
        &add<double>(fmt::format("/joint/{}", column.name), {column.is_coordinate ? num_q : num_v}, column.unit));
  }
}

void Hdf5Recorder::Impl::create_contacts(const RecordLayout& layout) {
  row_start = &add<std::int64_t>("/contact/row_start", {}, "1");
  if (!kept) row_start->push(0);
  for (const ContactColumn& column : kContactColumns) {
    if (layout.has_column(column) && column.kinds != kPerimetric) add("/contact", column, contact);
  }
  // Those of curves lie with the curves, behind all others.
  for (const ContactColumn& column : kContactColumns) {
    if (layout.has_column(column) && column.kinds == kPerimetric) add("/contact", column, contact);
  }
}

void Hdf5Recorder::Impl::create_sensors(const RecordLayout& layout) {
  if (!layout.sensors.empty() && !kept) file.make_group("/sensor");
  for (const RecordedSensor& one : layout.sensors) {
    const std::string group = "/sensor/" + one.name;
    if (!kept) file.make_group(group);
    for (const SensorQuantity& quantity : one.quantities) {
      const std::string name = fmt::format("{}/{}", group, quantity.name);
      std::vector<hsize_t> shape;
      if (!quantity.parts.empty()) shape.push_back(quantity.parts.size());
      sensor.push_back({&add<double>(name, shape, quantity.unit), quantity.width()});
      if (!quantity.parts.empty())
        file.write_attribute(name, "names", fmt::format("{}", fmt::join(quantity.parts, " ")));
    }
  }
}

void Hdf5Recorder::Impl::create_curves() {
  if (!kept) file.make_group("/curve");
  segment_start = &add<std::int64_t>("/curve/segment_start", {}, "1");
  if (!kept) segment_start->push(0);
  segment = &add<double>("/curve/segment", {2, 3}, "m");
}

void Hdf5Recorder::Impl::create_events() {
  for (const auto& column : kEventColumns) add("/event", column, event);
}

void Hdf5Recorder::Impl::append_contact(const ContactSample& sample) {
  contact.push(sample);
  if (segment == nullptr) return;
  for (const CurveSegment& piece : sample.curve) {
    segment->push(piece.start);
    segment->push(piece.end);
  }
  num_segments += static_cast<std::int64_t>(sample.curve.size());
  segment_start->push(num_segments);
}

void Hdf5Recorder::Impl::write_all() {
  for (auto& column : doubles) column.write();
  for (auto& column : integers) column.write();
  for (auto& column : flags) column.write();
  for (auto& column : offsets) column.write();
  file.flush();
  last_write = Clock::now();
}

/// HDF5 closes a file when its last dataset is closed; only then a late refusal shows.
void Hdf5Recorder::Impl::close() {
  doubles.clear();
  integers.clear();
  flags.clear();
  offsets.clear();
  file.close();
}

std::size_t Hdf5Recorder::Impl::calc_buffered_bytes() const {
  std::size_t bytes = 0;
  for (const auto& column : doubles) bytes += column.buffered_bytes();
  return bytes;
}

Hdf5Recorder::Hdf5Recorder(std::string path, double flush_interval)
    : path_(std::move(path)), flush_interval_(flush_interval) {}

Hdf5Recorder::~Hdf5Recorder() {
  const auto lock = lock_hdf5();
  impl_.reset();
}

void Hdf5Recorder::begin(const RecordLayout& layout) {
  const auto lock = lock_hdf5();
  impl_ = std::make_unique<Impl>(path_, layout, kept_);
}

Hdf5Recorder::Rows Hdf5Recorder::count_rows() {
  const auto lock = lock_hdf5();
  impl_->write_all();
  Rows rows;
  const auto add = [&rows](const auto& columns) {
    for (const auto& column : columns) rows[column.name()] = column.num_rows();
  };
  add(impl_->doubles);
  add(impl_->integers);
  add(impl_->flags);
  add(impl_->offsets);
  return rows;
}

void Hdf5Recorder::sample(const Sample& sample) {
  const auto lock = lock_hdf5();
  Impl& r = *impl_;
  if (r.joint.empty()) r.create_coordinates(sample.q.size(), sample.v.size());
  r.time->push(sample.time);
  for (const BodySample& body : sample.bodies) r.body.push(body);
  for (std::size_t i = 0; i < r.joint.size(); ++i) r.joint[i]->push(sample.*kJointColumns[i].values);
  ABUT_REQUIRE(sample.energy.size() == r.energy.size(), "{} energies, {} announced", sample.energy.size(),
               r.energy.size());
  for (std::size_t i = 0; i < r.energy.size(); ++i) r.energy[i]->push(sample.energy[i]);
  std::size_t channel = 0;
  for (const Impl::SensorColumn& sensor : r.sensor) {
    for (std::size_t k = 0; k < sensor.width; ++k) sensor.column->push(sample.sensors.at(channel++));
  }
  for (const ContactSample& contact : sample.contacts) r.append_contact(contact);
  r.num_contact_rows += static_cast<std::int64_t>(sample.contacts.size());
  r.row_start->push(r.num_contact_rows);
  const std::chrono::duration<double> elapsed = Clock::now() - r.last_write;
  if (elapsed.count() >= flush_interval_ || r.calc_buffered_bytes() > kMostBufferedBytes) r.write_all();
}

void Hdf5Recorder::event(const ContactEvent& event) { impl_->event.push(event); }

void Hdf5Recorder::realtime(const RealtimeReport& report) {
  const auto lock = lock_hdf5();
  Impl& r = *impl_;
  r.file.make_group("/realtime");
  Column<double>& start = r.add<double>("/realtime/bin_start", {}, "s");
  Column<std::int64_t>& count = r.add<std::int64_t>("/realtime/count", {}, "1");
  for (std::size_t i = 0; i < RealtimeReport::kNumBins; ++i) {
    start.push(report.step * RealtimeReport::bin_start(i));
    count.push(report.counts[i]);
  }
}

void Hdf5Recorder::finish(const std::string& summary_json) {
  const auto lock = lock_hdf5();
  // A failure has been reported when it happened; the file cannot be used any more.
  if (!impl_ || impl_->file.has_failed()) return;
  if (impl_->joint.empty()) impl_->create_coordinates(0, 0);
  impl_->write_all();
  impl_->file.write_attribute("/", "summary", summary_json);
  impl_->file.write_attribute("/", "complete", 1);
  impl_->file.flush();
  const std::unique_ptr<Impl> finished = std::move(impl_);
  finished->close();
}

}  // namespace abut
