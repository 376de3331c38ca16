#include "audit/replay.hpp"

#include <algorithm>
#include <memory>

#include "abut/door/convert.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/world.hpp"

namespace abut {

namespace {

constexpr int kMostSteps = 20000;

SceneSpec make_scene(const Bodies& bodies, int body_a, int body_b, std::size_t k, double start, double limit) {
  SceneSpec scene = bodies.model().scene;
  const std::vector<BodySpec> all = std::move(scene.body);
  scene.body.clear();
  scene.joint.clear();
  scene.controller.clear();
  scene.sensor.clear();
  scene.spring.clear();
  scene.force.clear();
  for (const int body : {body_a, body_b}) {
    BodySpec spec = all[static_cast<std::size_t>(body)];
    const v0::Motion motion = bodies.fly(body, k, start);
    if (!spec.fixed) {
      spec.velocity = to_vec(motion.velocity);
      spec.angular_velocity = to_vec(motion.angular_velocity);
    }
    spec.position = to_vec(motion.position);
    spec.rotation.reset();
    spec.orientation = to_quat(motion.orientation);
    scene.body.push_back(std::move(spec));
  }
  scene.run.duration = limit;
  scene.run.record_interval.reset();
  return scene;
}

Vec3 velocity_at(const BodySample& body, const Vec3& point) {
  return body.velocity + body.angular_velocity.cross(point - body.position);
}

}  // namespace

std::optional<Replay> replay_touch(const Bodies& bodies, int body_a, int body_b, std::size_t k, double start,
                                   double limit) {
  for (const int body : {body_a, body_b}) {
    if (bodies.kind(body) == BodyKind::driven) return std::nullopt;
  }
  World world(std::make_shared<const Model>(compile(make_scene(bodies, body_a, body_b, k, start, limit))), 1);
  const auto falls = [&](int body) { return bodies.kind(body) == BodyKind::free ? 1.0 : 0.0; };
  const Vec3 relative_gravity = (falls(body_a) - falls(body_b)) * bodies.model().scene.gravity;
  Replay out;
  double touch_time = -1.0, touch_speed = 0.0, depth_before = 0.0;
  Vec3 point = Vec3::Zero(), normal = Vec3::Zero();  // where they touched last, into the first
  std::size_t num_patches = 0;
  bool is_first_blow = true;
  for (int step = 0; step < kMostSteps && world.time() < limit; ++step) {
    if (!world.step().is_ok()) return std::nullopt;
    double force = 0.0, depth = 0.0, weights = 0.0;
    Vec3 points = Vec3::Zero(), normals = Vec3::Zero();
    for (const ContactSample& contact : world.contacts()) {
      force += contact.normal_force;
      depth = std::max(depth, contact.depth);
      const double weight = std::max(contact.depth, 1e-300);
      weights += weight;
      points += weight * contact.point;
      normals += (contact.body_a == 0 ? weight : -weight) * contact.normal;
    }
    if (weights > 0.0) {
      num_patches = world.contacts().size();
      point = points / weights;
      normal = normals.normalized();
    }
    if (is_first_blow) {
      out.force = std::max(out.force, force);
      out.depth = std::max(out.depth, depth);
      is_first_blow = depth >= depth_before;
      depth_before = depth;
    }
    for (const ContactEvent& event : world.take_events()) {
      if (event.kind == ContactEventKind::touch && touch_time < 0.0) {
        touch_time = event.time;
        touch_speed = -event.normal_speed;
      }
      if (event.kind != ContactEventKind::lift || !world.contacts().empty() || !(touch_speed > 0.0)) continue;
      out.parts = true;
      out.duration = event.time - touch_time;
      const BodySample &first = world.bodies()[0], &second = world.bodies()[1];
      const double speed = normal.dot(velocity_at(first, point) - velocity_at(second, point));
      // One patch has said it itself. Of several it is that of the mean; the step went on after the parting, and what
      // gravity did since is taken back.
      const double mean = speed - (world.time() - event.time) * normal.dot(relative_gravity);
      out.restitution = (num_patches == 1 ? event.normal_speed : mean) / touch_speed;
      return out;
    }
  }
  if (touch_time < 0.0) return std::nullopt;
  return out;
}

}  // namespace abut
