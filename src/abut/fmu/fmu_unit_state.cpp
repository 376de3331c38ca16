#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/fmu/fmu_unit.hpp"

namespace abut {

namespace {

constexpr std::string_view kMagic = "abut unit 1";

std::uint64_t hash_bytes(std::span<const std::byte> bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const std::byte byte : bytes) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 1099511628211u;
  return hash;
}

}  // namespace

struct FmuUnit::Content {
  std::string magic, token;
  std::vector<std::vector<double>> values;
  std::vector<char> is_written, is_new, flags;
  std::vector<double> written_at;
  bool holds_flags = false;
  double start_time = 0.0, time = 0.0;
  std::optional<double> tolerance;
  bool has_world = false;
  Bytes world, note;

  template <class Archive>
  void visit(Archive& archive) {
    archive(magic, token, values, is_written, is_new, flags, written_at, holds_flags, start_time, time, tolerance,
            has_world, world, note);
  }
};

Bytes FmuUnit::save(const Bytes& note) {
  Content content{std::string(kMagic), model_->token, values_, is_written_, is_new_,           flags_, written_at_,
                  holds_flags_,        start_time_,   time_,   tolerance_,  world_ != nullptr, {},     note};
  if (world_ != nullptr) content.world = world_->save();
  ByteWriter writer;
  writer(content);
  Bytes bytes = writer.take();
  const std::uint64_t hash = hash_bytes(bytes);
  const auto* raw = reinterpret_cast<const std::byte*>(&hash);
  bytes.insert(bytes.end(), raw, raw + sizeof hash);
  return bytes;
}

Bytes FmuUnit::load(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0;
  if (bytes.size() < sizeof hash) throw InputError("these bytes are no state of a unit");
  const std::span<const std::byte> body = bytes.first(bytes.size() - sizeof hash);
  std::memcpy(&hash, bytes.data() + body.size(), sizeof hash);
  if (hash != hash_bytes(body)) throw InputError("the bytes of the state are damaged, or those of something else");
  Content content;
  ByteReader reader(body);
  reader(content);
  reader.finish();
  if (content.magic != kMagic) throw InputError("the state is of another version of abut");
  if (content.token != model_->token) throw InputError("the state is one of another unit");
  const std::size_t size = model_->ports.size();
  for (const std::size_t other : {content.values.size(), content.is_written.size(), content.is_new.size(),
                                  content.flags.size(), content.written_at.size()}) {
    if (other != size) throw InputError("the state is one of another unit");
  }
  FmuUnit fresh(model_);
  fresh.values_ = std::move(content.values);
  for (std::size_t i = 0; i < size; ++i) {
    if (fresh.values_[i].size() != model_->ports[i].start.size()) throw InputError("the state is one of another unit");
  }
  fresh.tolerance_ = content.tolerance;
  fresh.start_time_ = content.start_time;
  fresh.time_ = content.time;
  if (content.has_world) fresh.world().load(content.world);
  fresh.is_written_ = std::move(content.is_written);
  fresh.is_new_ = std::move(content.is_new);
  fresh.flags_ = std::move(content.flags);
  fresh.written_at_ = std::move(content.written_at);
  fresh.holds_flags_ = content.holds_flags;
  *this = std::move(fresh);
  return content.note;
}

}  // namespace abut
