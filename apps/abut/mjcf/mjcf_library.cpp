#ifdef ABUT_HAS_MUJOCO

#include "mjcf/mjcf_library.hpp"

#include <string>

#include <dlfcn.h>
#include <fmt/format.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw SystemError(fmt::format("libmujoco has no function {}", name));
}

MjcfLibrary load() {
  const std::string name =
      fmt::format("libmujoco.so.{}.{}.{}", mjVERSION_HEADER / 100, mjVERSION_HEADER / 10 % 10, mjVERSION_HEADER % 10);
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw SystemError(fmt::format("MJCF is read by {}, which is not installed: {}", name, dlerror()));
  MjcfLibrary functions;
  decltype(&::mj_version) version = nullptr;
  find(library, "mj_version", version);
  find(library, "mj_loadXML", functions.load_xml);
  find(library, "mj_deleteModel", functions.delete_model);
  find(library, "mj_id2name", functions.id2name);
  if (version() != mjVERSION_HEADER)
    throw SystemError(fmt::format("{} is version {}, abut was built for {}", name, version(), mjVERSION_HEADER));
  return functions;
}

}  // namespace

const MjcfLibrary& MjcfLibrary::get() {
  static const MjcfLibrary library = load();
  return library;
}

}  // namespace abut

#endif
