#pragma once

#include <string>

#include "abut/contact_pair.hpp"

namespace abut::c {

/// A pair of bodies "a" and "b" from what stands below [[body]] and [[contact]] in a scene. Mistakes have the name of
/// the text that they are in, and its line.
v0::ContactPair read_pair_texts(const std::string& body_a, const std::string& body_b, const std::string& contact);

}  // namespace abut::c
