#include <optional>
#include <string>

#include <pybind11/stl.h>

#include "abut/door/convert.hpp"
#include "arrays.hpp"
#include "bindings.hpp"
#include "world_object.hpp"

namespace abut {

namespace {

py::bytes to_bytes(const v0::State& state) {
  const std::span<const std::byte> bytes = state.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

v0::State to_state(const py::bytes& given) {
  const std::string_view text = given;
  return v0::State::from_bytes(std::as_bytes(std::span(text.data(), text.size())));
}

void bind_state(py::module_& m) {
  using v0::State;
  py::class_<State>(m, "State")
      .def(py::init(&to_state), py::arg("data"))
      .def_property_readonly("time", &State::time)
      .def("__bytes__", &to_bytes)
      .def("__repr__",
           [](const State& self) {
             return fmt::format("<abut.State at {:.6g} s, {} bytes>", self.time(), self.bytes().size());
           })
      .def(
          "__eq__", [](const State& a, const State& b) { return a == b; }, py::is_operator())
      .def("__hash__", &State::hash)
      .def(py::pickle([](const State& state) { return py::make_tuple(to_bytes(state)); },
                      [](const py::tuple& parts) { return to_state(parts[0].cast<py::bytes>()); }));
}

void set_force(WorldObject& world, std::string_view body, const py::object& force, const py::object& torque,
               const py::object& point) {
  const auto take = [](const py::object& given, const char* what) {
    return given.is_none() ? Vec3(Vec3::Zero()) : to_vec3(given, what);
  };
  world.look().set_force(body, {take(force, "force"), take(torque, "torque"), take(point, "point")});
}

py::array show_bodies(const py::object& self) {
  const std::vector<BodyRow>& rows = self.cast<WorldObject&>().bodies();
  py::array_t<BodyRow> array({static_cast<py::ssize_t>(rows.size())}, rows.data(), self);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

template <auto Getter>
py::array show_numbers(const py::object& self) {
  const std::vector<double>& numbers = (self.cast<WorldObject&>().*Getter)();
  return view_numpy(numbers.data(), {static_cast<py::ssize_t>(numbers.size())}, self);
}

}  // namespace

void bind_world(py::module_& m) {
  bind_state(m);
  using W = WorldObject;
  py::class_<W>(m, "World")
      .def(py::init<const v0::Model&, int>(), py::arg("model"), py::arg("threads") = 0)
      .def(py::init<W&>(), py::arg("world"))
      .def_property_readonly("time", &W::time)
      .def("step", &W::step)
      .def("advance", &W::advance, py::arg("time"))
      .def(
          "body", [](W& w, std::string_view name) { return to_motion(w.look().body(name)); }, py::arg("name"))
      .def_property_readonly("bodies", &show_bodies)
      .def_property_readonly("contacts", [](W& w) { return to_array_of_rows(w.look().contacts()); })
      .def_property_readonly("energy", [](W& w) { return w.door().energy(); })
      .def_property_readonly("coordinates", &show_numbers<&W::coordinates>)
      .def_property_readonly("velocities", &show_numbers<&W::velocities>)
      .def(
          "joint_position", [](W& w, std::string_view joint) { return w.look().joint_position(joint); },
          py::arg("joint"))
      .def(
          "joint_velocity", [](W& w, std::string_view joint) { return w.look().joint_velocity(joint); },
          py::arg("joint"))
      .def(
          "sensor",
          [](W& w, std::string_view name) {
            const std::span<const double> shown = w.look().sensor(name);
            std::vector<double> numbers(shown.begin(), shown.end());
            const auto count = static_cast<py::ssize_t>(numbers.size());
            return to_numpy(std::move(numbers), {count});
          },
          py::arg("name"))
      .def("take_events", [](W& w) { return to_array_of_rows(w.look().take_events()); })
      .def("set_force", &set_force, py::arg("body"), py::arg("force") = py::none(), py::arg("torque") = py::none(),
           py::arg("point") = py::none())
      .def(
          "set_command", [](W& w, std::string_view joint, double value) { w.look().set_command(joint, value); },
          py::arg("joint"), py::arg("value"))
      .def(
          "set_motion",
          [](W& w, std::string_view joint, double time, double position, double rate) {
            w.look().set_motion(joint, time, position, rate);
          },
          py::arg("joint"), py::arg("time"), py::arg("position"), py::arg("rate") = 0.0)
      .def("clear_inputs", [](W& w) { w.look().clear_inputs(); })
      .def("save", [](W& w) { return w.door().state(); })
      .def("load", &W::load, py::arg("state"))
      .def("start_recording", &W::start_recording, py::arg("path"))
      .def("stop_recording", &W::stop_recording)
      .def_property_readonly("is_recording", &W::is_recording)
      .def_property_readonly("_model", [](W& w) { return w.door().model(); })
      .def_property_readonly("body_names", [](W& w) { return w.door().model().scene().body_names(); })
      .def_property_readonly("joint_names", [](W& w) { return w.door().model().scene().joint_names(); });
}

}  // namespace abut
