#include "abut/base/spelling.hpp"

#include <gtest/gtest.h>

namespace abut {
namespace {

TEST(EditDistance, CountsEachKindOfSlipOnce) {
  EXPECT_EQ(edit_distance("stiffness", "stiffness"), 0);
  EXPECT_EQ(edit_distance("stifness", "stiffness"), 1);
  EXPECT_EQ(edit_distance("stiffnes", "stiffness"), 1);
  EXPECT_EQ(edit_distance("stiffmess", "stiffness"), 1);
  EXPECT_EQ(edit_distance("siftfness", "stiffness"), 2);
  EXPECT_EQ(edit_distance("mases", "masse"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
}

TEST(NearestSpelling, OffersTheClosestAndStaysSilentWhenNothingIsClose) {
  const std::vector<std::string> keys{"stiffness", "restitution", "exponent"};
  EXPECT_EQ(nearest_spelling("stifness", keys), "stiffness");
  EXPECT_EQ(nearest_spelling("resitution", keys), "restitution");
  EXPECT_EQ(nearest_spelling("colour", keys), "");
  EXPECT_EQ(nearest_spelling("mu_S", {"mu_c", "mu_s"}), "mu_s") << "case alone is the smallest slip";
  EXPECT_EQ(nearest_spelling("", keys), "");
}

TEST(NearestSpelling, KnowsWhatOthersCallIt) {
  const std::vector<std::string> shapes{"sphere", "box", "cell", "cone", "half-space"};
  EXPECT_EQ(nearest_spelling("ball", shapes), "sphere");
  EXPECT_EQ(nearest_spelling("Cube", shapes), "box");
  EXPECT_EQ(nearest_spelling("plane", shapes), "half-space");
  EXPECT_EQ(nearest_spelling("cnoe", shapes), "cone");
  EXPECT_EQ(nearest_spelling("bell", shapes), "cell");
  EXPECT_EQ(nearest_spelling("bolt", shapes), "") << "two letters of four are another word";
  EXPECT_EQ(nearest_spelling("mu", {"law", "mu_s", "mu_c"}), "mu_c");
}

}  // namespace
}  // namespace abut
