#pragma once

#include <pybind11/pybind11.h>

/// What the module `abut._abut` is made of: one function for each group of names. The package around it, in
/// python/abut, is Python (docs/python.md).
namespace abut {

namespace py = pybind11;

void bind_errors(py::module_& m);
void bind_scene(py::module_& m);
void bind_world(py::module_& m);
void bind_looks(py::module_& m);
void bind_record(py::module_& m);
void bind_study(py::module_& m);
void bind_laws(py::module_& m);
void bind_geometry(py::module_& m);
void bind_pair(py::module_& m);

}  // namespace abut
