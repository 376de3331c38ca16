#include "mesh_drop.hpp"

#ifdef ABUT_HAVE_ODE
#include <deque>

#include <ode/ode.h>

#include "bench_tools.hpp"

namespace abut {
namespace {

/// Triangle meshes against boxes and against each other, contacts as ODE finds them, solved by its iterative stepper.
struct OdeDrop {
  explicit OdeDrop(const MeshDrop& drop) : friction(drop.friction), restitution(drop.restitution) {
    dInitODE2(0);
    world = dWorldCreate();
    space = dHashSpaceCreate(nullptr);
    contacts = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -drop.gravity);
    for (const MeshDrop::Slab& slab : drop.slabs) {
      const Vec3 size = 2.0 * slab.half;
      const dGeomID box = dCreateBox(space, size.x(), size.y(), size.z());
      dGeomSetPosition(box, slab.center.x(), slab.center.y(), slab.center.z());
    }
    for (const MeshDrop::Body& body : drop.bodies) add(body);
  }
  ~OdeDrop() {
    dJointGroupDestroy(contacts);
    dSpaceDestroy(space);
    for (const dTriMeshDataID id : data) dGeomTriMeshDataDestroy(id);
    dWorldDestroy(world);
    dCloseODE();
  }

  void add(const MeshDrop::Body& body) {
    Store& store = stores.emplace_back();
    for (const Vec3& v : body.mesh.vertices) store.vertices.insert(store.vertices.end(), v.data(), v.data() + 3);
    for (const auto& t : body.mesh.triangles) {
      for (const int v : t) store.indices.push_back(static_cast<dTriIndex>(v));
    }
    data.push_back(dGeomTriMeshDataCreate());
    dGeomTriMeshDataBuildDouble(data.back(), store.vertices.data(), 3 * sizeof(double),
                                static_cast<int>(body.mesh.vertices.size()), store.indices.data(),
                                static_cast<int>(store.indices.size()), 3 * sizeof(dTriIndex));
    const dGeomID geom = dCreateTriMesh(space, data.back(), nullptr, nullptr, nullptr);
    const dBodyID id = dBodyCreate(world);
    dMass mass;
    const Mat3& I = body.mass.inertia;
    dMassSetParameters(&mass, body.mass.mass, 0, 0, 0, I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
    dBodySetMass(id, &mass);
    dGeomSetBody(geom, id);
    dBodySetPosition(id, body.position.x(), body.position.y(), body.position.z());
    const dQuaternion q = {body.orientation.w(), body.orientation.x(), body.orientation.y(), body.orientation.z()};
    dBodySetQuaternion(id, q);
    bodies.push_back(id);
  }

  static void collide(void* self, dGeomID x, dGeomID y) {
    OdeDrop& drop = *static_cast<OdeDrop*>(self);
    const dBodyID a = dGeomGetBody(x), b = dGeomGetBody(y);
    if (a == nullptr && b == nullptr) return;
    dContact found[kMaxContacts];
    const int count = dCollide(x, y, kMaxContacts, &found[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      found[i].surface.mode = dContactBounce | dContactApprox1;
      found[i].surface.mu = drop.friction;
      found[i].surface.bounce = drop.restitution;
      found[i].surface.bounce_vel = 0.01;
      dJointAttach(dJointCreateContact(drop.world, drop.contacts, &found[i]), a, b);
    }
  }

  void step(double h) {
    dSpaceCollide(space, this, &collide);
    dWorldQuickStep(world, h);
    dJointGroupEmpty(contacts);
  }

  static constexpr int kMaxContacts = 64;
  struct Store {
    std::vector<double> vertices;
    std::vector<dTriIndex> indices;
  };
  double friction, restitution;
  dWorldID world;
  dSpaceID space;
  dJointGroupID contacts;
  std::deque<Store> stores;  // ODE keeps pointers to them
  std::vector<dTriMeshDataID> data;
  std::vector<dBodyID> bodies;
};

Vec3 from_ode(const dReal* v) { return {v[0], v[1], v[2]}; }

}  // namespace

DropRecord run_ode(const MeshDrop& drop) {
  OdeDrop engine(drop);
  DropRecord record{"ODE 0.16", "triangle meshes, container of boxes", {}};
  for (int n = 0; n < drop.num_steps(); ++n) {
    record.time += calc_cpu_time([&] { engine.step(drop.step); });
    if ((n + 1) % drop.steps_a_sample != 0) continue;
    std::vector<DropState> sample;
    for (const dBodyID body : engine.bodies) {
      const dReal* q = dBodyGetQuaternion(body);
      sample.push_back({from_ode(dBodyGetPosition(body)), from_ode(dBodyGetLinearVel(body)),
                        from_ode(dBodyGetAngularVel(body)), Quat(q[0], q[1], q[2], q[3])});
    }
    record.samples.push_back(sample);
  }
  return record;
}

}  // namespace abut
#else
namespace abut {
DropRecord run_ode(const MeshDrop&) { return {"ODE", "libode-dev not found", {}, 0.0, false}; }
}  // namespace abut
#endif
