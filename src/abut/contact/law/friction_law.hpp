#pragma once

#include <string_view>
#include <variant>

#include "abut/contact/law/bristle_friction.hpp"
#include "abut/contact/law/coulomb_friction.hpp"
#include "abut/contact/law/lugre_friction.hpp"
#include "abut/contact/law/no_friction.hpp"

namespace abut {

/// The friction laws, in the order of FrictionLawSpec, from which they are made (friction_defaults.hpp).
///
/// A law is a struct of its parameters and a function calc_friction(law, input, n, fn, slip); where it has a form for
/// patches there is a calc_volume_friction() of it as well (region/volume_response.hpp). What the house asks beside the
/// force are the functions below. A law answers in a member of its parameters, named beside each; where it has none,
/// the answer is the one stated here.
using FrictionParameters = std::variant<NoFriction, CoulombParameters, LugreParameters, BristleParameters>;

/// The name in scenes and records.
std::string_view friction_law_name(const FrictionParameters& law);

/// kNumStates: continuous states of a contact at a point, deflection (3) and dwell (1); else 0. A law with dwell has a
/// fifth in a volume, its twist.
int num_friction_states(const FrictionParameters& law);

/// coefficients(); else 0: methods that know nothing but coefficients take the law for none.
FrictionCoefficients calc_friction_coefficients(const FrictionParameters& law);

/// calc_energy(state, n, fn): stored in deflections under the load fn [J]; else 0.
double calc_friction_energy(const FrictionParameters& law, const FrictionState& state, const Vec3& n, double fn);

/// calc_twist_energy(rim, fn): the same of a twist, zeta [m] (volume_friction.hpp) [J]; else 0.
double calc_twist_energy(const FrictionParameters& law, double rim, double fn);

/// charge_per_load(): energy of one full charge of bristles for each newton of load [m], where their stiffness follows
/// it and a load that grows stores what nobody paid for; else 0.
double calc_charge_per_load(const FrictionParameters& law);

/// break_away(): deflection at which the law lets go [m], the scale of its errors; else 1e-4.
double calc_break_away(const FrictionParameters& law);

/// damping_per_load(): of bristles, for each newton of load [s/m], which makes motion stiff; else 0.
double calc_damping_per_load(const FrictionParameters& law);

/// calc_pace(fn, effective_mass [kg]): how fast it answers to a change of speed under the load fn [N]; else at once,
/// which limits no step.
FrictionPace calc_friction_pace(const FrictionParameters& law, double fn, double effective_mass);

/// calc_fastest_rate(fn, effective_mass, lightest): fastest rate of a contact that sticks [1/s], lightest being
/// 1 / mass of the direction that moves most easily [1/kg]; else 0.
double calc_fastest_friction_rate(const FrictionParameters& law, double fn, double effective_mass, double lightest);

/// calc_touch_deflection(slip): whether there is one, and the deflection z of a contact that touches while it slips
/// [m]; else none.
bool bends_at_touch(const FrictionParameters& law);
Vec3 calc_touch_deflection(const FrictionParameters& law, const Vec3& slip);

}  // namespace abut
