#include "abut/door/c/handle.hpp"

#include <array>
#include <shared_mutex>
#include <unordered_map>

namespace abut::c {

namespace {

/// Several, so that threads with handles of their own seldom wait for each other.
struct Shelf {
  std::shared_mutex mutex;
  std::unordered_map<std::uintptr_t, std::unique_ptr<Object>> objects;
};

constexpr std::uintptr_t kNumShelves = 32;

/// Never destroyed: programs may free handles from their own static destructors.
std::array<Shelf, kNumShelves>& shelves() {
  static auto* const kShelves = new std::array<Shelf, kNumShelves>;
  return *kShelves;
}

Shelf& shelf_of(std::uintptr_t key) { return shelves()[key / 2 % kNumShelves]; }

std::uintptr_t key_of(const void* handle) { return reinterpret_cast<std::uintptr_t>(handle); }

}  // namespace

std::shared_ptr<const Failure> Object::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void Object::set_failure(std::shared_ptr<const Failure> failure) {
  const std::lock_guard lock(mutex_);
  failure_.swap(failure);
}

Use::Use(const void* handle, Access access) : access_(access) {
  Shelf& shelf = shelf_of(key_of(handle));
  const std::shared_lock lock(shelf.mutex);
  const auto found = shelf.objects.find(key_of(handle));
  if (found == shelf.objects.end()) return;
  std::atomic<std::int32_t>& users = found->second->users_;
  std::int32_t before = users.load();
  answer_ = Answer::busy;
  while (access == Access::read ? before >= 0 : before == 0) {
    if (!users.compare_exchange_weak(before, access == Access::read ? before + 1 : -1)) continue;
    object_ = found->second.get();
    answer_ = Answer::ok;
    return;
  }
}

Use::~Use() {
  if (object_ == nullptr) return;
  if (access_ == Access::read) {
    --object_->users_;
  } else {
    object_->users_ = 0;
  }
}

const void* add_handle(std::unique_ptr<Object> object) {
  static std::atomic<std::uintptr_t> next = 1;
  // Odd, unlike the address of anything that a program would take for a handle by mistake.
  const std::uintptr_t key = 2 * next++ + 1;
  Shelf& shelf = shelf_of(key);
  const std::unique_lock lock(shelf.mutex);
  shelf.objects.emplace(key, std::move(object));
  return reinterpret_cast<const void*>(key);
}

std::pair<std::unique_ptr<Object>, Use::Answer> remove_handle(const void* handle, bool (*accepts)(const Object&)) {
  const Use use(handle, Access::write);
  if (use.answer() != Use::Answer::ok) return {nullptr, use.answer()};
  if (!accepts(*use.object())) return {nullptr, Use::Answer::unknown};
  Shelf& shelf = shelf_of(key_of(handle));
  const std::unique_lock lock(shelf.mutex);
  auto node = shelf.objects.extract(key_of(handle));
  return {std::move(node.mapped()), Use::Answer::ok};
}

std::shared_ptr<const Failure> find_failure(const void* handle) {
  Shelf& shelf = shelf_of(key_of(handle));
  const std::shared_lock lock(shelf.mutex);
  const auto found = shelf.objects.find(key_of(handle));
  return found == shelf.objects.end() ? nullptr : found->second->failure();
}

std::size_t count_handles() {
  std::size_t count = 0;
  for (Shelf& shelf : shelves()) {
    const std::shared_lock lock(shelf.mutex);
    count += shelf.objects.size();
  }
  return count;
}

}  // namespace abut::c
