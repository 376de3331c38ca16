#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abut/scene/law_text.hpp"

namespace abut {

/// One key that a law takes, in words.
struct LawKey {
  std::string key;
  std::string symbol;     ///< in the equation
  std::string unit;       ///< "-" when dimensionless
  std::string range;      ///< "> 0", ">= mu_c", "printed, smooth"
  std::string otherwise;  ///< the rule, key or number when it is not given
  std::string doc;
};

/// All that can be said of a law, from its row and the table of fields of its specification.
struct LawEntry {
  LawText text;
  const char* family;    ///< "normal" or "friction"
  bool has_volume_form;  ///< it may stand in a contact with region = "volume"
  bool has_perimeter_form;
  std::vector<LawKey> keys;
};

/// Normal laws, then friction laws, in their order.
const std::vector<LawEntry>& law_catalogue();

/// nullptr when there is no such law.
const LawEntry* find_law(std::string_view name);

/// The keys as a Markdown table, as pages of docs/theory contain it. Empty for a law without keys.
std::string make_key_table(const LawEntry& law);

/// The laws of a family as a Markdown table with the pages they have, as docs/theory/README.md contains it.
std::string make_law_table(std::string_view family);

/// Which laws the regions other than point take, one line for each, for people.
std::string describe_region_laws();

}  // namespace abut
