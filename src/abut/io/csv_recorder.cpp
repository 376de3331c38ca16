#include "abut/io/csv_recorder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

constexpr std::size_t kBufferBytes = 1u << 18;

/// Names may contain commas and quotes.
std::string quote(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string vector_header(const char* name, const char* unit) {
  return fmt::format("{0}_x [{1}],{0}_y [{1}],{0}_z [{1}]", name, unit);
}

/// A text file that is written in large blocks and whose every refusal is a SystemError.
class CsvFile {
 public:
  explicit CsvFile(std::string path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")) {
    if (file_ == nullptr) fail();
  }
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;
  ~CsvFile() {
    if (file_ != nullptr) std::fclose(file_);
  }

  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() >= kBufferBytes) flush();
  }
  void print_vector(const Vec3& v) { print(",{},{},{}", v.x(), v.y(), v.z()); }

  void flush() {
    const bool is_written =
        std::fwrite(buffer_.data(), 1, buffer_.size(), file_) == buffer_.size() && std::fflush(file_) == 0;
    if (!is_written) fail();
    buffer_.clear();
  }

 private:
  [[noreturn]] void fail() const {
    throw SystemError(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  }

  std::string path_;
  std::FILE* file_;
  std::string buffer_;
};

}  // namespace

const char* event_kind_name(ContactEventKind kind) {
  switch (kind) {
    case ContactEventKind::touch:
      return "touch";
    case ContactEventKind::lift:
      return "lift";
    case ContactEventKind::stick:
      return "stick";
    case ContactEventKind::slip:
      return "slip";
  }
  return "?";
}

struct CsvRecorder::Files {
  explicit Files(const std::string& folder)
      : body(folder + "/body.csv"),
        joint(folder + "/joint.csv"),
        contact(folder + "/contact.csv"),
        event(folder + "/event.csv"),
        energy(folder + "/energy.csv") {}
  void flush() {
    for (CsvFile* file : {&body, &joint, &contact, &event, &energy}) file->flush();
  }

  CsvFile body, joint, contact, event, energy;
};

CsvRecorder::CsvRecorder(std::string folder) : folder_(std::move(folder)) {}
CsvRecorder::~CsvRecorder() = default;

void CsvRecorder::begin(const RecordLayout& layout) {
  layout_ = layout;
  for (std::string& name : layout_.body_names) name = quote(name);
  for (std::string& name : layout_.joint_names) name = quote(name);
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw SystemError(fmt::format("{}: cannot be created: {}", folder_, error.message()));
  files_ = std::make_unique<Files>(folder_);
  files_->body.print("time [s],body,{},orientation_w,orientation_x,orientation_y,orientation_z,{},{}\n",
                     vector_header("position", "m"), vector_header("velocity", "m/s"),
                     vector_header("angular_velocity", "rad/s"));
  files_->joint.print("time [s],joint,index,q [m or rad],v [m/s or rad/s],force [N or N m]\n");
  files_->contact.print(
      "time [s],body_a,body_b,patch,depth [m],depth_rate [m/s],{},{},{},normal_force [N],{},{},dwell [1],sticking",
      vector_header("point", "m"), vector_header("normal", "1"), vector_header("force", "N"),
      vector_header("slip_velocity", "m/s"), vector_header("bristle", "m"));
  if (layout_.has_volume_contacts || layout_.has_curves) files_->contact.print(",{}", vector_header("torque", "N m"));
  if (layout_.has_curves) files_->contact.print(",perimeter [m]");
  if (layout_.has_volume_contacts) {
    files_->contact.print(",twist [rad],spin [rad/s],volume [m^3],area [m^2],gyration_radius [m]");
    for (const char* component : {"xx", "yy", "zz", "xy", "xz", "yz"})
      files_->contact.print(",inertia_{} [m^5]", component);
  }
  if (layout_.has_hertz_contacts) {
    files_->contact.print(
        ",curvature_1 [1/m],curvature_2 [1/m],half_axis_short [m],half_axis_long [m],mean_pressure [Pa],"
        "peak_pressure [Pa]");
  }
  files_->contact.print("\n");
  files_->event.print("time [s],kind,body_a,body_b,patch,normal_speed [m/s]\n");
  files_->energy.print("time [s]");
  for (const std::string& name : layout_.energy_names) files_->energy.print(",{}", quote(name + " [J]"));
  files_->energy.print("\n");
}

void CsvRecorder::sample(const Sample& sample) {
  CsvFile& body = files_->body;
  for (std::size_t i = 0; i < sample.bodies.size(); ++i) {
    const BodySample& b = sample.bodies[i];
    body.print("{},{}", sample.time, layout_.body_names.at(i));
    body.print_vector(b.position);
    body.print(",{},{},{},{}", b.orientation.w(), b.orientation.x(), b.orientation.y(), b.orientation.z());
    body.print_vector(b.velocity);
    body.print_vector(b.angular_velocity);
    body.print("\n");
  }
  const auto cell = [](const std::vector<double>& values, int start, int count, int k) {
    return k < count ? fmt::format("{}", values.at(static_cast<std::size_t>(start + k))) : std::string();
  };
  for (std::size_t j = 0; j < layout_.joint_names.size(); ++j) {
    const int q = layout_.joint_q_start[j], nq = layout_.joint_num_q[j];
    const int v = layout_.joint_v_start[j], nv = layout_.joint_num_v[j];
    for (int k = 0; k < std::max(nq, nv); ++k) {
      files_->joint.print("{},{},{},{},{},{}\n", sample.time, layout_.joint_names[j], k, cell(sample.q, q, nq, k),
                          cell(sample.v, v, nv, k), cell(sample.joint_force, v, nv, k));
    }
  }
  CsvFile& contact = files_->contact;
  for (const ContactSample& c : sample.contacts) {
    contact.print("{},{},{},{},{},{}", sample.time, layout_.body_names.at(static_cast<std::size_t>(c.body_a)),
                  layout_.body_names.at(static_cast<std::size_t>(c.body_b)), c.patch, c.depth, c.depth_rate);
    for (const Vec3* v : {&c.point, &c.normal, &c.force}) contact.print_vector(*v);
    contact.print(",{}", c.normal_force);
    contact.print_vector(c.slip_velocity);
    contact.print_vector(c.bristle);
    contact.print(",{},{}", c.dwell, c.sticking ? 1 : 0);
    if (layout_.has_volume_contacts || layout_.has_curves) contact.print_vector(c.torque);
    if (layout_.has_curves) contact.print(",{}", c.perimeter);
    if (layout_.has_volume_contacts) {
      contact.print(",{},{},{},{},{}", c.twist, c.spin, c.volume, c.area, c.gyration_radius);
      for (const double component : c.inertia) contact.print(",{}", component);
    }
    if (layout_.has_hertz_contacts) {
      contact.print(",{},{},{},{},{},{}", c.curvature[0], c.curvature[1], c.half_axes[0], c.half_axes[1],
                    c.mean_pressure, c.peak_pressure);
    }
    contact.print("\n");
  }
  files_->energy.print("{}", sample.time);
  for (const double energy : sample.energy) files_->energy.print(",{}", energy);
  files_->energy.print("\n");
}

void CsvRecorder::event(const ContactEvent& event) {
  files_->event.print("{},{},{},{},{},{}\n", event.time, event_kind_name(event.kind),
                      layout_.body_names.at(static_cast<std::size_t>(event.body_a)),
                      layout_.body_names.at(static_cast<std::size_t>(event.body_b)), event.patch, event.normal_speed);
}

void CsvRecorder::finish(const std::string&) {
  if (files_) files_->flush();
}

}  // namespace abut
