#include "abut/measure/run_in_memory.hpp"

#include "abut/sim/simulate.hpp"

namespace abut {

MeasureNames make_measure_names(const Model& model) {
  MeasureNames names;
  for (const BodySpec& body : model.scene.body) names.bodies.push_back(body.name);
  for (const NamedJoint& joint : model.joints) names.joints.push_back(joint.name);
  return names;
}

RunRecord run_in_memory(const Model& model) {
  RunRecord record;
  record.begin(make_record_layout(model, "", ""));
  record.set_summary(simulate(model, record));
  record.finish("");
  return record;
}

}  // namespace abut
