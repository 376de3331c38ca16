#include "abut/measure.hpp"

#include <utility>

#include "abut/door/guard.hpp"
#include "abut/door/parts.hpp"
#include "abut/measure/evaluate.hpp"
#include "abut/measure/run_in_memory.hpp"
#include "abut/measure/summary_json.hpp"
#include "abut/scene/problem_list.hpp"
#include "abut/version.hpp"

namespace abut::v0 {

struct MeasuredRun::Parts {
  Model model;
  RunRecord record;
};

MeasuredRun::MeasuredRun(const Model& model)
    : parts_(guard_door([&] {
        return std::make_shared<const Parts>(Parts{model, run_in_memory(*Inside::parts(model).model)});
      })) {}

StepReport MeasuredRun::report() const {
  const RunSummary& summary = parts_->record.summary();
  if (summary.status == RunStatus::done) return {summary.time_reached, {}, summary.advice};
  return {summary.time_reached, summary.message.empty() ? "it could not go on" : summary.message, summary.advice};
}

double MeasuredRun::measure(std::string_view expression, const Parts* reference) const {
  const abut::Model& model = *Inside::parts(parts_->model).model;
  return guard_door([&] {
    try {
      const MeasureNames names = make_measure_names(model);
      const Expression measure = parse_expression(expression, &names);
      if (reference == nullptr && asks_for(Function::reference, measure))
        throw InputError("'reference(...)' needs the run that it reads");
      return evaluate_measure(measure, &parts_->record, reference == nullptr ? nullptr : &reference->record);
    } catch (const ExpressionError& error) {
      const SourceLocation where{"measure", 1, static_cast<int>(error.offset()) + 1, static_cast<int>(error.length())};
      throw to_input_error({{where, error.what(), {}}});
    } catch (const MeasureError& error) {
      throw InputError(error.what());
    }
  });
}

double MeasuredRun::measure(std::string_view expression) const { return measure(expression, nullptr); }

double MeasuredRun::measure(std::string_view expression, const MeasuredRun& reference) const {
  return guard_door([&] {
    const MeasureNames own = make_measure_names(*Inside::parts(parts_->model).model);
    const MeasureNames other = make_measure_names(*Inside::parts(reference.parts_->model).model);
    if (own.bodies != other.bodies || own.joints != other.joints)
      throw InputError("the run of the reference has other bodies or joints");
    return measure(expression, reference.parts_.get());
  });
}

std::string MeasuredRun::summary() const {
  return guard_door([&] {
    const abut::Model& model = *Inside::parts(parts_->model).model;
    return summary_to_json(parts_->record.summary(), model, model.scene.title, ABUT_VERSION);
  });
}

}  // namespace abut::v0
