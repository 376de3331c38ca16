// FMI 3.0: functions that have to be there and that this unit has no use for [Modelica Association 2022]. Each says
// why, and fails.
#include "fmi3_instance.hpp"

using abut::fmi::refuse3;

#define ABUT_FMI3_ABSENT(function, why, ...)                                              \
  ABUT_FMI_EXPORT fmi3Status function(fmi3Instance instance __VA_OPT__(, ) __VA_ARGS__) { \
    return refuse3(instance, #function, why);                                             \
  }

ABUT_FMI3_ABSENT(fmi3EnterConfigurationMode, "it has no structural parameters")
ABUT_FMI3_ABSENT(fmi3ExitConfigurationMode, "it has no structural parameters")
ABUT_FMI3_ABSENT(fmi3EvaluateDiscreteStates, "it does not offer this")
ABUT_FMI3_ABSENT(fmi3GetNumberOfVariableDependencies, "dependencies of single numbers are not offered",
                 fmi3ValueReference, std::size_t*)
ABUT_FMI3_ABSENT(fmi3GetVariableDependencies, "dependencies of single numbers are not offered", fmi3ValueReference,
                 std::size_t[], fmi3ValueReference[], std::size_t[], fmi3DependencyKind[], std::size_t)
ABUT_FMI3_ABSENT(fmi3GetDirectionalDerivative, "it offers no derivatives", const fmi3ValueReference[], std::size_t,
                 const fmi3ValueReference[], std::size_t, const fmi3Float64[], std::size_t, fmi3Float64[], std::size_t)
ABUT_FMI3_ABSENT(fmi3GetAdjointDerivative, "it offers no derivatives", const fmi3ValueReference[], std::size_t,
                 const fmi3ValueReference[], std::size_t, const fmi3Float64[], std::size_t, fmi3Float64[], std::size_t)
ABUT_FMI3_ABSENT(fmi3GetOutputDerivatives, "it offers no derivatives", const fmi3ValueReference[], std::size_t,
                 const fmi3Int32[], fmi3Float64[], std::size_t)
ABUT_FMI3_ABSENT(fmi3GetClock, "it has no clocks", const fmi3ValueReference[], std::size_t, fmi3Clock[])
ABUT_FMI3_ABSENT(fmi3SetClock, "it has no clocks", const fmi3ValueReference[], std::size_t, const fmi3Clock[])
ABUT_FMI3_ABSENT(fmi3GetIntervalDecimal, "it has no clocks", const fmi3ValueReference[], std::size_t, fmi3Float64[],
                 fmi3IntervalQualifier[])
ABUT_FMI3_ABSENT(fmi3GetIntervalFraction, "it has no clocks", const fmi3ValueReference[], std::size_t, fmi3UInt64[],
                 fmi3UInt64[], fmi3IntervalQualifier[])
ABUT_FMI3_ABSENT(fmi3GetShiftDecimal, "it has no clocks", const fmi3ValueReference[], std::size_t, fmi3Float64[])
ABUT_FMI3_ABSENT(fmi3GetShiftFraction, "it has no clocks", const fmi3ValueReference[], std::size_t, fmi3UInt64[],
                 fmi3UInt64[])
ABUT_FMI3_ABSENT(fmi3SetIntervalDecimal, "it has no clocks", const fmi3ValueReference[], std::size_t,
                 const fmi3Float64[])
ABUT_FMI3_ABSENT(fmi3SetIntervalFraction, "it has no clocks", const fmi3ValueReference[], std::size_t,
                 const fmi3UInt64[], const fmi3UInt64[])
ABUT_FMI3_ABSENT(fmi3SetShiftDecimal, "it has no clocks", const fmi3ValueReference[], std::size_t, const fmi3Float64[])
ABUT_FMI3_ABSENT(fmi3SetShiftFraction, "it has no clocks", const fmi3ValueReference[], std::size_t, const fmi3UInt64[],
                 const fmi3UInt64[])
ABUT_FMI3_ABSENT(fmi3EnterContinuousTimeMode, "it is for co-simulation only")
ABUT_FMI3_ABSENT(fmi3CompletedIntegratorStep, "it is for co-simulation only", fmi3Boolean, fmi3Boolean*, fmi3Boolean*)
ABUT_FMI3_ABSENT(fmi3SetTime, "it is for co-simulation only", fmi3Float64)
ABUT_FMI3_ABSENT(fmi3SetContinuousStates, "it is for co-simulation only", const fmi3Float64[], std::size_t)
ABUT_FMI3_ABSENT(fmi3GetContinuousStateDerivatives, "it is for co-simulation only", fmi3Float64[], std::size_t)
ABUT_FMI3_ABSENT(fmi3GetEventIndicators, "it is for co-simulation only", fmi3Float64[], std::size_t)
ABUT_FMI3_ABSENT(fmi3GetContinuousStates, "it is for co-simulation only", fmi3Float64[], std::size_t)
ABUT_FMI3_ABSENT(fmi3GetNominalsOfContinuousStates, "it is for co-simulation only", fmi3Float64[], std::size_t)
ABUT_FMI3_ABSENT(fmi3GetNumberOfEventIndicators, "it is for co-simulation only", std::size_t*)
ABUT_FMI3_ABSENT(fmi3GetNumberOfContinuousStates, "it is for co-simulation only", std::size_t*)
ABUT_FMI3_ABSENT(fmi3ActivateModelPartition, "it is for co-simulation only", fmi3ValueReference, fmi3Float64)
