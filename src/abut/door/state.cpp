#include "abut/state.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "abut/door/guard.hpp"
#include "abut/door/parts.hpp"
#include "abut/sim/run.hpp"

namespace abut::v0 {

State::State(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

State State::from_bytes(std::span<const std::byte> bytes) {
  return guard_door([&] {
    return State(std::make_shared<const Parts>(Parts{Bytes(bytes.begin(), bytes.end()), read_saved_time(bytes)}));
  });
}

std::span<const std::byte> State::bytes() const noexcept { return parts_->bytes; }
double State::time() const noexcept { return parts_->time; }

std::size_t State::hash() const noexcept {
  const auto* text = reinterpret_cast<const char*>(parts_->bytes.data());
  return std::hash<std::string_view>()({text, parts_->bytes.size()});
}

bool operator==(const State& a, const State& b) noexcept {
  return a.parts_ == b.parts_ || a.parts_->bytes == b.parts_->bytes;
}

}  // namespace abut::v0
