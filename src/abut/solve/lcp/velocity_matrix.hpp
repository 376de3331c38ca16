#pragma once

#include <span>

#include "abut/solve/lcp/block_cholesky.hpp"
#include "abut/solve/lcp/constraint_system.hpp"

namespace abut {

/// Prepares the factorisation for the graph of the system's parts.
void analyze_velocity_matrix(const ConstraintSystem& system, BlockCholesky& cholesky);

/// M + J' D J with the diagonal D of row weights; rows of weight zero are left out. analyze_velocity_matrix must have
/// seen the same parts and groups.
void assemble_velocity_matrix(const ConstraintSystem& system, std::span<const double> row_weights,
                              BlockCholesky& cholesky);

}  // namespace abut
