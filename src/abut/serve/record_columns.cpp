#include "abut/serve/record_columns.hpp"

#include <span>

#include "abut/base/error.hpp"

namespace abut {
namespace {

struct ChannelInfo {
  const char* name;
  const char* unit;
  std::size_t width;
  bool is_integer;
};

/// In the order in which push_contact() fills them.
constexpr ChannelInfo kContactChannels[] = {
    {"contact/body_a", "1", 1, true},        {"contact/body_b", "1", 1, true},
    {"contact/patch", "1", 1, true},         {"contact/depth", "m", 1, false},
    {"contact/depth_rate", "m/s", 1, false}, {"contact/point", "m", 3, false},
    {"contact/normal", "1", 3, false},       {"contact/force", "N", 3, false},
    {"contact/normal_force", "N", 1, false}, {"contact/slip_velocity", "m/s", 3, false},
    {"contact/bristle", "m", 3, false},      {"contact/dwell", "1", 1, false},
    {"contact/sticking", "1", 1, true},
};

/// Of scenes with volumetric or perimeter contacts, after those above.
constexpr ChannelInfo kTorqueChannel{"contact/torque", "N m", 3, false};

/// Of scenes with volumetric contacts, after that.
constexpr ChannelInfo kVolumeChannels[] = {
    {"contact/twist", "rad", 1, false}, {"contact/spin", "rad/s", 1, false},  {"contact/volume", "m^3", 1, false},
    {"contact/area", "m^2", 1, false},  {"contact/inertia", "m^5", 6, false},
};

/// Of scenes with perimeter contacts, after that.
constexpr ChannelInfo kCurveChannels[] = {
    {"contact/perimeter", "m", 1, false}, {"curve/segment_start", "1", 1, true}, {"curve/segment", "m", 6, false}};

constexpr std::size_t kTime = 0, kPosition = 1, kOrientation = 2, kVelocity = 3, kAngularVelocity = 4, kRowStart = 5;

}  // namespace

ResultColumn& RecordColumns::add(const std::string& name, const std::string& unit, std::size_t width, bool is_integer) {
  file_.columns.push_back({name, unit, width, is_integer, {}});
  return file_.columns.back();
}

void RecordColumns::push(std::size_t& next, double value) { file_.columns[next++].values.push_back(value); }

void RecordColumns::push(std::size_t& next, const Vec3& value) {
  std::vector<double>& values = file_.columns[next++].values;
  values.insert(values.end(), value.data(), value.data() + 3);
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
  add("body/position", "m", 3 * bodies);
  add("body/orientation", "1", 4 * bodies);
  add("body/velocity", "m/s", 3 * bodies);
  add("body/angular_velocity", "rad/s", 3 * bodies);
  add("contact/row_start", "1", 1, true).values.push_back(0.0);
  contact_begin_ = file_.columns.size();
  for (const ChannelInfo& channel : kContactChannels)
    add(channel.name, channel.unit, channel.width, channel.is_integer);
  has_volumes_ = layout.has_volume_contacts;
  has_curves_ = layout.has_curves;
  num_segments_ = 0.0;
  const auto add_all = [this](std::span<const ChannelInfo> channels) {
    for (const ChannelInfo& channel : channels) add(channel.name, channel.unit, channel.width, channel.is_integer);
  };
  if (has_volumes_ || has_curves_) add_all({&kTorqueChannel, 1});
  if (has_volumes_) add_all(kVolumeChannels);
  if (has_curves_) {
    add_all(kCurveChannels);
    file_.columns[file_.columns.size() - 2].values.push_back(0.0);
  }
  event_begin_ = file_.columns.size();
  add("event/time", "s", 1);
  for (const char* name : {"event/kind", "event/body_a", "event/body_b", "event/patch"}) add(name, "1", 1, true);
  add("event/normal_speed", "m/s", 1);
  energy_begin_ = file_.columns.size();
  for (const std::string& name : layout.energy_names) add("energy/" + name, "J", 1);
}

void RecordColumns::push_contact(const ContactSample& contact, std::size_t next) {
  push(next, contact.body_a);
  push(next, contact.body_b);
  push(next, contact.patch);
  push(next, contact.depth);
  push(next, contact.depth_rate);
  push(next, contact.point);
  push(next, contact.normal);
  push(next, contact.force);
  push(next, contact.normal_force);
  push(next, contact.slip_velocity);
  push(next, contact.bristle);
  push(next, contact.dwell);
  push(next, contact.sticking ? 1.0 : 0.0);
  if (has_volumes_ || has_curves_) push(next, contact.torque);
  if (has_volumes_) {
    push(next, contact.twist);
    push(next, contact.spin);
    push(next, contact.volume);
    push(next, contact.area);
    std::vector<double>& inertia = file_.columns[next++].values;
    inertia.insert(inertia.end(), contact.inertia.begin(), contact.inertia.end());
  }
  if (!has_curves_) return;
  push(next, contact.perimeter);
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
    add("joint/q", "m or rad", sample.q.size());
    add("joint/v", "m/s or rad/s", sample.v.size());
    add("joint/force", "N or N m", sample.joint_force.size());
    has_coordinates_ = true;
  }
  std::vector<ResultColumn>& columns = file_.columns;
  columns[kTime].values.push_back(sample.time);
  for (const BodySample& body : sample.bodies) {
    std::size_t place = kPosition;
    push(place, body.position);
    const Quat& q = body.orientation;
    for (const double part : {q.w(), q.x(), q.y(), q.z()}) columns[kOrientation].values.push_back(part);
    place = kVelocity;
    push(place, body.velocity);
    push(place, body.angular_velocity);
  }
  for (const ContactSample& contact : sample.contacts) push_contact(contact, contact_begin_);
  num_contact_rows_ += static_cast<double>(sample.contacts.size());
  columns[kRowStart].values.push_back(num_contact_rows_);
  std::size_t next = energy_begin_;
  for (const double energy : sample.energy) push(next, energy);
  if (!has_joints) return;
  for (const std::vector<double>* values : {&sample.q, &sample.v, &sample.joint_force}) {
    columns[next].values.insert(columns[next].values.end(), values->begin(), values->end());
    ++next;
  }
}

void RecordColumns::event(const ContactEvent& event) {
  std::size_t next = event_begin_;
  push(next, event.time);
  push(next, static_cast<double>(event.kind));
  push(next, event.body_a);
  push(next, event.body_b);
  push(next, event.patch);
  push(next, event.normal_speed);
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
