#include "abut/contact/patch_pool.hpp"

namespace abut {

std::vector<int> PatchPool::compact() {
  std::vector<int> old_places = active;
  std::vector<Patch> packed;
  packed.reserve(active.size());
  for (const int place : active) packed.push_back(patches[place]);
  patches = std::move(packed);
  if (!perimeters.empty()) {
    std::vector<PerimeterMemory> memories;
    for (const int place : active) memories.push_back(std::move(perimeters[place]));
    perimeters = std::move(memories);
  }
  free_places.clear();
  for (std::size_t i = 0; i < active.size(); ++i) active[i] = static_cast<int>(i);
  return old_places;
}

}  // namespace abut
