#include "abut/version.hpp"
#include "bindings.hpp"

namespace abut {

namespace {

void make_module(py::module_& m) {
  m.doc() = "The compiled part of abut; use the package abut.";
  m.attr("__version__") = ABUT_VERSION;
  bind_errors(m);
  bind_scene(m);
  bind_looks(m);
  bind_world(m);
  bind_record(m);
  bind_study(m);
  bind_laws(m);
  bind_geometry(m);
  bind_pair(m);
}

PyObject* create_module() {
  PYBIND11_CHECK_PYTHON_VERSION
  PYBIND11_ENSURE_INTERNALS_READY
  static py::module_::module_def definition;
  auto m = py::module_::create_extension_module("_abut", nullptr, &definition);
  try {
    make_module(m);
    return m.ptr();
  }
  PYBIND11_CATCH_INIT_EXCEPTIONS
}

}  // namespace

}  // namespace abut

// What PYBIND11_MODULE writes, after a question that has to come first: types and exceptions belong to one interpreter,
// and in another one of the process pybind11 waits for a lock that never comes.
extern "C" PYBIND11_EXPORT PyObject* PyInit__abut();
extern "C" PYBIND11_EXPORT PyObject* PyInit__abut() {
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    PyErr_SetString(PyExc_ImportError, "abut works in the main interpreter of a process only, not in a subinterpreter");
    return nullptr;
  }
  return abut::create_module();
}
