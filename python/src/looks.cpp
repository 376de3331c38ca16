#include "looks.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "abut/contact.hpp"
#include "abut/geometry.hpp"
#include "arrays.hpp"
#include "bindings.hpp"

namespace abut {

namespace {

void put(const Vec3& v, double* to) { std::copy_n(v.data(), 3, to); }

template <auto Member>
auto view_member(const py::object& self) {
  auto& motion = self.cast<v0::Motion&>();
  return view_numpy((motion.*Member).data(), {static_cast<py::ssize_t>((motion.*Member).size())}, self);
}

void bind_motion(py::module_& m) {
  using v0::Motion;
  py::class_<Motion>(m, "Motion")
      .def(py::init([](const py::object& position, const py::object& orientation, const py::object& velocity,
                       const py::object& angular_velocity) {
             return Motion{to_numbers<3>(position, "position"), to_numbers<4>(orientation, "orientation"),
                           to_numbers<3>(velocity, "velocity"), to_numbers<3>(angular_velocity, "angular_velocity")};
           }),
           py::arg("position") = py::make_tuple(0.0, 0.0, 0.0),
           py::arg("orientation") = py::make_tuple(1.0, 0.0, 0.0, 0.0),
           py::arg("velocity") = py::make_tuple(0.0, 0.0, 0.0),
           py::arg("angular_velocity") = py::make_tuple(0.0, 0.0, 0.0))
      .def_property_readonly("position", &view_member<&Motion::position>)
      .def_property_readonly("orientation", &view_member<&Motion::orientation>)
      .def_property_readonly("velocity", &view_member<&Motion::velocity>)
      .def_property_readonly("angular_velocity", &view_member<&Motion::angular_velocity>)
      .def("__repr__", [](const Motion& self) {
        return fmt::format(
            "Motion(position=({:.6g}), orientation=({:.6g}), velocity=({:.6g}), angular_velocity=({:.6g}))",
            fmt::join(self.position, ", "), fmt::join(self.orientation, ", "), fmt::join(self.velocity, ", "),
            fmt::join(self.angular_velocity, ", "));
      });
}

void bind_energy(py::module_& m) {
  using v0::Energy;
  struct Entry {
    const char* name;
    double Energy::*member;
  };
  static constexpr Entry kEntries[] = {{"kinetic", &Energy::kinetic},
                                       {"gravitational", &Energy::gravitational},
                                       {"elastic", &Energy::elastic},
                                       {"bristle", &Energy::bristle},
                                       {"spring", &Energy::spring},
                                       {"damping", &Energy::damping},
                                       {"friction", &Energy::friction},
                                       {"viscous_friction", &Energy::viscous_friction},
                                       {"spring_damping", &Energy::spring_damping},
                                       {"joint_friction", &Energy::joint_friction},
                                       {"volume_hysteresis", &Energy::volume_hysteresis},
                                       {"time_stepping", &Energy::time_stepping},
                                       {"motor", &Energy::motor},
                                       {"prescribed_motion", &Energy::prescribed_motion},
                                       {"applied_force", &Energy::applied_force},
                                       {"relaxation", &Energy::relaxation},
                                       {"geometry", &Energy::geometry},
                                       {"residual", &Energy::residual}};
  py::class_<Energy> energy(m, "Energy");
  for (const Entry& entry : kEntries) energy.def_readonly(entry.name, entry.member);
  energy.def_property_readonly("stored", &Energy::stored)
      .def_property_readonly("dissipated", &Energy::dissipated)
      .def_property_readonly("supplied", &Energy::supplied)
      .def("to_dict",
           [](const Energy& self) {
             py::dict all;
             for (const Entry& entry : kEntries) all[entry.name] = self.*entry.member;
             return all;
           })
      .def("__repr__", [](const Energy& self) {
        std::string rows;
        for (const Entry& entry : kEntries) {
          if (self.*entry.member != 0.0) rows += fmt::format("{}={:.6g}, ", entry.name, self.*entry.member);
        }
        return fmt::format("Energy({}stored={:.6g}) [J]", rows, self.stored());
      });
}

}  // namespace

BodyRow to_row(const BodySample& sample) {
  BodyRow row;
  put(sample.position, row.position);
  const Quat& q = sample.orientation;
  const double numbers[4] = {q.w(), q.x(), q.y(), q.z()};
  std::copy_n(numbers, 4, row.orientation);
  put(sample.velocity, row.velocity);
  put(sample.angular_velocity, row.angular_velocity);
  return row;
}

py::array to_array_of_rows(const std::vector<ContactSample>& contacts) {
  py::array_t<ContactRow> rows(static_cast<py::ssize_t>(contacts.size()));
  ContactRow* row = rows.mutable_data();
  for (const ContactSample& c : contacts) {
    *row = {c.body_a, c.body_b, c.patch, c.sticking, c.depth, c.depth_rate, c.normal_force, {}, {}, {}, {}, {}};
    put(c.point, row->point);
    put(c.normal, row->normal);
    put(c.force, row->force);
    put(c.torque, row->torque);
    put(c.slip_velocity, row->slip_velocity);
    ++row;
  }
  return rows;
}

py::array to_array_of_rows(const std::vector<ContactEvent>& events) {
  py::array_t<EventRow> rows(static_cast<py::ssize_t>(events.size()));
  std::transform(events.begin(), events.end(), rows.mutable_data(), [](const ContactEvent& e) {
    return EventRow{e.time, static_cast<int>(e.kind), e.body_a, e.body_b, e.patch, e.normal_speed};
  });
  return rows;
}

void bind_looks(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(BodyRow, position, orientation, velocity, angular_velocity);
  PYBIND11_NUMPY_DTYPE(ContactRow, body_a, body_b, patch, is_sticking, depth, depth_rate, normal_force, point, normal,
                       force, torque, slip_velocity);
  PYBIND11_NUMPY_DTYPE(EventRow, time, kind, body_a, body_b, patch, normal_speed);
  bind_motion(m);
  bind_energy(m);
}

}  // namespace abut
