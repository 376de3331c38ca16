#pragma once

/// Everything that relates forces and motion of a tree, in one include.
#include "abut/multibody/configuration.hpp"
#include "abut/multibody/effective_mass.hpp"
#include "abut/multibody/energy.hpp"
#include "abut/multibody/forward_dynamics.hpp"
#include "abut/multibody/inverse_dynamics.hpp"
#include "abut/multibody/jacobian.hpp"
#include "abut/multibody/joint_wrenches.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/mass_matrix.hpp"
#include "abut/multibody/tree.hpp"
#include "abut/multibody/tree_check.hpp"
#include "abut/multibody/wrench.hpp"
