#pragma once

#include <memory>
#include <string>

#include "abut/math/archive.hpp"
#include "abut/model.hpp"
#include "abut/scene.hpp"
#include "abut/scene/scene_spec.hpp"
#include "abut/sim/model.hpp"
#include "abut/sim/world.hpp"
#include "abut/state.hpp"
#include "abut/world.hpp"

/// What stands behind the classes of include/abut. In this layer, which is compiled with ABUT_INSIDE, `abut::World` is
/// the library's and `abut::v0::World` the one of the door.
namespace abut::v0 {

struct Scene::Parts {
  SceneSpec spec;
  std::string name;  ///< of the file, for messages
  std::string text;  ///< of the file, to show lines of it; empty where there is none, or where it says something else
  bool is_judged = true;  ///< false once a value was set: keys have still to be judged together
};

struct Model::Parts {
  std::shared_ptr<const Scene::Parts> scene;
  std::shared_ptr<const abut::Model> model;
};

struct State::Parts {
  Bytes bytes;
  double time = 0.0;  ///< [s]
};

/// A world and who watches it. Shared with the recorder, which may outlive the world of the door or be outlived by it.
struct World::Recording {
  explicit Recording(abut::World world_in) : world(std::move(world_in)) {}

  abut::World world;
  std::shared_ptr<RecordSink> sink;  ///< null while nobody records
};

struct World::Parts {
  Parts(const Model& model_in, int threads_in);

  /// Looks leave no trace in it.
  abut::World& inner() { return recording->world; }

  Model model;
  int threads;
  std::shared_ptr<Recording> recording;
};

/// Between the classes of the door and what stands behind them.
class Inside {
 public:
  static const Scene::Parts& parts(const Scene& scene) { return *scene.parts_; }
  static const Model::Parts& parts(const Model& model) { return *model.parts_; }
  static World::Parts& parts(World& world);
  static Model make_model(const Scene& scene);
  static Scene make_scene(std::shared_ptr<const Scene::Parts> parts) { return Scene(std::move(parts)); }
  /// Of what was read and judged elsewhere.
  static Scene make_scene(SceneSpec spec, std::string name) {
    return make_scene(std::make_shared<const Scene::Parts>(Scene::Parts{std::move(spec), std::move(name), {}, true}));
  }
  static State make_state(Bytes bytes, double time) {
    return State(std::make_shared<const State::Parts>(State::Parts{std::move(bytes), time}));
  }
};

}  // namespace abut::v0
