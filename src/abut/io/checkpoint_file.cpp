#include "abut/io/checkpoint_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/text_file.hpp"

namespace abut {

namespace {

constexpr std::array<char, 8> kMagic = {'a', 'b', 'u', 't', 'c', 'h', 'k', '2'};

/// FNV-1a: a byte that has changed on the disk must not become a motion.
std::uint64_t calc_sum(const Bytes& bytes) {
  std::uint64_t sum = 14695981039346656037u;
  for (const std::byte byte : bytes) sum = (sum ^ static_cast<std::uint64_t>(byte)) * 1099511628211u;
  return sum;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw SystemError(fmt::format("{}: cannot be read: {}\nNothing was run.", path, std::strerror(errno)));
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (file.bad()) throw SystemError(fmt::format("{}: cannot be read\nNothing was run.", path));
  return bytes;
}

}  // namespace

void write_checkpoint_file(const std::string& path, CheckpointFile& checkpoint) {
  ByteWriter archive;
  std::array<char, 8> magic = kMagic;
  std::uint64_t sum = calc_sum(checkpoint.run);
  archive(magic, checkpoint.rows, checkpoint.csv_sizes, sum, checkpoint.run);
  const Bytes bytes = archive.take();
  write_text_file_atomically(path, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

CheckpointFile read_checkpoint_file(const std::string& path) {
  const std::string text = read_file(path);
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  CheckpointFile checkpoint;
  std::array<char, 8> magic{};
  std::uint64_t sum = 0;
  try {
    ByteReader archive(std::span(data, text.size()));
    archive(magic);
    if (magic != kMagic) throw InputError("it does not begin like one");
    archive(checkpoint.rows, checkpoint.csv_sizes, sum, checkpoint.run);
    archive.finish();
    if (sum != calc_sum(checkpoint.run)) throw InputError("its sum is not that of its bytes");
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: no checkpoint of this program: {}.\nNothing was run.", path, error.what()));
  }
  return checkpoint;
}

}  // namespace abut
