#pragma once

#include <stdexcept>
#include <string>

#include "abut/contact/patch.hpp"

namespace abut {

/// A contact that cannot begin where it touches, although nothing was wrong with it before the run: its law knows no
/// stiffness for the curvatures that meet.
class ContactFailure : public std::runtime_error {
 public:
  ContactFailure(const PatchKey& key, const std::string& reason) : std::runtime_error(reason), key_(key) {}
  const PatchKey& key() const { return key_; }

 private:
  PatchKey key_;
};

}  // namespace abut
