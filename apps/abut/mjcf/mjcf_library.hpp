#pragma once

#include <mujoco/mujoco.h>

namespace abut {

/// The functions of libmujoco that are needed, from the library that is installed where abut runs: only who imports
/// MJCF needs it. SystemError when it is missing or of another version than the headers, whose structures would not
/// fit.
struct MjcfLibrary {
  decltype(&::mj_loadXML) load_xml = nullptr;
  decltype(&::mj_deleteModel) delete_model = nullptr;
  decltype(&::mj_id2name) id2name = nullptr;

  static const MjcfLibrary& get();
};

}  // namespace abut
