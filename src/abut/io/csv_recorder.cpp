#include "abut/io/csv_recorder.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "abut/base/error.hpp"
#include "abut/io/text_file.hpp"

namespace abut {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBufferBytes = 1u << 18;
/// As long lines may be in memory only [s of wall time].
constexpr std::chrono::milliseconds kLongestGathering{500};

/// Names may contain commas and quotes.
std::string quote(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// One heading for each number of a column, with a comma before it.
template <class Row>
std::string make_heading(const RecordColumn<Row>& column) {
  std::vector<std::string> names = split(column.headings);
  if (names.empty() && column.width == 1) names.emplace_back(column.name);
  if (names.empty()) {
    const char* parts = column.parts[0] != '\0' ? column.parts : column.width == 4 ? "w x y z" : "x y z";
    for (const std::string& part : split(parts)) names.push_back(fmt::format("{}_{}", column.name, part));
  }
  ABUT_REQUIRE(names.size() == column.width, "{} has {} headings", column.name, names.size());
  const bool has_unit = column.type == ColumnType::number && !column.is_unitless_text;
  std::string text;
  for (const std::string& name : names) text += has_unit ? fmt::format(",{} [{}]", name, column.unit) : "," + name;
  return text;
}

/// A text file that is written in blocks of whole lines and whose every refusal is a SystemError.
class CsvFile {
 public:
  /// Empty, or what is there up to that length.
  explicit CsvFile(std::string path, std::int64_t kept = 0) : path_(std::move(path)) {
    std::error_code error;
    if (kept > 0) std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(kept), error);
    if (error) throw SystemError(fmt::format("{}: cannot be written: {}", path_, error.message()));
    file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (kept > 0 ? O_APPEND : O_TRUNC), 0666);
    if (file_ < 0) fail();
  }
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;
  ~CsvFile() {
    if (file_ >= 0) ::close(file_);
  }

  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
  }
  std::size_t buffered_bytes() const { return buffer_.size(); }
  /// With a comma before each number; bodies by name.
  template <class Row>
  void print_column(const RecordColumn<Row>& column, const Row& row, const std::vector<std::string>& bodies) {
    double numbers[kMostColumnNumbers];
    column.read(row, numbers);
    const int integer = column.type == ColumnType::number ? 0 : static_cast<int>(numbers[0]);
    if (column.type == ColumnType::number) {
      for (std::size_t i = 0; i < column.width; ++i) print(",{}", numbers[i]);
    } else if (column.type == ColumnType::body) {
      print(",{}", bodies.at(static_cast<std::size_t>(integer)));
    } else if (column.word != nullptr) {
      print(",{}", column.word(integer));
    } else {
      print(",{}", integer);
    }
  }

  std::int64_t size() const { return static_cast<std::int64_t>(std::filesystem::file_size(path_)); }

  void flush() {
    if (!write_all(file_, buffer_)) fail();
    buffer_.clear();
  }

 private:
  [[noreturn]] void fail() const {
    throw SystemError(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  }

  std::string path_;
  int file_ = -1;
  std::string buffer_;
};

}  // namespace

struct CsvRecorder::Files {
  Files(const std::string& folder, const Sizes& kept, bool has_sensors)
      : body(open(folder, "body.csv", kept)),
        joint(open(folder, "joint.csv", kept)),
        contact(open(folder, "contact.csv", kept)),
        event(open(folder, "event.csv", kept)),
        energy(open(folder, "energy.csv", kept)) {
    if (has_sensors) sensor.emplace(folder + "/sensor.csv", find(kept, "sensor.csv"));
  }
  /// Whole lines only: a run that is killed leaves none that ends in the middle.
  void flush_when_due() {
    std::size_t bytes = 0;
    for (const CsvFile* file : {&body, &joint, &contact, &event, &energy}) bytes += file->buffered_bytes();
    if (bytes >= kBufferBytes || Clock::now() - last_flush > kLongestGathering) flush();
  }
  void flush() {
    last_flush = Clock::now();
    for (CsvFile* file : {&body, &joint, &contact, &event, &energy}) file->flush();
    if (sensor) sensor->flush();
  }
  Sizes sizes() const {
    Sizes all = {{"body.csv", body.size()},
                 {"joint.csv", joint.size()},
                 {"contact.csv", contact.size()},
                 {"event.csv", event.size()},
                 {"energy.csv", energy.size()}};
    if (sensor) all["sensor.csv"] = sensor->size();
    return all;
  }

  CsvFile body, joint, contact, event, energy;
  std::optional<CsvFile> sensor;  ///< where the scene has some
  Clock::time_point last_flush = Clock::now();

 private:
  static CsvFile open(const std::string& folder, const std::string& name, const Sizes& kept) {
    return CsvFile(folder + "/" + name, find(kept, name));
  }
  static std::int64_t find(const Sizes& kept, const std::string& name) {
    const auto found = kept.find(name);
    return found == kept.end() ? 0 : found->second;
  }
};

CsvRecorder::Sizes CsvRecorder::count_bytes() {
  if (files_ == nullptr) return {};
  files_->flush();
  return files_->sizes();
}

void CsvRecorder::require_files(const std::string& folder, const Sizes& sizes) {
  for (const auto& [name, size] : sizes) {
    const std::string path = folder + "/" + name;
    std::error_code error;
    const std::uintmax_t found = std::filesystem::file_size(path, error);
    if (error) throw SystemError(fmt::format("{}: cannot be read: {}\nNothing was run.", path, error.message()));
    if (static_cast<std::int64_t>(found) < size)
      throw SystemError(fmt::format("{}: is shorter than when the run was saved\nNothing was run.", path));
  }
}

CsvRecorder::CsvRecorder(std::string folder) : folder_(std::move(folder)) {}
CsvRecorder::~CsvRecorder() = default;

void CsvRecorder::begin(const RecordLayout& layout) {
  layout_ = layout;
  for (std::string& name : layout_.body_names) name = quote(name);
  for (std::string& name : layout_.joint_names) name = quote(name);
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw SystemError(fmt::format("{}: cannot be created: {}", folder_, error.message()));
  files_ = std::make_unique<Files>(folder_, kept_.value_or(Sizes{}), !layout.sensors.empty());
  if (!kept_) write_headings();
  files_->flush();
}

void CsvRecorder::write_headings() {
  files_->body.print("time [s],body");
  for (const auto& column : kBodyColumns) files_->body.print("{}", make_heading(column));
  files_->body.print("\n");
  files_->joint.print("time [s],joint,index");
  for (const JointColumn& column : kJointColumns) files_->joint.print(",{} [{}]", column.name, column.unit);
  files_->joint.print("\n");
  files_->contact.print("time [s]");
  for (const ContactColumn& column : kContactColumns) {
    if (layout_.has_column(column)) files_->contact.print("{}", make_heading(column));
  }
  files_->contact.print("\n");
  // The first column has no comma before it.
  for (const auto& column : kEventColumns)
    files_->event.print("{}", make_heading(column).substr(&column == kEventColumns.data() ? 1 : 0));
  files_->event.print("\n");
  if (files_->sensor) {
    files_->sensor->print("time [s]");
    for (const RecordedSensor& sensor : layout_.sensors) {
      for (const SensorChannel& channel : list_channels(sensor.quantities))
        files_->sensor->print(",{}", quote(fmt::format("{}.{} [{}]", sensor.name, channel.name, channel.unit)));
    }
    files_->sensor->print("\n");
  }
  files_->energy.print("time [s]");
  for (const std::string& name : layout_.energy_names) files_->energy.print(",{}", quote(name + " [J]"));
  files_->energy.print("\n");
}

void CsvRecorder::sample(const Sample& sample) {
  CsvFile& body = files_->body;
  for (std::size_t i = 0; i < sample.bodies.size(); ++i) {
    const BodySample& b = sample.bodies[i];
    body.print("{},{}", sample.time, layout_.body_names.at(i));
    for (const auto& column : kBodyColumns) body.print_column(column, b, layout_.body_names);
    body.print("\n");
  }
  const auto cell = [](const std::vector<double>& values, int start, int count, int k) {
    return k < count ? fmt::format("{}", values.at(static_cast<std::size_t>(start + k))) : std::string();
  };
  for (std::size_t j = 0; j < layout_.joint_names.size(); ++j) {
    const int q = layout_.joint_q_start[j], nq = layout_.joint_num_q[j];
    const int v = layout_.joint_v_start[j], nv = layout_.joint_num_v[j];
    for (int k = 0; k < std::max(nq, nv); ++k) {
      files_->joint.print("{},{},{}", sample.time, layout_.joint_names[j], k);
      for (const JointColumn& column : kJointColumns) {
        const bool is_q = column.is_coordinate;
        files_->joint.print(",{}", cell(sample.*column.values, is_q ? q : v, is_q ? nq : nv, k));
      }
      files_->joint.print("\n");
    }
  }
  CsvFile& contact = files_->contact;
  for (const ContactSample& c : sample.contacts) {
    contact.print("{}", sample.time);
    for (const ContactColumn& column : kContactColumns) {
      if (layout_.has_column(column)) contact.print_column(column, c, layout_.body_names);
    }
    contact.print("\n");
  }
  if (files_->sensor) {
    files_->sensor->print("{}", sample.time);
    for (const double number : sample.sensors) files_->sensor->print(",{}", number);
    files_->sensor->print("\n");
  }
  files_->energy.print("{}", sample.time);
  for (const double energy : sample.energy) files_->energy.print(",{}", energy);
  files_->energy.print("\n");
  files_->flush_when_due();
}

void CsvRecorder::flush_when_due() {
  if (files_) files_->flush_when_due();
}

void CsvRecorder::event(const ContactEvent& event) {
  for (const auto& column : kEventColumns) {
    if (&column == kEventColumns.data()) {
      files_->event.print("{}", event.time);
    } else {
      files_->event.print_column(column, event, layout_.body_names);
    }
  }
  files_->event.print("\n");
}

void CsvRecorder::finish(const std::string&) {
  if (files_) files_->flush();
}

}  // namespace abut
