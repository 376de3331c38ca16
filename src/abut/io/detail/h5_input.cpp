#include "abut/io/detail/h5_input.hpp"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abut/base/error.hpp"

namespace abut {

H5Input::H5Input(std::string path) : path_(std::move(path)) {
  // A pipe without a writer must not hold up the reader.
  file_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file_ < 0) throw SystemError(fmt::format("{}: cannot be opened: {}", path_, std::strerror(errno)));
  struct stat status {};
  if (::fstat(file_, &status) == 0 && S_ISREG(status.st_mode)) {
    size_ = static_cast<std::uint64_t>(status.st_size);
    return;
  }
  ::close(file_);
  throw SystemError(fmt::format("{}: is no ordinary file", path_));
}

H5Input::~H5Input() { ::close(file_); }

std::string H5Input::read(std::uint64_t address, std::uint64_t bytes) const {
  if (address > size_ || bytes > size_ - address)
    throw H5Damage(fmt::format("{} bytes at {} lie beyond its end", bytes, address));
  std::string text(bytes, '\0');
  read(address, bytes, text.data());
  return text;
}

void H5Input::read(std::uint64_t address, std::uint64_t bytes, char* to) const {
  if (address > size_ || bytes > size_ - address)
    throw H5Damage(fmt::format("{} bytes at {} lie beyond its end", bytes, address));
  while (bytes > 0) {
    const ssize_t count = ::pread(file_, to, bytes, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw SystemError(fmt::format("{}: cannot be read: {}", path_, std::strerror(errno)));
    if (count == 0) throw H5Damage("it has become shorter while it was read");
    to += count;
    address += static_cast<std::uint64_t>(count);
    bytes -= static_cast<std::uint64_t>(count);
  }
}

std::uint64_t H5Cursor::sized(unsigned bytes) {
  std::uint64_t value = 0;
  if (bytes > sizeof value) throw H5Damage("a number is too wide");
  std::memcpy(&value, take(bytes).data(), bytes);
  return value;
}

std::uint64_t multiply_sizes(const std::vector<std::uint64_t>& sizes, std::uint64_t limit) {
  std::uint64_t product = 1;
  for (const std::uint64_t size : sizes) {
    if (size == 0) return 0;
  }
  for (const std::uint64_t size : sizes) {
    if (size > limit / product) throw H5Damage("announces more than the file holds");
    product *= size;
  }
  return product;
}

}  // namespace abut
