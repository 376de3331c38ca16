#include "abut/c_scene.h"
#include "abut/door/c/objects.hpp"
#include "abut/door/c/values.hpp"

using abut::c::Call;
using abut::c::enter;
using abut::c::ModelObject;
using abut::c::SceneObject;
using abut::v0::Scene;

namespace {

using Names = std::vector<std::string> (Scene::*)() const;

abut_status count_names(const char* function, const abut_scene* handle, Names names, size_t* count) {
  return enter(function, [&](Call& call) {
    const SceneObject& scene = call.read<SceneObject>(handle);
    *call.given(count, "count") = (scene.scene.*names)().size();
    return ABUT_OK;
  });
}

abut_status show_name(const char* function, abut_scene* handle, Names names, size_t index, const char** name) {
  return enter(function, [&](Call& call) {
    SceneObject& scene = call.write<SceneObject>(handle);
    call.given(name, "name");
    const std::vector<std::string> all = (scene.scene.*names)();
    scene.shown = all[call.index(index, all.size())];
    *name = scene.shown.c_str();
    return ABUT_OK;
  });
}

}  // namespace

abut_status abut_scene_read_file(const char* path, const char* const* settings, size_t count, abut_scene** out) {
  return enter(__func__, [&](Call& call) {
    *call.given(out, "scene") = nullptr;
    call.make<SceneObject>(
        out, Scene::read_file(call.given(path, "path"), abut::c::to_texts(call, settings, count, "settings")));
    return ABUT_OK;
  });
}

abut_status abut_scene_read_text(const char* toml, const char* name, const char* const* settings, size_t count,
                                 abut_scene** out) {
  return enter(__func__, [&](Call& call) {
    *call.given(out, "scene") = nullptr;
    call.make<SceneObject>(out, Scene::read_text(call.given(toml, "toml"), name == nullptr ? "scene" : name,
                                                 abut::c::to_texts(call, settings, count, "settings")));
    return ABUT_OK;
  });
}

abut_status abut_scene_copy(const abut_scene* handle, abut_scene** out) {
  return enter(__func__, [&](Call& call) {
    *call.given(out, "copy") = nullptr;
    call.make<SceneObject>(out, call.read<SceneObject>(handle).scene);
    return ABUT_OK;
  });
}

abut_status abut_scene_free(abut_scene* handle) {
  return enter(__func__, [&](Call& call) { return call.free<SceneObject>(handle), ABUT_OK; });
}

abut_status abut_scene_set(abut_scene* handle, const abut_change* changes, size_t count) {
  return enter(__func__, [&](Call& call) {
    SceneObject& scene = call.write<SceneObject>(handle);
    Scene changed = scene.scene;
    for (const abut::v0::Change& change : abut::c::to_changes(call, changes, count))
      changed.set(change.path, change.value);
    scene.scene = std::move(changed);
    return ABUT_OK;
  });
}

abut_status abut_scene_to_toml(abut_scene* handle, const char** toml) {
  return enter(__func__, [&](Call& call) {
    SceneObject& scene = call.write<SceneObject>(handle);
    call.given(toml, "toml");
    scene.shown = scene.scene.to_toml();
    *toml = scene.shown.c_str();
    return ABUT_OK;
  });
}

abut_status abut_scene_title(abut_scene* handle, const char** title) {
  return enter(__func__, [&](Call& call) {
    SceneObject& scene = call.write<SceneObject>(handle);
    call.given(title, "title");
    scene.shown = scene.scene.title();
    *title = scene.shown.c_str();
    return ABUT_OK;
  });
}

abut_status abut_scene_duration(const abut_scene* handle, double* duration) {
  return enter(__func__, [&](Call& call) {
    *call.given(duration, "duration") = call.read<SceneObject>(handle).scene.duration();
    return ABUT_OK;
  });
}

abut_status abut_scene_count_bodies(const abut_scene* scene, size_t* count) {
  return count_names(__func__, scene, &Scene::body_names, count);
}
abut_status abut_scene_count_joints(const abut_scene* scene, size_t* count) {
  return count_names(__func__, scene, &Scene::joint_names, count);
}
abut_status abut_scene_body_name(abut_scene* scene, size_t index, const char** name) {
  return show_name(__func__, scene, &Scene::body_names, index, name);
}
abut_status abut_scene_joint_name(abut_scene* scene, size_t index, const char** name) {
  return show_name(__func__, scene, &Scene::joint_names, index, name);
}

abut_status abut_model_make(const abut_scene* scene, abut_model** out) {
  return enter(__func__, [&](Call& call) {
    *call.given(out, "model") = nullptr;
    call.make<ModelObject>(out, abut::v0::Model(call.read<SceneObject>(scene).scene));
    return ABUT_OK;
  });
}

abut_status abut_model_with(const abut_model* handle, const abut_change* changes, size_t count, abut_model** out) {
  return enter(__func__, [&](Call& call) {
    *call.given(out, "changed") = nullptr;
    const ModelObject& model = call.read<ModelObject>(handle);
    call.make<ModelObject>(out, model.model.with(abut::c::to_changes(call, changes, count)));
    return ABUT_OK;
  });
}

abut_status abut_model_free(abut_model* handle) {
  return enter(__func__, [&](Call& call) { return call.free<ModelObject>(handle), ABUT_OK; });
}

abut_status abut_model_scene(const abut_model* handle, abut_scene** out) {
  return enter(__func__, [&](Call& call) {
    *call.given(out, "scene") = nullptr;
    call.make<SceneObject>(out, call.read<ModelObject>(handle).model.scene());
    return ABUT_OK;
  });
}

abut_status abut_model_fingerprint(const abut_model* handle, uint64_t* fingerprint) {
  return enter(__func__, [&](Call& call) {
    *call.given(fingerprint, "fingerprint") = call.read<ModelObject>(handle).model.fingerprint();
    return ABUT_OK;
  });
}
