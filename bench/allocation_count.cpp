#include "allocation_count.hpp"

#include <cstdlib>
#include <new>

namespace abut {
std::atomic<long> num_allocations{0};
}  // namespace abut

void* operator new(std::size_t size) {
  ++abut::num_allocations;
  if (void* place = std::malloc(size)) return place;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++abut::num_allocations;
  return std::malloc(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  ++abut::num_allocations;
  const std::size_t step = static_cast<std::size_t>(alignment);
  if (void* place = std::aligned_alloc(step, (size + step - 1) / step * step)) return place;
  throw std::bad_alloc();
}
void operator delete(void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t) noexcept { std::free(place); }
void operator delete(void* place, std::align_val_t) noexcept { std::free(place); }
void operator delete(void* place, std::size_t, std::align_val_t) noexcept { std::free(place); }
