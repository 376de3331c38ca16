#pragma once

#include <exception>
#include <new>

#include "abut/base/error.hpp"

namespace abut {

/// Calls `act`; what it throws that is not ours becomes ours, because a program outside catches nothing else.
template <class Act>
decltype(auto) guard_door(const Act& act) {
  try {
    return act();
  } catch (const InputError&) {
    throw;
  } catch (const SystemError&) {
    throw;
  } catch (const InvariantError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw SystemError("abut: not enough memory");
  } catch (const std::exception& error) {
    throw SystemError(std::string("abut: ") + error.what());
  }
}

}  // namespace abut
