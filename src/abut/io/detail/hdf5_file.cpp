#include "abut/io/detail/hdf5_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

/// About what HDF5's chunk cache and a disk handle well [bytes].
constexpr std::size_t kChunkBytes = 1u << 16;
constexpr hsize_t kMostChunkRows = 1024;

Hdf5Handle make_text_type() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

/// Opens the path once by hand: the system's reason for a refusal is clearer than HDF5's.
void require_writable(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) throw SystemError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  ::close(file);
}

/// Callback of H5Ewalk2: the entry with number 0 is the innermost, closest to the cause.
herr_t keep_innermost(unsigned number, const H5E_error2_t* error, void* text) {
  if (number == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

}  // namespace

std::unique_lock<std::mutex> lock_hdf5() {
  static std::mutex mutex;
  return std::unique_lock(mutex);
}

Hdf5File::Hdf5File(std::string path, bool keeps) : path_(std::move(path)) {
  // Without this HDF5 would flush an abandoned file when the process ends.
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  require_writable(path_);
  const Hdf5Handle access(check(H5Pcreate(H5P_FILE_ACCESS)), H5Pclose);
  check(H5Pset_file_locking(access.id(), false, true));
  file_ = Hdf5Handle(check(keeps ? H5Fopen(path_.c_str(), H5F_ACC_RDWR, access.id())
                                 : H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id())),
                     H5Fclose);
  // A process that was killed while it flushed may have written more than the head of the file tells: space that is in
  // use would be given out again.
  if (keeps) check(H5Fincrement_filesize(file_.id(), 0));
}

Hdf5File::~Hdf5File() {
  if (has_failed_) file_.abandon();
}

void Hdf5File::fail() {
  const int reason = errno;
  has_failed_ = true;
  std::string innermost = "HDF5 gave no reason";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &innermost);
  std::string message = fmt::format("{}: cannot be written: {}", path_, innermost);
  if (reason == ENOSPC || reason == EDQUOT || reason == EFBIG)
    message = fmt::format("{}: cannot be written: {}", path_, std::strerror(reason));
  throw SystemError(message);
}

void Hdf5File::make_group(const std::string& name) {
  const Hdf5Handle group(check(H5Gcreate2(id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)), H5Gclose);
}

void Hdf5File::write_attribute(const std::string& object, const std::string& name, const std::string& text) {
  const Hdf5Handle type = make_text_type();
  const Hdf5Handle space(check(H5Screate(H5S_SCALAR)), H5Sclose);
  const char* value = text.c_str();
  const bool exists = check(H5Aexists_by_name(id(), object.c_str(), name.c_str(), H5P_DEFAULT)) > 0;
  if (exists) check(H5Adelete_by_name(id(), object.c_str(), name.c_str(), H5P_DEFAULT));
  const Hdf5Handle attribute(check(H5Acreate_by_name(id(), object.c_str(), name.c_str(), type.id(), space.id(),
                                                     H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
                             H5Aclose);
  check(H5Awrite(attribute.id(), type.id(), &value));
}

void Hdf5File::write_attribute(const std::string& object, const std::string& name, int value) {
  const Hdf5Handle space(check(H5Screate(H5S_SCALAR)), H5Sclose);
  const bool exists = check(H5Aexists_by_name(id(), object.c_str(), name.c_str(), H5P_DEFAULT)) > 0;
  const hid_t attribute_id = exists ? H5Aopen_by_name(id(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT)
                                    : H5Acreate_by_name(id(), object.c_str(), name.c_str(), H5T_NATIVE_INT, space.id(),
                                                        H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const Hdf5Handle attribute(check(attribute_id), H5Aclose);
  check(H5Awrite(attribute.id(), H5T_NATIVE_INT, &value));
}

void Hdf5File::write_names(const std::string& name, const std::vector<std::string>& names, const std::string& unit) {
  const Hdf5Handle type = make_text_type();
  const hsize_t size = names.size();
  const Hdf5Handle space(check(H5Screate_simple(1, &size, nullptr)), H5Sclose);
  const Hdf5Handle dataset(
      check(H5Dcreate2(id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)), H5Dclose);
  std::vector<const char*> values;
  for (const std::string& text : names) values.push_back(text.c_str());
  if (size > 0) check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  write_attribute(name, "unit", unit);
}

void Hdf5File::write_integers(const std::string& name, const std::vector<int>& values, const std::string& unit) {
  const hsize_t size = values.size();
  const Hdf5Handle space(check(H5Screate_simple(1, &size, nullptr)), H5Sclose);
  const Hdf5Handle dataset(
      check(H5Dcreate2(id(), name.c_str(), H5T_NATIVE_INT, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
      H5Dclose);
  if (size > 0) check(H5Dwrite(dataset.id(), H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  write_attribute(name, "unit", unit);
}

void Hdf5File::flush() { check(H5Fflush(id(), H5F_SCOPE_LOCAL)); }

void Hdf5File::close() { check(file_.close()); }

Hdf5Column::Hdf5Column(Hdf5File& file, const std::string& name, hid_t type, std::size_t value_bytes,
                       std::vector<hsize_t> shape, const std::string& unit, std::optional<std::int64_t> kept_rows)
    : file_(&file), name_(name), type_(type), row_bytes_(value_bytes), dimensions_(std::move(shape)) {
  for (const hsize_t size : dimensions_) row_bytes_ *= size;
  dimensions_.insert(dimensions_.begin(), 0);
  if (kept_rows) {
    open(static_cast<hsize_t>(*kept_rows));
  } else {
    create(unit);
  }
}

void Hdf5Column::create(const std::string& unit) {
  std::vector<hsize_t> most = dimensions_, chunk = dimensions_;
  most[0] = H5S_UNLIMITED;
  chunk[0] = std::clamp<hsize_t>(kChunkBytes / std::max<std::size_t>(row_bytes_, 1), 1, kMostChunkRows);
  // A body-less or joint-less scene has rows of nothing; a chunk may not be empty.
  for (hsize_t& size : chunk) size = std::max<hsize_t>(size, 1);
  const int rank = static_cast<int>(dimensions_.size());
  const Hdf5Handle space(file_->check(H5Screate_simple(rank, dimensions_.data(), most.data())), H5Sclose);
  const Hdf5Handle creation(file_->check(H5Pcreate(H5P_DATASET_CREATE)), H5Pclose);
  file_->check(H5Pset_chunk(creation.id(), rank, chunk.data()));
  dataset_ = Hdf5Handle(
      file_->check(H5Dcreate2(file_->id(), name_.c_str(), type_, space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT)),
      H5Dclose);
  file_->write_attribute(name_, "unit", unit);
}

void Hdf5Column::open(hsize_t kept_rows) {
  dataset_ = Hdf5Handle(file_->check(H5Dopen2(file_->id(), name_.c_str(), H5P_DEFAULT)), H5Dclose);
  const Hdf5Handle space(file_->check(H5Dget_space(dataset_.id())), H5Sclose);
  std::vector<hsize_t> found(dimensions_.size());
  const bool has_rank = H5Sget_simple_extent_ndims(space.id()) == static_cast<int>(dimensions_.size());
  if (has_rank) file_->check(H5Sget_simple_extent_dims(space.id(), found.data(), nullptr));
  const bool fits = has_rank && std::equal(found.begin() + 1, found.end(), dimensions_.begin() + 1);
  if (!fits || found[0] < kept_rows)
    throw InputError(fmt::format("{} of the record is not what the checkpoint was made with.", name_));
  dimensions_[0] = kept_rows;
  file_->check(H5Dset_extent(dataset_.id(), dimensions_.data()));
}

Hdf5Column::~Hdf5Column() {
  if (file_ != nullptr && file_->has_failed()) dataset_.abandon();
}

void Hdf5Column::append(const void* values, std::size_t bytes) {
  const char* begin = static_cast<const char*>(values);
  buffer_.insert(buffer_.end(), begin, begin + bytes);
}

void Hdf5Column::write() {
  if (file_ == nullptr || buffer_.empty()) return;
  const hsize_t rows = buffer_.size() / row_bytes_;
  ABUT_REQUIRE(rows * row_bytes_ == buffer_.size(), "a record has {} bytes, not a multiple of {}", buffer_.size(),
               row_bytes_);
  std::vector<hsize_t> start(dimensions_.size(), 0), count = dimensions_;
  start[0] = dimensions_[0];
  count[0] = rows;
  dimensions_[0] += rows;
  file_->check(H5Dset_extent(dataset_.id(), dimensions_.data()));
  const Hdf5Handle target(file_->check(H5Dget_space(dataset_.id())), H5Sclose);
  file_->check(H5Sselect_hyperslab(target.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
  const Hdf5Handle source(file_->check(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr)),
                          H5Sclose);
  file_->check(H5Dwrite(dataset_.id(), type_, source.id(), target.id(), H5P_DEFAULT, buffer_.data()));
  buffer_.clear();
}

}  // namespace abut
