#pragma once

#include <vector>

#include <pybind11/pybind11.h>

#include "abut/scene.hpp"

namespace abut {

/// Every key of the scene with its value as a run takes it: given or default, None where a rule chooses. Keys are
/// those of TOML.
pybind11::dict to_dict(const v0::Scene& scene);

/// The tables of fields as data: {"body": {"doc": ..., "fields": [{"key": "mass", "unit": "kg", ...}]}, ...}. Tables
/// that a word chooses stand under "body.shape.sphere".
pybind11::dict make_field_tables();

/// {path: value} as the door takes it.
std::vector<v0::Change> to_changes(const pybind11::dict& values);

}  // namespace abut
