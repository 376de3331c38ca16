#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "abut/c_pair.h"
#include "abut/c_world.h"
#include "abut/contact_pair.hpp"
#include "abut/door/c/call.hpp"
#include "abut/measure.hpp"
#include "abut/record.hpp"
#include "abut/world.hpp"

/// What stands behind the handles: the classes of the door, and the texts and lists that were asked for last.
namespace abut::c {

struct SceneObject final : Object {
  explicit SceneObject(v0::Scene scene_in) : scene(std::move(scene_in)) {}
  v0::Scene scene;
  std::string shown;
};

struct ModelObject final : Object {
  explicit ModelObject(v0::Model model_in) : model(std::move(model_in)) {}
  v0::Model model;
};

struct WorldObject final : Object {
  explicit WorldObject(v0::World world_in) : world(std::move(world_in)) {}
  v0::World world;
  std::vector<v0::Contact> contacts;
  std::vector<v0::ContactEvent> events;
  v0::StepReport report;
  std::optional<v0::Recorder> recorder;  ///< after the world, so that it closes before
};

struct StateObject final : Object {
  explicit StateObject(v0::State state_in) : state(std::move(state_in)) {}
  v0::State state;
};

struct RunObject final : Object {
  explicit RunObject(v0::MeasuredRun run_in) : run(std::move(run_in)) {}
  v0::MeasuredRun run;
};

struct PairObject final : Object {
  PairObject(v0::ContactPair pair_in, std::shared_ptr<const int> mark_in)
      : pair(std::move(pair_in)), mark(std::move(mark_in)) {}
  v0::ContactPair pair;
  std::shared_ptr<const int> mark;  ///< shared with the states that it starts
  std::vector<v0::Contact> contacts;
  std::vector<v0::ContactEvent> events;
};

struct PairStateObject final : Object {
  PairStateObject(v0::PairState state_in, std::shared_ptr<const int> mark_in)
      : state(std::move(state_in)), mark(std::move(mark_in)) {}
  v0::PairState state;
  std::shared_ptr<const int> mark;  ///< of the pair that it is good for
};

template <>
inline constexpr const char* kKindName<SceneObject> = "abut_scene";
template <>
inline constexpr const char* kKindName<ModelObject> = "abut_model";
template <>
inline constexpr const char* kKindName<WorldObject> = "abut_world";
template <>
inline constexpr const char* kKindName<StateObject> = "abut_state";
template <>
inline constexpr const char* kKindName<RunObject> = "abut_run";
template <>
inline constexpr const char* kKindName<PairObject> = "abut_pair";
template <>
inline constexpr const char* kKindName<PairStateObject> = "abut_pair_state";

}  // namespace abut::c
