#include <string>
#include <variant>

#include <pybind11/stl.h>

#include "abut/contact/law/friction_defaults.hpp"
#include "abut/contact/law/friction_law.hpp"
#include "abut/contact/law/normal_defaults.hpp"
#include "abut/door/parts.hpp"
#include "abut/scene/law_catalogue.hpp"
#include "arrays.hpp"
#include "bindings.hpp"

namespace abut {

namespace {

// Arrays come flat, of equal sizes, from abut/laws.py, which knows their shapes.

void require_equal(std::initializer_list<py::ssize_t> sizes) {
  for (const py::ssize_t size : sizes) {
    if (size != *sizes.begin()) throw InputError("arrays of unequal sizes");
  }
}

/// A normal law with its parameters, resolved as for a contact of a scene.
struct LawOfNormalForce {
  NormalLawParameters parameters;

  NormalCoefficients touch(double speed, double effective_mass) const {
    if (!parameters.stiffness)
      throw InputError(
          "a law by itself needs its stiffness: young and poisson need the curvature of a contact as well");
    return make_normal_coefficients(parameters, *parameters.stiffness, speed, effective_mass);
  }

  /// One touch for all points.
  void calc(const DoubleArray& depth, const DoubleArray& rate, double speed, double effective_mass,
            py::array_t<double, py::array::c_style>& out) const {
    require_equal({depth.size(), rate.size(), out.size()});
    const NormalCoefficients c = touch(speed, effective_mass);
    const double *x = depth.data(), *v = rate.data();
    double* f = out.mutable_data();
    const py::ssize_t count = out.size();
    const py::gil_scoped_release free;
    for (py::ssize_t i = 0; i < count; ++i) f[i] = calc_normal_force(c, x[i], v[i]).total;
  }

  /// A touch of its own for each point.
  void calc_each(const DoubleArray& depth, const DoubleArray& rate, const DoubleArray& speed, const DoubleArray& mass,
                 py::array_t<double, py::array::c_style>& out) const {
    require_equal({depth.size(), rate.size(), speed.size(), mass.size(), out.size()});
    const double *x = depth.data(), *v = rate.data(), *v0 = speed.data(), *m = mass.data();
    double* f = out.mutable_data();
    const py::ssize_t count = out.size();
    const py::gil_scoped_release free;
    for (py::ssize_t i = 0; i < count; ++i) f[i] = calc_normal_force(touch(v0[i], m[i]), x[i], v[i]).total;
  }
};

struct LawOfFriction {
  FrictionParameters parameters;

  /// Rows of `deflection` are vectors; `force`, `deflection_rate` (n x 3), `dwell`, `dwell_rate`, `sticking` (n) are
  /// filled in.
  void calc(const DoubleArray& load, const DoubleArray& slip, const DoubleArray& deflection, const DoubleArray& dwell,
            const py::object& normal, double effective_mass, double max_rate, py::array_t<double>& force,
            py::array_t<double>& deflection_rate, py::array_t<double>& dwell_now, py::array_t<double>& dwell_rate,
            py::array_t<bool>& sticking) const {
    require_equal({load.size(), dwell.size(), dwell_now.size(), dwell_rate.size(), sticking.size()});
    require_equal({3 * load.size(), slip.size(), deflection.size(), force.size(), deflection_rate.size()});
    const Vec3 n = to_vec3(normal, "normal").normalized();
    const double *fn = load.data(), *vt = slip.data(), *z = deflection.data(), *s = dwell.data();
    double *f = force.mutable_data(), *z_rate = deflection_rate.mutable_data();
    double *s_now = dwell_now.mutable_data(), *s_rate = dwell_rate.mutable_data();
    bool* is_stuck = sticking.mutable_data();
    const py::ssize_t count = load.size();
    const py::gil_scoped_release free;
    std::visit(
        [&](const auto& law) {
          for (py::ssize_t i = 0; i < count; ++i) {
            const double states[4] = {z[3 * i], z[3 * i + 1], z[3 * i + 2], s[i]};
            const FrictionInput input{states, max_rate, effective_mass};
            const Vec3 velocity = tangential(Vec3(vt[3 * i], vt[3 * i + 1], vt[3 * i + 2]), n);
            const FrictionRates out = calc_friction(law, input, n, fn[i], velocity);
            Eigen::Map<Vec3>(f + 3 * i) = out.force;
            Eigen::Map<Vec3>(z_rate + 3 * i) = out.z_rate;
            s_now[i] = out.dwell;
            s_rate[i] = out.dwell_rate;
            is_stuck[i] = out.sticking;
          }
        },
        parameters);
  }
};

/// The laws of the scene's first contact, every parameter resolved.
LawOfNormalForce take_normal_law(const v0::Scene& scene) {
  const NormalResolution resolved = resolve_normal(v0::Inside::parts(scene).spec.contact.at(0).normal.value());
  validate(resolved.parameters);
  return {resolved.parameters};
}

LawOfFriction take_friction_law(const v0::Scene& scene) {
  const SceneSpec& spec = v0::Inside::parts(scene).spec;
  return std::visit(
      [&](const auto& law) { return LawOfFriction{resolve_friction(law, spec.gravity.norm()).parameters}; },
      spec.contact.at(0).friction.value().law);
}

py::list list_laws() {
  using namespace py::literals;
  py::list laws;
  for (const LawEntry& law : law_catalogue()) {
    py::list keys;
    for (const LawKey& key : law.keys)
      keys.append(py::dict("key"_a = key.key, "symbol"_a = key.symbol, "unit"_a = key.unit, "range"_a = key.range,
                           "otherwise"_a = key.otherwise, "doc"_a = key.doc));
    laws.append(py::dict("name"_a = law.text.name, "family"_a = law.family, "doc"_a = law.text.doc,
                         "equation"_a = law.text.equation, "limits"_a = law.text.limits, "source"_a = law.text.source,
                         "keys"_a = keys));
  }
  return laws;
}

}  // namespace

void bind_laws(py::module_& m) {
  py::class_<LawOfNormalForce>(m, "NormalLaw")
      .def(py::init(&take_normal_law), py::arg("scene"))
      .def("calc", &LawOfNormalForce::calc)
      .def("calc_each", &LawOfNormalForce::calc_each)
      .def(
          "coefficients",
          [](const LawOfNormalForce& law, double speed, double effective_mass) {
            const NormalCoefficients c = law.touch(speed, effective_mass);
            return py::make_tuple(c.stiffness, c.exponent, c.damping, c.damping_exponent);
          },
          py::arg("impact_speed"), py::arg("effective_mass"));
  py::class_<LawOfFriction>(m, "FrictionLaw")
      .def(py::init(&take_friction_law), py::arg("scene"))
      .def("calc", &LawOfFriction::calc);
  m.def("list_laws", &list_laws);
}

}  // namespace abut
