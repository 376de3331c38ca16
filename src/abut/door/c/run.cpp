#include "abut/c_world.h"
#include "abut/door/c/objects.hpp"

using abut::c::Call;
using abut::c::enter;
using abut::c::RunObject;

abut_status abut_run_make(const abut_model* model, abut_run** out) {
  return enter(__func__, [&](Call& call) {
    *call.given(out, "run") = nullptr;
    abut::v0::MeasuredRun run(call.read<abut::c::ModelObject>(model).model);
    const abut::v0::StepReport report = run.report();
    call.make<RunObject>(out, std::move(run));
    return report.is_ok() ? ABUT_OK : call.stop(report.message);
  });
}

abut_status abut_run_measure(const abut_run* handle, const char* expression, const abut_run* reference, double* value) {
  return enter(__func__, [&](Call& call) {
    const RunObject& object = call.read<RunObject>(handle);
    call.given(value, "value");
    call.given(expression, "expression");
    *value = reference == nullptr ? object.run.measure(expression)
                                  : object.run.measure(expression, call.read<RunObject>(reference).run);
    return ABUT_OK;
  });
}

abut_status abut_run_time(const abut_run* handle, double* time) {
  return enter(__func__, [&](Call& call) {
    *call.given(time, "time") = call.read<RunObject>(handle).run.report().time;
    return ABUT_OK;
  });
}

abut_status abut_run_free(abut_run* handle) {
  return enter(__func__, [&](Call& call) { return call.free<RunObject>(handle), ABUT_OK; });
}
