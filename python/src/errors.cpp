#include "abut/errors.hpp"

#include <exception>

#include <pybind11/stl.h>

#include "bindings.hpp"

namespace abut {

namespace {

/// The classes are Python (abut/errors.py), so that they look and pickle like any others there.
py::object find_class(const char* name) { return py::module_::import("abut.errors").attr(name); }

void raise_error(const char* name, const py::object& error) { PyErr_SetObject(find_class(name).ptr(), error.ptr()); }

py::list to_mistakes(const InputError& error) {
  const py::object make = find_class("Mistake");
  py::list mistakes;
  for (const Mistake& m : error.mistakes())
    mistakes.append(make(m.file, m.line, m.column, m.message, m.hint, m.found, m.allowed));
  return mistakes;
}

void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    raise_error("InputError", find_class("InputError")(error.what(), to_mistakes(error)));
  } catch (const SystemError& error) {
    raise_error("SystemError", find_class("SystemError")(error.what()));
  } catch (const InvariantError& error) {
    raise_error("InvariantError", find_class("InvariantError")(error.what()));
  }
}

}  // namespace

void bind_errors(py::module_&) { py::register_exception_translator(&translate); }

}  // namespace abut
