#include "abut/io/detail/h5_store.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abut/base/error.hpp"
#include "abut/io/detail/h5_bytes.hpp"

namespace abut {

namespace {

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
/// For the superblock, of 48 bytes; they lie in one page, so that no kill cuts them.
constexpr std::uint64_t kHeadBytes = 64;
constexpr std::uint64_t kAlignment = 8;
/// Readers that opened an older state have this long to finish, where the space is not needed badly.
constexpr std::chrono::seconds kOldAge{60};
constexpr std::int64_t kOldCommits = 8;
constexpr std::uint64_t kMostReleasedBytes = 8u << 20;

std::uint64_t round_up(std::uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

H5Store::H5Store(std::string path) : path_(std::move(path)), written_path_(path_ + ".part"), end_(kHeadBytes) {
  file_ = ::open(written_path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) fail(errno);
  try {
    lock();
    if (::ftruncate(file_, 0) != 0) fail(errno);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

H5Store::~H5Store() {
  if (file_ < 0) return;
  // A record that never got its name holds nothing.
  if (!is_in_place_ && ::getpid() == process_) ::unlink(written_path_.c_str());
  ::close(file_);
}

/// Two writers of one record would ruin it. Not the lock that readers by HDF5's own library ask for (flock).
void H5Store::lock() {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  const auto refuse = [this] {
    throw SystemError(fmt::format("{}: another run is writing this record.\nNothing was run.", path_));
  };
  if (::fcntl(file_, F_OFD_SETLK, &whole) != 0 && (errno == EAGAIN || errno == EACCES)) refuse();
  const int finished = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
  if (finished < 0) return;
  const bool is_written = ::fcntl(finished, F_OFD_SETLK, &whole) != 0 && (errno == EAGAIN || errno == EACCES);
  ::close(finished);
  if (!is_written) return;
  ::unlink(written_path_.c_str());
  refuse();
}

void H5Store::fail(int reason) {
  has_failed_ = true;
  throw SystemError(fmt::format("{}: cannot be written: {}", path_, std::strerror(reason)));
}

std::uint64_t H5Store::allocate(std::uint64_t bytes) {
  bytes = round_up(std::max<std::uint64_t>(bytes, 1));
  const auto found = std::find_if(free_.begin(), free_.end(), [bytes](const auto& gap) { return gap.second >= bytes; });
  if (found == free_.end()) return std::exchange(end_, end_ + bytes);
  const auto [address, size] = *found;
  free_.erase(found);
  if (size > bytes) free_.emplace(address + bytes, size - bytes);
  return address;
}

void H5Store::release(std::uint64_t address, std::uint64_t bytes) {
  bytes = round_up(std::max<std::uint64_t>(bytes, 1));
  released_.push_back({address, bytes, num_commits_, std::chrono::steady_clock::now()});
  released_bytes_ += bytes;
}

void H5Store::reuse_what_is_old() {
  const auto now = std::chrono::steady_clock::now();
  while (!released_.empty()) {
    const Released gap = released_.front();
    const bool is_old = now - gap.time >= kOldAge || released_bytes_ > kMostReleasedBytes;
    if (num_commits_ - gap.commit < kOldCommits || !is_old) return;
    released_.pop_front();
    released_bytes_ -= gap.bytes;
    auto [place, is_new] = free_.emplace(gap.address, gap.bytes);
    const auto next = std::next(place);
    if (next != free_.end() && place->first + place->second == next->first) {
      place->second += next->second;
      free_.erase(next);
    }
    if (place == free_.begin()) continue;
    const auto previous = std::prev(place);
    if (previous->first + previous->second != place->first) continue;
    previous->second += place->second;
    free_.erase(place);
  }
}

void H5Store::write(std::uint64_t address, std::string_view bytes) {
  ABUT_REQUIRE(!has_failed_, "a write to {} after one that failed", path_);
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(count < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(count));
    address += static_cast<std::uint64_t>(count);
  }
}

std::string H5Store::read(std::uint64_t address, std::uint64_t bytes) const {
  std::string text(bytes, '\0');
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t count = ::pread(file_, text.data() + done, bytes - done, static_cast<off_t>(address + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0)
      throw SystemError(fmt::format("{}: cannot be read: {}", path_, std::strerror(count < 0 ? errno : EIO)));
    done += static_cast<std::size_t>(count);
  }
  return text;
}

std::uint64_t H5Store::add(std::string_view bytes) {
  const std::uint64_t address = allocate(bytes.size());
  write(address, bytes);
  return address;
}

void H5Store::commit(std::uint64_t root) {
  // A file may not be shorter than it says.
  struct stat status {};
  if (::fstat(file_, &status) != 0) fail(errno);
  if (static_cast<std::uint64_t>(status.st_size) < end_ && ::ftruncate(file_, static_cast<off_t>(end_)) != 0)
    fail(errno);
  // Version 2, addresses and lengths of 8 bytes, no flags, from 0 on, no extension [HDF Group 2016, II.A].
  H5Bytes head;
  head.text(kSignature).u8(2).u8(8).u8(8).u8(0).u64(0).u64(kNoAddress).u64(end_).u64(root);
  head.u32(calc_header_sum(head.bytes()));
  write(0, head.bytes());
  ++num_commits_;
  reuse_what_is_old();
}

void H5Store::put_in_place() {
  if (std::rename(written_path_.c_str(), path_.c_str()) != 0) fail(errno);
  is_in_place_ = true;
}

void H5Store::require_in_place() const {
  struct stat ours {
  }, found{};
  if (::fstat(file_, &ours) != 0 || ::stat(path_.c_str(), &found) != 0 || ours.st_ino != found.st_ino ||
      ours.st_dev != found.st_dev)
    throw SystemError(
        fmt::format("{}: was removed or replaced while the run went on; the record of it is lost", path_));
}

void H5Store::sync() {
  if (::fsync(file_) != 0 && errno != EINVAL && errno != ENOTSUP) fail(errno);
}

}  // namespace abut
