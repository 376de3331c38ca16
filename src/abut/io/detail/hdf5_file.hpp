#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <hdf5.h>

namespace abut {

/// To be held around every use of HDF5: not every build of it is made for threads (Debian's for MPI is not), and worlds
/// in several threads write records of their own.
[[nodiscard]] std::unique_lock<std::mutex> lock_hdf5();

/// Owner of one HDF5 identifier.
class Hdf5Handle {
 public:
  using Closer = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Closer closer) : id_(id), close_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() { close(); }

  hid_t id() const { return id_; }
  /// Leaves it open for good.
  void abandon() { id_ = -1; }
  /// Negative when HDF5 could not close it.
  herr_t close() { return id_ < 0 ? 0 : close_(std::exchange(id_, -1)); }

 private:
  hid_t id_ = -1;
  Closer close_ = nullptr;
};

/// A file open for writing. Every refusal of HDF5 becomes a SystemError that names the file. After a refusal the file
/// and its datasets are abandoned, not closed: closing would flush again, and HDF5 1.10 does not survive a second
/// failure.
class Hdf5File {
 public:
  /// A new file, or with `keeps` one that exists and is to be gone on with.
  explicit Hdf5File(std::string path, bool keeps = false);
  ~Hdf5File();

  void make_group(const std::string& name);
  void write_attribute(const std::string& object, const std::string& name, const std::string& text);
  void write_attribute(const std::string& object, const std::string& name, int value);
  void write_names(const std::string& name, const std::vector<std::string>& names, const std::string& unit);
  void write_integers(const std::string& name, const std::vector<int>& values, const std::string& unit);
  void flush();
  void close();

  /// Passes a result of HDF5 through, or throws.
  template <class Result>
  Result check(Result result) {
    if (result < 0) fail();
    return result;
  }
  hid_t id() const { return file_.id(); }
  bool has_failed() const { return has_failed_; }

 private:
  [[noreturn]] void fail();

  std::string path_;
  Hdf5Handle file_;
  bool has_failed_ = false;
};

template <class T>
hid_t hdf5_type() {
  if constexpr (std::is_same_v<T, double>) {
    return H5T_NATIVE_DOUBLE;
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return H5T_NATIVE_INT64;
  } else if constexpr (std::is_same_v<T, int>) {
    return H5T_NATIVE_INT;
  } else {
    static_assert(std::is_same_v<T, std::uint8_t>);
    return H5T_NATIVE_UINT8;
  }
}

/// Dataset [rows, ...] that grows by rows; rows are gathered until write().
class Hdf5Column {
 public:
  Hdf5Column() = default;
  /// shape: dimensions of one row; empty for a scalar.
  /// kept_rows: of a dataset that exists already; rows beyond are dropped.
  Hdf5Column(Hdf5File& file, const std::string& name, hid_t type, std::size_t value_bytes, std::vector<hsize_t> shape,
             const std::string& unit, std::optional<std::int64_t> kept_rows);
  ~Hdf5Column();
  void append(const void* values, std::size_t bytes);
  void write();
  std::size_t buffered_bytes() const { return buffer_.size(); }
  const std::string& name() const { return name_; }
  /// In the file, without those gathered.
  std::int64_t num_rows() const { return static_cast<std::int64_t>(dimensions_.front()); }

 private:
  void create(const std::string& unit);
  void open(hsize_t kept_rows);

  Hdf5File* file_ = nullptr;
  std::string name_;
  Hdf5Handle dataset_;
  hid_t type_ = -1;
  std::size_t row_bytes_ = 0;
  std::vector<hsize_t> dimensions_;  ///< of what is in the file; the first grows
  std::vector<char> buffer_;
};

/// Column of one value type.
template <class T>
class Column : public Hdf5Column {
 public:
  Column() = default;
  Column(Hdf5File& file, const std::string& name, std::vector<hsize_t> shape, const std::string& unit,
         std::optional<std::int64_t> kept_rows)
      : Hdf5Column(file, name, hdf5_type<T>(), sizeof(T), std::move(shape), unit, kept_rows) {}
  void push(T value) { append(&value, sizeof(T)); }
  void push(const std::vector<T>& values) { append(values.data(), values.size() * sizeof(T)); }
  template <class Vector>
  requires requires(const Vector& v) { v.data(), v.rows(); }
  void push(const Vector& v) { append(v.data(), static_cast<std::size_t>(v.size()) * sizeof(T)); }
};

}  // namespace abut
