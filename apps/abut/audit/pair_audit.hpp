#pragma once

#include <vector>

#include "audit/audit.hpp"
#include "audit/pair_probe.hpp"

namespace abut {

/// Samples in which a pair touches, one after the other; of a blow between two samples there is none.
struct Episode {
  std::size_t first = 0, last = 0;  ///< samples that touch; first > last: between the two
  bool is_blow_between() const { return first > last; }
};

/// A pair on its way through the audit: what its samples look like, and when it touches.
struct PairCourse {
  PairProbe probe;
  int rule = -1;
  std::vector<PairLook> looks;
  std::vector<Episode> episodes;
  std::vector<char> covers;      ///< of each interval: whether what happens in it may come from this pair
  std::vector<LawStretch> laws;  ///< of each episode; without samples where it is not resolved
};

/// Looks at all samples, and between them for blows that none shows.
PairCourse make_course(PairProbe probe, int rule, const Bodies& bodies);

/// All that is said of one pair. `courses`: of all pairs, to know what else acted.
PairAudit audit_pair(PairCourse& course, const std::vector<PairCourse>& courses, const Bodies& bodies,
                     const GivenForces* given);

/// The fastest of its blows in which nothing else touched its bodies. `alone`: of each interval, as is_alone() says.
void audit_impacts(PairCourse& course, const std::vector<char>& alone, const Bodies& bodies, PairAudit& out);

/// Whether, in this interval, nothing but this pair touches its free bodies, none of which is driven.
bool is_alone(const PairCourse& course, const std::vector<PairCourse>& courses, const Bodies& bodies, std::size_t k);

}  // namespace abut
