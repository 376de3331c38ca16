#include "abut/base/error.hpp"
#include "abut/contact/contact_set.hpp"

namespace abut {

void ContactSet::remember(ContactMemory& memory) const {
  memory.pairs = memories_;
  memory.manifolds = manifolds_;
  memory.watches.clear();
  for (const VolumeSite& site : sites_) site.for_each_watch([&](const ApartWatch& w) { memory.watches.push_back(w); });
}

void ContactSet::recall(const ContactMemory& memory) {
  ABUT_REQUIRE(memory.pairs.size() == memories_.size(), "the candidates are others than those remembered");
  memories_ = memory.pairs;
  manifolds_ = memory.manifolds;
  std::size_t next = 0;
  for (VolumeSite& site : sites_) site.for_each_watch([&](ApartWatch& w) { w = memory.watches[next++]; });
}

}  // namespace abut
