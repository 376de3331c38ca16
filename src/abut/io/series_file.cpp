#include "abut/io/series_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string_view>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/base/error.hpp"
#include "abut/io/text_file.hpp"
#include "abut/math/types.hpp"

namespace abut {

namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\"";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t end = line.find(separator);
    cells.push_back(trim(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

/// "x [m]" is x.
std::string_view without_unit(std::string_view name) { return trim(name.substr(0, name.find_first_of("[("))); }

class Parser {
 public:
  Parser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  Series parse() {
    std::string_view line;
    while (next(line)) {
      if (trim(line).empty() || trim(line).front() == '#') continue;
      series_.names.empty() ? read_head(line) : read_row(line);
    }
    if (series_.names.empty()) fail("it has no line of names");
    if (series_.time.empty()) fail("it has no line of numbers");
    return std::move(series_);
  }

 private:
  bool next(std::string_view& line) {
    if (text_.empty()) return false;
    const std::size_t end = text_.find('\n');
    line = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    ++line_;
    return true;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", name_, line_, what));
  }

  void read_head(std::string_view line) {
    separator_ = line.find(';') != std::string_view::npos    ? ';'
                 : line.find('\t') != std::string_view::npos ? '\t'
                                                             : ',';
    const std::vector<std::string_view> cells = split(line, separator_);
    double number = 0.0;
    if (to_number(cells[0], number)) fail("the first line has to name the columns, time first");
    if (cells.size() < 2) fail("it has no column behind that of time");
    for (std::size_t i = 1; i < cells.size(); ++i) series_.names.emplace_back(without_unit(cells[i]));
    series_.columns.resize(series_.names.size());
  }

  void read_row(std::string_view line) {
    const std::vector<std::string_view> cells = split(line, separator_);
    if (cells.size() != series_.names.size() + 1)
      fail(fmt::format("{} numbers for {} columns", cells.size(), series_.names.size() + 1));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      double number = 0.0;
      if (!to_number(cells[i], number)) fail(fmt::format("'{}' is no finite number", cells[i]));
      (i == 0 ? series_.time : series_.columns[i - 1]).push_back(number);
    }
    const std::size_t n = series_.time.size();
    if (n > 1 && !(series_.time[n - 1] > series_.time[n - 2]))
      fail(fmt::format("times must increase: {} follows {}", series_.time[n - 1], series_.time[n - 2]));
  }

  static bool to_number(std::string_view cell, double& number) {
    if (!cell.empty() && cell.front() == '+') cell.remove_prefix(1);
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    return error == std::errc() && end == cell.data() + cell.size() && std::isfinite(number);
  }

  std::string_view text_;
  const std::string& name_;
  Series series_;
  char separator_ = ',';
  long line_ = 0;
};

int find_column(const Series& series, const std::string& name) {
  const auto found = std::find(series.names.begin(), series.names.end(), name);
  return found == series.names.end() ? -1 : static_cast<int>(found - series.names.begin());
}

bool find_columns(const Series& series, std::initializer_list<const char*> names, std::vector<int>& found) {
  found.clear();
  for (const char* name : names) found.push_back(find_column(series, name));
  return std::none_of(found.begin(), found.end(), [](int i) { return i < 0; });
}

void add_columns(Series& series, std::initializer_list<const char*> names, const std::vector<Vec3>& values) {
  int axis = 0;
  for (const char* name : names) {
    std::vector<double> column;
    for (const Vec3& value : values) column.push_back(value[axis]);
    series.names.emplace_back(name);
    series.columns.push_back(std::move(column));
    ++axis;
  }
}

Vec3 calc_rotation_vector(const Quat& q) {
  const double sine = q.vec().norm();
  return sine < 1e-15 ? Vec3(2.0 * q.vec()) : Vec3(2.0 * std::atan2(sine, q.w()) / sine * q.vec());
}

/// Rotation vectors of all rows; each the nearest to the one before of those that differ by whole turns.
void add_rotation_vectors(Series& series, const std::vector<int>& from) {
  std::vector<Vec3> vectors;
  for (std::size_t k = 0; k < series.time.size(); ++k) {
    const auto cell = [&](int i) {
      return series.columns[static_cast<std::size_t>(from[static_cast<std::size_t>(i)])][k];
    };
    const Quat q = Quat(cell(0), cell(1), cell(2), cell(3));
    if (std::abs(q.norm() - 1.0) > 1e-3)
      throw InputError(fmt::format("the quaternion at {} s has length {:.6g}", series.time[k], q.norm()));
    Vec3 vector = calc_rotation_vector(q.normalized());
    if (k > 0) {
      const Vec3 axis = vector.norm() > 0.0 ? Vec3(vector.normalized()) : Vec3(vectors.back().normalized());
      const double turns = std::round((vectors.back() - vector).dot(axis) / (2.0 * std::numbers::pi));
      if (axis.allFinite()) vector += turns * 2.0 * std::numbers::pi * axis;
    }
    vectors.push_back(vector);
  }
  add_columns(series, {"rx", "ry", "rz"}, vectors);
}

/// R = Rx(a) Ry(b) Rz(c), angles without jumps.
void add_turns(Series& series, const std::vector<int>& from) {
  std::vector<Vec3> turns;
  for (std::size_t k = 0; k < series.time.size(); ++k) {
    Vec3 r;
    for (int i = 0; i < 3; ++i) r[i] = series.columns[static_cast<std::size_t>(from[static_cast<std::size_t>(i)])][k];
    const double angle = r.norm();
    const Mat3 R = angle > 0.0 ? Eigen::AngleAxisd(angle, r / angle).toRotationMatrix() : Mat3(Mat3::Identity());
    Vec3 turn(std::atan2(-R(1, 2), R(2, 2)), std::asin(std::clamp(R(0, 2), -1.0, 1.0)), std::atan2(-R(0, 1), R(0, 0)));
    if (k > 0) {
      const auto nearest = [&](Vec3 t) {
        for (int i = 0; i < 3; ++i)
          t[i] += 2.0 * std::numbers::pi * std::round((turns.back()[i] - t[i]) / (2.0 * std::numbers::pi));
        return t;
      };
      // The same rotation has a second set of angles, which goes on beyond a quarter turn about y.
      const Vec3 one = nearest(turn);
      const Vec3 other =
          nearest({turn.x() + std::numbers::pi, std::numbers::pi - turn.y(), turn.z() + std::numbers::pi});
      turn = (one - turns.back()).norm() <= (other - turns.back()).norm() ? one : other;
    }
    turns.push_back(turn);
  }
  add_columns(series, {"turn_x", "turn_y", "turn_z"}, turns);
}

}  // namespace

Series parse_series(const std::string& text, const std::string& name) {
  Series series = Parser(text, name).parse();
  std::vector<int> found;
  if (!find_columns(series, {"rx", "ry", "rz"}, found) && find_columns(series, {"qw", "qx", "qy", "qz"}, found))
    add_rotation_vectors(series, found);
  if (!find_columns(series, {"turn_x", "turn_y", "turn_z"}, found) && find_columns(series, {"rx", "ry", "rz"}, found))
    add_turns(series, found);
  return series;
}

Series read_series(const std::string& path) { return parse_series(read_text_file(path), path); }

}  // namespace abut
