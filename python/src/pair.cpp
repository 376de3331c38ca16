#include <string_view>
#include <vector>

#include <pybind11/stl.h>

#include "abut/contact_pair.hpp"
#include "arrays.hpp"
#include "bindings.hpp"

namespace abut {

namespace {

py::dict to_dict(const v0::Contact& c) {
  using namespace py::literals;
  const auto vector = [](const v0::Vector3& v) { return py::array_t<double>(3, v.data()); };
  return py::dict("body_a"_a = c.body_a, "body_b"_a = c.body_b, "patch"_a = c.patch, "depth"_a = c.depth,
                  "depth_rate"_a = c.depth_rate, "point"_a = vector(c.point), "normal"_a = vector(c.normal),
                  "force"_a = vector(c.force), "torque"_a = vector(c.torque), "normal_force"_a = c.normal_force,
                  "slip_velocity"_a = vector(c.slip_velocity), "is_sticking"_a = c.is_sticking);
}

py::list to_list(const std::vector<v0::ContactEvent>& events) {
  using namespace py::literals;
  static constexpr const char* kKinds[] = {"touch", "lift", "stick", "slip"};
  py::list list;
  for (const v0::ContactEvent& e : events)
    list.append(py::dict("time"_a = e.time, "kind"_a = kKinds[static_cast<int>(e.kind)], "body_a"_a = e.body_a,
                         "body_b"_a = e.body_b, "patch"_a = e.patch, "normal_speed"_a = e.normal_speed));
  return list;
}

template <auto Wrench, auto Part>
py::array show(const py::object& self) {
  const auto& vector = (self.cast<v0::PairForce&>().*Wrench).*Part;
  return view_numpy(vector.data(), {3}, self);
}

std::vector<double> to_list_of_numbers(const DoubleArray& array) { return {array.data(), array.data() + array.size()}; }

}  // namespace

void bind_pair(py::module_& m) {
  using v0::ContactPair;
  using v0::Motion;
  using v0::PairForce;
  using v0::PairState;
  py::class_<PairState>(m, "PairState")
      .def(py::init<const PairState&>(), py::arg("state"))
      .def_property(
          "numbers",
          [](const PairState& s) {
            return py::array_t<double>(static_cast<py::ssize_t>(s.numbers.size()), s.numbers.data());
          },
          [](PairState& s, const DoubleArray& numbers) { s.numbers = to_list_of_numbers(numbers); });
  py::class_<PairForce>(m, "PairForce")
      .def_property_readonly("force_on_a", &show<&PairForce::on_a, &v0::Wrench::force>)
      .def_property_readonly("torque_on_a", &show<&PairForce::on_a, &v0::Wrench::torque>)
      .def_property_readonly("force_on_b", &show<&PairForce::on_b, &v0::Wrench::force>)
      .def_property_readonly("torque_on_b", &show<&PairForce::on_b, &v0::Wrench::torque>)
      .def_property_readonly("rates",
                             [](const py::object& self) {
                               const auto& rates = self.cast<PairForce&>().rates;
                               return view_numpy(rates.data(), {static_cast<py::ssize_t>(rates.size())}, self);
                             })
      .def_property_readonly("contacts", [](const PairForce& f) {
        py::list list;
        for (const v0::Contact& c : f.contacts) list.append(to_dict(c));
        return list;
      });
  py::class_<ContactPair>(m, "ContactPair")
      .def(py::init<const v0::Scene&, std::string_view, std::string_view>(), py::arg("scene"), py::arg("body_a"),
           py::arg("body_b"))
      .def("start", &ContactPair::start)
      .def(
          "begin_step",
          [](ContactPair& pair, PairState& state, double time, double step, const Motion& a, const Motion& b) {
            return to_list(pair.begin_step(state, time, step, a, b));
          },
          py::arg("state"), py::arg("time"), py::arg("step"), py::arg("a"), py::arg("b"))
      .def(
          "evaluate",
          [](ContactPair& pair, const PairState& state, double time, const Motion& a, const Motion& b,
             const py::object& numbers) {
            if (numbers.is_none()) return pair.evaluate(state, time, a, b);
            return pair.evaluate(state, time, a, b, to_list_of_numbers(DoubleArray::ensure(numbers)));
          },
          py::arg("state"), py::arg("time"), py::arg("a"), py::arg("b"), py::arg("numbers") = py::none())
      .def(
          "jacobian",
          [](ContactPair& pair, const PairState& state, double time, const Motion& a, const Motion& b,
             const py::object& numbers) {
            using namespace py::literals;
            std::vector<double> given;
            if (!numbers.is_none()) given = to_list_of_numbers(DoubleArray::ensure(numbers));
            const v0::PairJacobian found = pair.jacobian(state, time, a, b, given);
            const auto matrix = [](const v0::PairJacobian::Matrix& rows) {
              return py::array_t<double>({12, 12}, rows.front().data());
            };
            return py::dict("by_a"_a = matrix(found.by_a), "by_b"_a = matrix(found.by_b),
                            "error_by_a"_a = matrix(found.error_by_a), "error_by_b"_a = matrix(found.error_by_b));
          },
          py::arg("state"), py::arg("time"), py::arg("a"), py::arg("b"), py::arg("numbers") = py::none(),
          "Derivatives of force and torque on a, force and torque on b (rows) by position, rotation, velocity and "
          "angular "
          "velocity of one body (columns), with what each may be wrong by.")
      .def("end_step", &ContactPair::end_step, py::arg("state"), py::arg("time"))
      .def("gap", &ContactPair::gap, py::arg("a"), py::arg("b"))
      .def(
          "energy",
          [](ContactPair& pair, const PairState& state, double time, const Motion& a, const Motion& b) {
            return pair.energy(state, time, a, b);
          },
          py::arg("state"), py::arg("time"), py::arg("a"), py::arg("b"));
}

}  // namespace abut
