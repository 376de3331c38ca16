#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>

#include "abut/errors.hpp"
#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"

/// Numbers between numpy and the library.
namespace abut {

namespace py = pybind11;

using DoubleArray = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// Three or four numbers of any sequence; `what` is for the message.
template <std::size_t N>
std::array<double, N> to_numbers(const py::handle& given, const char* what) {
  const auto refuse = [what]() { throw InputError(std::string(what) + " needs " + std::to_string(N) + " numbers"); };
  std::array<double, N> numbers{};
  if (PyTuple_Check(given.ptr()) || PyList_Check(given.ptr())) {  // without the detour over an array
    if (PySequence_Fast_GET_SIZE(given.ptr()) != static_cast<Py_ssize_t>(N)) refuse();
    for (std::size_t i = 0; i < N; ++i) {
      numbers[i] = PyFloat_AsDouble(PySequence_Fast_GET_ITEM(given.ptr(), static_cast<Py_ssize_t>(i)));
      if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    }
    return numbers;
  }
  const DoubleArray array = DoubleArray::ensure(given);
  if (!array) throw py::error_already_set();
  if (array.size() != static_cast<py::ssize_t>(N)) refuse();
  std::copy_n(array.data(), N, numbers.begin());
  return numbers;
}

inline Vec3 to_vec3(const py::handle& given, const char* what) {
  const std::array<double, 3> n = to_numbers<3>(given, what);
  return {n[0], n[1], n[2]};
}

/// From a position and a quaternion (w, x, y, z), which need not have length 1 to the last digit.
inline Pose to_pose(const py::handle& position, const py::handle& orientation) {
  const std::array<double, 4> q = to_numbers<4>(orientation, "an orientation");
  const Quat quat(q[0], q[1], q[2], q[3]);
  if (!(std::abs(quat.norm() - 1.0) <= 1e-6)) throw InputError("an orientation is a quaternion of length 1");
  return {quat.normalized(), to_vec3(position, "a position")};
}

/// Hands the numbers over without copying them.
inline py::array to_numpy(std::vector<double> values, std::vector<py::ssize_t> shape) {
  auto kept = std::make_unique<std::vector<double>>(std::move(values));
  double* data = kept->data();
  const py::capsule owner(kept.get(), [](void* p) { delete static_cast<std::vector<double>*>(p); });
  kept.release();
  return py::array_t<double>(std::move(shape), data, owner);
}

/// Shows numbers that `owner` keeps at one place: read-only, no copy.
inline py::array view_numpy(const double* data, std::vector<py::ssize_t> shape, const py::handle& owner) {
  py::array_t<double> array(std::move(shape), data, owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

inline py::array to_numpy(const Vec3& v) { return py::array_t<double>(3, v.data()); }
inline py::array to_numpy(const Mat3& m) {
  py::array_t<double> out({3, 3});
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) out.mutable_at(i, k) = m(i, k);
  }
  return out;
}

}  // namespace abut
