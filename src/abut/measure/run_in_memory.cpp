#include "abut/measure/run_in_memory.hpp"

#include "abut/sim/simulate.hpp"

namespace abut {

MeasureNames make_measure_names(const Model& model) {
  MeasureNames names;
  for (const BodySpec& body : model.scene.body) names.bodies.push_back(body.name);
  for (const NamedJoint& joint : model.joints) names.joints.push_back(joint.name);
  names.reaction_of_joint.assign(model.joints.size(), -1);
  for (std::size_t s = 0; s < model.sensors.size(); ++s) {
    names.sensors.push_back(model.sensors[s].name);
    const auto* reaction = std::get_if<ReactionPlan>(&model.sensors[s].kind);
    if (reaction == nullptr || reaction->part != ReactionSensorSpec::Part::total) continue;
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
      if (model.joints[j].link == reaction->link && names.reaction_of_joint[j] < 0)
        names.reaction_of_joint[j] = static_cast<int>(s);
    }
  }
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
