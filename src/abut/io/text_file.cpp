#include "abut/io/text_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

std::string read_bytes(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) throw SystemError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  std::string text;
  char block[1 << 16];
  while (const std::size_t count = std::fread(block, 1, sizeof block, file.get())) {
    text.append(block, count);
    if (text.size() > kMaxSceneBytes) {
      throw InputError(
          fmt::format("{}: larger than {} MB, too large for a scene.\nNothing was run.", path, kMaxSceneBytes >> 20));
    }
  }
  if (std::ferror(file.get())) throw SystemError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  return text;
}

/// Length of the UTF-8 sequence at `i`, or 0 when there is none. Overlong forms and surrogates are left to the parser.
std::size_t utf8_length(const std::string& text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(k < text.size() ? text[k] : 0); };
  const unsigned char lead = byte(i);
  const std::size_t length = lead < 0x80           ? 1
                             : (lead >> 5) == 0x6  ? 2
                             : (lead >> 4) == 0xE  ? 3
                             : (lead >> 3) == 0x1E ? 4
                                                   : 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xC0) != 0x80) return 0;
  }
  return length;
}

std::optional<std::size_t> find_binary_byte(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char byte = static_cast<unsigned char>(text[i]);
    const bool is_control = byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
    const std::size_t length = utf8_length(text, i);
    if (is_control || length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

/// Line and column, from 1 in characters, of what comes behind a text in UTF-8.
std::pair<std::size_t, std::size_t> count_lines(std::string_view before) {
  const std::size_t line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t end = before.rfind('\n');
  before.remove_prefix(end == std::string_view::npos ? 0 : end + 1);
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return {line, 1 + static_cast<std::size_t>(std::count_if(before.begin(), before.end(), begins))};
}

/// Removes a temporary file unless it was renamed.
struct TemporaryFile {
  std::string path;
  ~TemporaryFile() {
    if (!path.empty()) ::unlink(path.c_str());
  }
};

}  // namespace

std::string read_text_file(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw SystemError(fmt::format("{}: there is no such file", path));
  if (std::filesystem::is_directory(status)) throw SystemError(fmt::format("{}: is a directory, not a file", path));
  std::string text = read_bytes(path);
  if (const std::optional<std::size_t> binary = find_binary_byte(text)) {
    const auto [line, column] = count_lines(std::string_view(text).substr(0, *binary));
    throw InputError(fmt::format("{}:{}:{}: this is not a text file (byte 0x{:02x}).\nNothing was run.", path, line,
                                 column, static_cast<unsigned char>(text[*binary])));
  }
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw InputError(fmt::format("{}: the file is empty.\nNothing was run.", path));
  }
  return text;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void write_text_file_atomically(const std::string& path, const std::string& text) {
  TemporaryFile temporary{path + ".part"};
  const auto refuse = [&](const char* action) {
    throw SystemError(fmt::format("{}: cannot be {}: {}", path, action, std::strerror(errno)));
  };
  const int file = ::open(temporary.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) refuse("written");
  const bool is_written = write_all(file, text) && ::fsync(file) == 0;
  const int reason = errno;
  ::close(file);
  errno = reason;
  if (!is_written) refuse("written");
  if (std::rename(temporary.path.c_str(), path.c_str()) != 0) refuse("put in place");
  temporary.path.clear();
}

}  // namespace abut
