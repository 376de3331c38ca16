#include "abut/scene.hpp"

#include <string>
#include <variant>
#include <vector>

#include <pybind11/stl.h>

#include "abut/model.hpp"
#include "abut/scene/scene_path.hpp"
#include "arrays.hpp"
#include "bindings.hpp"
#include "scene_values.hpp"

namespace abut {

namespace {

/// Flat, whatever the nesting: inertias may be given as 3 rows of 3.
v0::Value to_number_list(const py::handle& given) {
  const DoubleArray array = DoubleArray::ensure(given);
  if (!array) throw py::error_already_set();
  return std::vector<double>(array.data(), array.data() + array.size());
}

v0::Value to_value(const py::handle& given) {
  if (PyBool_Check(given.ptr())) return given.cast<bool>();
  if (PyUnicode_Check(given.ptr())) return given.cast<std::string>();
  if (PyIndex_Check(given.ptr()) && !py::isinstance<py::array>(given)) return given.cast<int>();
  if (PyFloat_Check(given.ptr())) return given.cast<double>();
  if (py::isinstance<py::sequence>(given) && py::len(given) > 0 &&
      PyUnicode_Check(py::sequence(py::reinterpret_borrow<py::object>(given))[0].ptr()))
    return given.cast<std::vector<std::string>>();
  return to_number_list(given);
}

}  // namespace

std::vector<v0::Change> to_changes(const py::dict& values) {
  std::vector<v0::Change> changes;
  for (const auto& [path, value] : values) changes.push_back({py::str(path), to_value(value)});
  return changes;
}

void bind_scene(py::module_& m) {
  using v0::Model;
  using v0::Scene;
  py::class_<Scene>(m, "Scene")
      .def(py::init([](const std::string& text, const std::string& name, const std::vector<std::string>& changes) {
             const py::gil_scoped_release free;  // meshes take a while
             return Scene::read_text(text, name, changes);
           }),
           py::arg("text"), py::arg("name") = "scene", py::arg("changes") = std::vector<std::string>())
      .def(py::init<const Scene&>())
      .def("to_toml", &Scene::to_toml)
      .def("all_values", [](const Scene& scene) { return to_dict(scene); })
      .def(
          "set",
          [](Scene& scene, const std::string& path, const py::handle& value) { scene.set(path, to_value(value)); },
          py::arg("path"), py::arg("value"))
      .def_property_readonly("title", &Scene::title)
      .def_property_readonly("duration", &Scene::duration)
      .def_property_readonly("body_names", &Scene::body_names)
      .def_property_readonly("joint_names", &Scene::joint_names);
  py::class_<Model>(m, "Model")
      .def(py::init([](const Scene& scene) {
             const py::gil_scoped_release free;
             return Model(scene);
           }),
           py::arg("scene"))
      .def(py::init<const Model&>())
      .def(
          "changed",
          [](const Model& model, const py::dict& values) {
            const std::vector<v0::Change> changes = to_changes(values);
            const py::gil_scoped_release free;
            return model.with(changes);
          },
          py::arg("values"))
      .def_property_readonly("_scene", &Model::scene)
      .def_property_readonly("fingerprint", &Model::fingerprint);
  m.def("split_path", [](const std::string& path) { return split_path(path); });
  m.def("field_tables", &make_field_tables);
}

}  // namespace abut
