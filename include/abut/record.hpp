#pragma once

#include <memory>
#include <string>
#include <vector>

#include "abut/api.hpp"
#include "abut/world.hpp"

ABUT_DOOR_BEGIN

/// One dataset of a record: rows of `width` numbers.
struct RecordColumn {
  std::string name;  ///< as in the file: "contact/depth" (docs/records.md)
  std::string unit;
  std::size_t width = 1;  ///< numbers in one row; positions of N bodies have rows of 3 N
  std::vector<double> values;

  std::size_t num_rows() const { return width == 0 ? 0 : values.size() / width; }
  double at(std::size_t row, std::size_t column = 0) const { return values.at(row * width + column); }
};

/// What a run has left, in memory. Also of a run that goes on or was killed: rows that not all columns have yet are
/// left out.
struct ABUT_API Record {
  std::string title;
  std::string version;  ///< of the program that wrote it
  std::string scene;    ///< TOML; Scene::read_text() makes it run again, where it has no meshes
  std::string summary;  ///< JSON; empty while the run goes on
  bool is_complete = false;
  std::vector<std::string> body_names, joint_names;
  std::vector<RecordColumn> columns;  ///< by name

  /// `path`: a result.h5, or a folder with one. SystemError when it cannot be read, InputError when it is no record.
  static Record read(const std::string& path);
  /// InputError with the nearest name when there is no such column.
  const RecordColumn& column(const std::string& name) const;
};

/// Writes what a world does to a file, from now on: a sample at once, then one every run.record_interval of the scene,
/// and all events. It changes nothing in the world, not a bit. The file can be read while it grows.
///
/// A world that is being recorded cannot be set back; it may be destroyed before its recorder, which then holds what
/// was seen until then.
class ABUT_API Recorder {
 public:
  /// `path`: a file, or a folder, which is made and gets a result.h5. SystemError where that is refused.
  Recorder(World& world, const std::string& path);
  Recorder(Recorder&&) noexcept;
  Recorder& operator=(Recorder&&) = delete;
  /// Closes; what goes wrong then is lost, so that close() should be called where that matters.
  ~Recorder();

  /// A last sample, and the end of the record. SystemError where the disk refuses.
  void close();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

ABUT_DOOR_END
