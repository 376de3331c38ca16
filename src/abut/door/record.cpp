#include "abut/record.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "abut/base/spelling.hpp"
#include "abut/door/guard.hpp"
#include "abut/door/parts.hpp"
#include "abut/io/hdf5_recorder.hpp"
#include "abut/io/result_file.hpp"
#include "abut/io/scene_writer.hpp"
#include "abut/sim/simulate.hpp"
#include "abut/version.hpp"

namespace abut::v0 {

namespace {

/// Hands samples on in order of time: a world that was recorded from its beginning shows the first one twice.
class ForwardSink final : public RecordSink {
 public:
  explicit ForwardSink(const std::string& path) : recorder_(path) {}

  void begin(const RecordLayout& layout) override { recorder_.begin(layout); }
  void sample(const Sample& sample) override {
    if (!(sample.time > last_time_)) return;
    last_time_ = sample.time;
    recorder_.sample(sample);
  }
  void event(const abut::ContactEvent& event) override { recorder_.event(event); }
  void finish(const std::string& summary_json) override { recorder_.finish(summary_json); }

 private:
  Hdf5Recorder recorder_;
  double last_time_ = -std::numeric_limits<double>::infinity();  ///< [s]
};

std::string make_file_name(const std::string& path) {
  const std::filesystem::path given(path);
  const bool is_file = given.extension() == ".h5";
  const std::filesystem::path folder = is_file ? given.parent_path() : given;
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) throw SystemError(fmt::format("{}: cannot create this folder: {}", folder.string(), error.message()));
  return (is_file ? given : given / "result.h5").string();
}

}  // namespace

Record Record::read(const std::string& path) {
  return guard_door([&] {
    ResultFile file = read_result_file(path);
    Record record;
    record.title = file.title;
    record.version = file.version;
    record.scene = file.scene_text;
    record.summary = file.summary_json;
    record.is_complete = file.is_complete;
    record.body_names = file.body_names;
    record.joint_names = file.joint_names;
    for (ResultColumn& column : file.columns)
      record.columns.push_back({column.name, column.unit, column.width, std::move(column.values)});
    return record;
  });
}

const RecordColumn& Record::column(const std::string& name) const {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const RecordColumn& column) { return column.name == name; });
  if (found != columns.end()) return *found;
  return guard_door([&]() -> const RecordColumn& {
    std::vector<std::string> names;
    for (const RecordColumn& column : columns) names.push_back(column.name);
    const std::string nearest = nearest_spelling(name, names);
    throw InputError(fmt::format("the record has no column '{}'{}", name,
                                 nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
  });
}

struct Recorder::Parts {
  std::shared_ptr<ForwardSink> sink;
  /// Where the world keeps what it knows of this; gone when the world is.
  std::weak_ptr<World::Recording> world;
};

Recorder::Recorder(World& world, const std::string& path)
    : parts_(guard_door([&] {
        World::Parts& of_world = Inside::parts(world);
        if (of_world.recording->sink != nullptr) throw InputError("this world is being recorded already");
        const abut::Model& model = of_world.recording->world.model();
        auto sink = std::make_shared<ForwardSink>(make_file_name(path));
        sink->begin(make_record_layout(model, scene_to_toml(model.scene), ABUT_VERSION));
        sink->sample(of_world.recording->world.sample());
        of_world.recording->sink = sink;
        of_world.recording->world.observe(sink.get());
        return std::make_unique<Parts>(Parts{sink, of_world.recording});
      })) {}

Recorder::Recorder(Recorder&&) noexcept = default;

Recorder::~Recorder() {
  try {
    close();
  } catch (const std::exception&) {  // nobody is left to be told; see close()
  }
}

void Recorder::close() {
  if (parts_ == nullptr) return;
  const std::unique_ptr<Parts> parts = std::move(parts_);
  guard_door([&] {
    if (const std::shared_ptr<World::Recording> of_world = parts->world.lock()) {
      of_world->world.observe(nullptr);
      of_world->sink = nullptr;
      parts->sink->sample(of_world->world.sample());
    }
    parts->sink->finish("{}");
  });
}

}  // namespace abut::v0
