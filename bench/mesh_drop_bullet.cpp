#include "mesh_drop.hpp"

#ifdef ABUT_HAVE_BULLET
#include <memory>

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletDynamicsCommon.h>

#include "bench_tools.hpp"

namespace abut {
namespace {

btVector3 to_bullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
btQuaternion to_bullet(const Quat& q) { return {q.x(), q.y(), q.z(), q.w()}; }
Vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

/// Moving bodies are GImpact meshes, the only ones that take triangles of any shape; the container is made of boxes.
struct BulletDrop {
  explicit BulletDrop(const MeshDrop& drop)
      : dispatcher(&configuration), world(&dispatcher, &broad_phase, &solver, &configuration) {
    btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher);
    world.setGravity({0, 0, -drop.gravity});
    for (const MeshDrop::Slab& slab : drop.slabs) {
      auto box = std::make_unique<btBoxShape>(to_bullet(slab.half));
      box->setMargin(1e-3);
      add(drop, std::move(box), 0.0, btVector3(0, 0, 0),
          btTransform(btQuaternion::getIdentity(), to_bullet(slab.center)));
    }
    for (const MeshDrop::Body& body : drop.bodies) {
      auto triangles = std::make_unique<btTriangleMesh>();
      for (const auto& t : body.mesh.triangles) {
        triangles->addTriangle(to_bullet(body.mesh.vertices[t[0]]), to_bullet(body.mesh.vertices[t[1]]),
                               to_bullet(body.mesh.vertices[t[2]]));
      }
      auto shape = std::make_unique<btGImpactMeshShape>(triangles.get());
      meshes.push_back(std::move(triangles));
      shape->setMargin(1e-3);
      shape->updateBound();
      moving.push_back(add(drop, std::move(shape), body.mass.mass, to_bullet(Vec3(body.mass.inertia.diagonal())),
                           btTransform(to_bullet(body.orientation), to_bullet(body.position))));
    }
  }
  ~BulletDrop() {
    for (const auto& body : bodies) world.removeRigidBody(body.get());
  }

  btRigidBody* add(const MeshDrop& drop, std::unique_ptr<btCollisionShape> shape, double mass, const btVector3& inertia,
                   const btTransform& pose) {
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape.get(), inertia);
    info.m_startWorldTransform = pose;
    info.m_friction = drop.friction;
    info.m_restitution = drop.restitution;
    bodies.push_back(std::make_unique<btRigidBody>(info));
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);  // a body put to sleep would hide its drift
    world.addRigidBody(bodies.back().get());
    shapes.push_back(std::move(shape));
    return bodies.back().get();
  }

  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher;
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world;
  std::vector<std::unique_ptr<btTriangleMesh>> meshes;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  std::vector<btRigidBody*> moving;
};

}  // namespace

DropRecord run_bullet(const MeshDrop& drop) {
  BulletDrop engine(drop);
  DropRecord record{"Bullet 3.24", "GImpact meshes, container of boxes", {}};
  for (int n = 0; n < drop.num_steps(); ++n) {
    record.time += calc_cpu_time([&] { engine.world.stepSimulation(drop.step, 0); });
    if ((n + 1) % drop.steps_a_sample != 0) continue;
    std::vector<DropState> sample;
    for (const btRigidBody* body : engine.moving) {
      const btQuaternion q = body->getOrientation();
      sample.push_back({from_bullet(body->getCenterOfMassPosition()), from_bullet(body->getLinearVelocity()),
                        from_bullet(body->getAngularVelocity()), Quat(q.w(), q.x(), q.y(), q.z())});
    }
    record.samples.push_back(sample);
  }
  return record;
}

}  // namespace abut
#else
namespace abut {
DropRecord run_bullet(const MeshDrop&) { return {"Bullet", "libbullet-dev not found", {}, 0.0, false}; }
}  // namespace abut
#endif
