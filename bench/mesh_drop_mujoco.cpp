#include "mesh_drop.hpp"

#ifdef ABUT_HAVE_MUJOCO
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include "abut/base/error.hpp"
#include "bench_tools.hpp"

namespace abut {
namespace {

/// MuJoCo replaces every mesh by its convex hull when it looks for contacts.
std::string make_xml(const MeshDrop& drop) {
  std::string assets, bodies;
  for (const MeshDrop::Body& body : drop.bodies) {
    assets += fmt::format("<mesh name='{}' vertex='", body.name);
    for (const Vec3& v : body.mesh.vertices) assets += fmt::format("{:.17g} {:.17g} {:.17g} ", v.x(), v.y(), v.z());
    assets += "' face='";
    for (const auto& t : body.mesh.triangles) assets += fmt::format("{} {} {} ", t[0], t[1], t[2]);
    assets += "'/>\n";
    const Vec3 p = body.position, inertia = body.mass.inertia.diagonal();
    const Quat q = body.orientation;
    bodies += fmt::format(
        "<body pos='{:.17g} {:.17g} {:.17g}' quat='{:.17g} {:.17g} {:.17g} {:.17g}'><freejoint/>"
        "<inertial pos='0 0 0' mass='{:.17g}' diaginertia='{:.17g} {:.17g} {:.17g}'/><geom type='mesh' mesh='{}'/>"
        "</body>\n",
        p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z(), body.mass.mass, inertia.x(), inertia.y(), inertia.z(),
        body.name);
  }
  for (const MeshDrop::Slab& slab : drop.slabs) {
    bodies += fmt::format("<geom type='box' pos='{} {} {}' size='{} {} {}'/>\n", slab.center.x(), slab.center.y(),
                          slab.center.z(), slab.half.x(), slab.half.y(), slab.half.z());
  }
  return fmt::format(
      "<mujoco><size nconmax='2000' njmax='8000'/><compiler angle='radian'/><option timestep='{}' gravity='0 0 "
      "-{}'/>\n<default><geom "
      "friction='{} 0 0'/>"
      "</default>\n<asset>\n{}</asset>\n<worldbody>\n{}</worldbody></mujoco>",
      drop.step, drop.gravity, drop.friction, assets, bodies);
}

mjModel* load(const std::string& xml) {
  auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "drop.xml", static_cast<int>(xml.size()));
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  char error[1000] = "";
  mjModel* model = mj_loadXML("drop.xml", files.get(), error, sizeof(error));
  mj_deleteVFS(files.get());
  if (model == nullptr) throw SystemError(fmt::format("MuJoCo: {}", error));
  return model;
}

}  // namespace

DropRecord run_mujoco(const MeshDrop& drop) {
  mjModel* model = load(make_xml(drop));
  mjData* data = mj_makeData(model);
  DropRecord record{"MuJoCo 2.2", "convex hulls, container of boxes, default softness", {}};
  for (int n = 0; n < drop.num_steps(); ++n) {
    record.time += calc_cpu_time([&] { mj_step(model, data); });
    if ((n + 1) % drop.steps_a_sample != 0) continue;
    std::vector<DropState> sample;
    for (std::size_t i = 0; i < drop.bodies.size(); ++i) {
      const mjtNum *q = data->qpos + 7 * i, *v = data->qvel + 6 * i;
      const Quat R(q[3], q[4], q[5], q[6]);
      // Angular velocity is in the body's frame there.
      sample.push_back({Vec3(q[0], q[1], q[2]), Vec3(v[0], v[1], v[2]), R * Vec3(v[3], v[4], v[5]), R});
    }
    record.samples.push_back(sample);
  }
  mj_deleteData(data);
  mj_deleteModel(model);
  return record;
}

}  // namespace abut
#else
namespace abut {
DropRecord run_mujoco(const MeshDrop&) { return {"MuJoCo", "libmujoco-dev not found", {}, 0.0, false}; }
}  // namespace abut
#endif
