#include "abut/io/hdf5_recorder.hpp"

#include <chrono>
#include <deque>

#include <fmt/format.h>

#include "abut/base/error.hpp"
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
  void create_contacts();
  void create_volumes();
  void create_hertz();
  void create_curves();
  void write_meshes(const RecordLayout& layout);
  void create_events();
  /// The number of coordinates is known from the first sample only.
  void create_coordinates(std::size_t num_q, std::size_t num_v);
  void append_contact(const ContactSample& contact);
  void write_all();
  void close();
  std::size_t calc_buffered_bytes() const;

  template <class T>
  Column<T>& add(const std::string& name, std::vector<hsize_t> shape, const std::string& unit);

  std::optional<std::int64_t> find_kept(const std::string& name) const;
  void create_groups(const RecordLayout& layout);

  std::optional<Rows> kept;  ///< of the record that is gone on with
  Hdf5File file;
  std::deque<Column<double>> doubles;  // deque: references stay valid
  std::deque<Column<int>> integers;
  std::deque<Column<std::uint8_t>> flags;
  std::deque<Column<std::int64_t>> offsets;

  Column<double>*time = nullptr, *position = nullptr, *orientation = nullptr, *velocity = nullptr,
  *angular_velocity = nullptr;
  Column<double>*q = nullptr, *v = nullptr, *joint_force = nullptr;
  std::vector<Column<double>*> energy;
  std::int64_t num_contact_rows = 0;
  Column<std::int64_t>* row_start = nullptr;
  Column<int>*contact_a = nullptr, *contact_b = nullptr, *contact_patch = nullptr;
  Column<double>*depth = nullptr, *depth_rate = nullptr, *point = nullptr, *normal = nullptr, *force = nullptr,
  *normal_force = nullptr, *slip_velocity = nullptr, *bristle = nullptr, *dwell = nullptr;
  Column<std::uint8_t>* sticking = nullptr;
  /// Null where no contact of the run is volumetric.
  Column<double>*torque = nullptr, *twist = nullptr, *spin = nullptr, *volume = nullptr, *area = nullptr,
  *gyration_radius = nullptr, *inertia = nullptr;
  /// Null where no contact of the run is Hertz's.
  Column<double>*curvature = nullptr, *half_axes = nullptr, *mean_pressure = nullptr, *peak_pressure = nullptr;
  /// Null where no contact of the run tells its curve.
  std::int64_t num_segments = 0;
  Column<std::int64_t>* segment_start = nullptr;
  Column<double>*segment = nullptr, *perimeter = nullptr;
  Column<double>*event_time = nullptr, *event_speed = nullptr;
  Column<int>*event_kind = nullptr, *event_a = nullptr, *event_b = nullptr, *event_patch = nullptr;
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
  create_contacts();
  if (layout.has_volume_contacts || layout.has_curves) torque = &add<double>("/contact/torque", {3}, "N m");
  if (layout.has_volume_contacts) create_volumes();
  if (layout.has_hertz_contacts) create_hertz();
  if (layout.has_curves) create_curves();
  create_events();
  if (kept) {
    num_contact_rows = depth->num_rows();
    if (segment != nullptr) num_segments = segment->num_rows();
  }
  write_all();
}

void Hdf5Recorder::Impl::create_bodies(const RecordLayout& layout) {
  const hsize_t count = layout.body_names.size();
  position = &add<double>("/body/position", {count, 3}, "m");
  orientation = &add<double>("/body/orientation", {count, 4}, "1");
  velocity = &add<double>("/body/velocity", {count, 3}, "m/s");
  angular_velocity = &add<double>("/body/angular_velocity", {count, 3}, "rad/s");
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
  q = &add<double>("/joint/q", {num_q}, "m or rad");
  v = &add<double>("/joint/v", {num_v}, "m/s or rad/s");
  joint_force = &add<double>("/joint/force", {num_v}, "N or N m");
}

void Hdf5Recorder::Impl::create_contacts() {
  row_start = &add<std::int64_t>("/contact/row_start", {}, "1");
  if (!kept) row_start->push(0);
  contact_a = &add<int>("/contact/body_a", {}, "1");
  contact_b = &add<int>("/contact/body_b", {}, "1");
  contact_patch = &add<int>("/contact/patch", {}, "1");
  depth = &add<double>("/contact/depth", {}, "m");
  depth_rate = &add<double>("/contact/depth_rate", {}, "m/s");
  point = &add<double>("/contact/point", {3}, "m");
  normal = &add<double>("/contact/normal", {3}, "1");
  force = &add<double>("/contact/force", {3}, "N");
  normal_force = &add<double>("/contact/normal_force", {}, "N");
  slip_velocity = &add<double>("/contact/slip_velocity", {3}, "m/s");
  bristle = &add<double>("/contact/bristle", {3}, "m");
  dwell = &add<double>("/contact/dwell", {}, "1");
  sticking = &add<std::uint8_t>("/contact/sticking", {}, "1");
}

void Hdf5Recorder::Impl::create_volumes() {
  twist = &add<double>("/contact/twist", {}, "rad");
  spin = &add<double>("/contact/spin", {}, "rad/s");
  volume = &add<double>("/contact/volume", {}, "m^3");
  area = &add<double>("/contact/area", {}, "m^2");
  gyration_radius = &add<double>("/contact/gyration_radius", {}, "m");
  inertia = &add<double>("/contact/inertia", {6}, "m^5");
  file.write_attribute("/contact/inertia", "names", "xx yy zz xy xz yz");
}

void Hdf5Recorder::Impl::create_hertz() {
  curvature = &add<double>("/contact/curvature", {2}, "1/m");
  half_axes = &add<double>("/contact/half_axes", {2}, "m");
  mean_pressure = &add<double>("/contact/mean_pressure", {}, "Pa");
  peak_pressure = &add<double>("/contact/peak_pressure", {}, "Pa");
}

void Hdf5Recorder::Impl::create_curves() {
  perimeter = &add<double>("/contact/perimeter", {}, "m");
  if (!kept) file.make_group("/curve");
  segment_start = &add<std::int64_t>("/curve/segment_start", {}, "1");
  if (!kept) segment_start->push(0);
  segment = &add<double>("/curve/segment", {2, 3}, "m");
}

void Hdf5Recorder::Impl::create_events() {
  event_time = &add<double>("/event/time", {}, "s");
  event_kind = &add<int>("/event/kind", {}, "1");
  file.write_attribute("/event/kind", "names", "0 touch, 1 lift, 2 stick, 3 slip");
  event_a = &add<int>("/event/body_a", {}, "1");
  event_b = &add<int>("/event/body_b", {}, "1");
  event_patch = &add<int>("/event/patch", {}, "1");
  event_speed = &add<double>("/event/normal_speed", {}, "m/s");
}

void Hdf5Recorder::Impl::append_contact(const ContactSample& contact) {
  contact_a->push(contact.body_a);
  contact_b->push(contact.body_b);
  contact_patch->push(contact.patch);
  depth->push(contact.depth);
  depth_rate->push(contact.depth_rate);
  point->push(contact.point);
  normal->push(contact.normal);
  force->push(contact.force);
  normal_force->push(contact.normal_force);
  slip_velocity->push(contact.slip_velocity);
  bristle->push(contact.bristle);
  dwell->push(contact.dwell);
  sticking->push(static_cast<std::uint8_t>(contact.sticking));
  if (torque != nullptr) torque->push(contact.torque);
  if (curvature != nullptr) {
    for (const double value : contact.curvature) curvature->push(value);
    for (const double value : contact.half_axes) half_axes->push(value);
    mean_pressure->push(contact.mean_pressure);
    peak_pressure->push(contact.peak_pressure);
  }
  if (segment != nullptr) {
    perimeter->push(contact.perimeter);
    for (const CurveSegment& piece : contact.curve) {
      segment->push(piece.start);
      segment->push(piece.end);
    }
    num_segments += static_cast<std::int64_t>(contact.curve.size());
    segment_start->push(num_segments);
  }
  if (volume == nullptr) return;
  twist->push(contact.twist);
  spin->push(contact.spin);
  volume->push(contact.volume);
  area->push(contact.area);
  gyration_radius->push(contact.gyration_radius);
  for (const double component : contact.inertia) inertia->push(component);
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

Hdf5Recorder::~Hdf5Recorder() = default;

void Hdf5Recorder::begin(const RecordLayout& layout) { impl_ = std::make_unique<Impl>(path_, layout, kept_); }

Hdf5Recorder::Rows Hdf5Recorder::count_rows() {
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
  Impl& r = *impl_;
  if (r.q == nullptr) r.create_coordinates(sample.q.size(), sample.v.size());
  r.time->push(sample.time);
  for (const BodySample& body : sample.bodies) {
    r.position->push(body.position);
    const Vec4 wxyz(body.orientation.w(), body.orientation.x(), body.orientation.y(), body.orientation.z());
    r.orientation->push(wxyz);
    r.velocity->push(body.velocity);
    r.angular_velocity->push(body.angular_velocity);
  }
  r.q->push(sample.q);
  r.v->push(sample.v);
  r.joint_force->push(sample.joint_force);
  ABUT_REQUIRE(sample.energy.size() == r.energy.size(), "{} energies, {} announced", sample.energy.size(),
               r.energy.size());
  for (std::size_t i = 0; i < r.energy.size(); ++i) r.energy[i]->push(sample.energy[i]);
  for (const ContactSample& contact : sample.contacts) r.append_contact(contact);
  r.num_contact_rows += static_cast<std::int64_t>(sample.contacts.size());
  r.row_start->push(r.num_contact_rows);
  const std::chrono::duration<double> elapsed = Clock::now() - r.last_write;
  if (elapsed.count() >= flush_interval_ || r.calc_buffered_bytes() > kMostBufferedBytes) r.write_all();
}

void Hdf5Recorder::event(const ContactEvent& event) {
  Impl& r = *impl_;
  r.event_time->push(event.time);
  r.event_kind->push(static_cast<int>(event.kind));
  r.event_a->push(event.body_a);
  r.event_b->push(event.body_b);
  r.event_patch->push(event.patch);
  r.event_speed->push(event.normal_speed);
}

void Hdf5Recorder::realtime(const RealtimeReport& report) {
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
  // A failure has been reported when it happened; the file cannot be used any more.
  if (!impl_ || impl_->file.has_failed()) return;
  if (impl_->q == nullptr) impl_->create_coordinates(0, 0);
  impl_->write_all();
  impl_->file.write_attribute("/", "summary", summary_json);
  impl_->file.write_attribute("/", "complete", 1);
  impl_->file.flush();
  const std::unique_ptr<Impl> finished = std::move(impl_);
  finished->close();
}

}  // namespace abut
