#include "abut/sim/method_row.hpp"

namespace abut {

namespace {

constexpr std::array<const MethodRow*, kMethods.size()> kRows = {&kAdaptiveRow, &kExplicitRow, &kLcpRow, &kNcpRow,
                                                                 &kMicroRow};

}  // namespace

std::span<const MethodRow* const> method_rows() { return kRows; }

const MethodRow& method_row(MethodKind kind) { return *kRows[static_cast<std::size_t>(kind)]; }

}  // namespace abut
