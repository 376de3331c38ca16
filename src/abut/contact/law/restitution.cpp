#include "abut/contact/law/restitution.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "abut/base/error.hpp"

namespace abut {
namespace {

void require_unit_interval(double e) {
  if (!(e >= 0.0 && e <= 1.0)) throw InputError(fmt::format("restitution is {}, must be from 0 to 1", e));
}

}  // namespace

Restitution Restitution::make_constant(double e) {
  require_unit_interval(e);
  Restitution r;
  r.constant_ = e;
  return r;
}

Restitution Restitution::make_linear(double slope) {
  if (!(slope >= 0.0 && std::isfinite(slope))) {
    throw InputError(fmt::format("restitution_slope is {} s/m, must be finite and not negative", slope));
  }
  Restitution r;
  r.slope_ = slope;
  return r;
}

Restitution Restitution::make_table(std::vector<double> speed, std::vector<double> e) {
  if (speed.empty() || speed.size() != e.size()) {
    throw InputError(
        fmt::format("restitution_table has {} speeds and {} coefficients; it needs as many of both, at least one",
                    speed.size(), e.size()));
  }
  for (double value : e) require_unit_interval(value);
  for (std::size_t i = 0; i < speed.size(); ++i) {
    if (!(speed[i] >= 0.0 && std::isfinite(speed[i])) || (i > 0 && !(speed[i] > speed[i - 1]))) {
      throw InputError(
          fmt::format("restitution_table: speed {} m/s at place {} must be finite, not negative and larger than "
                      "the one before",
                      speed[i], i + 1));
    }
  }
  Restitution r;
  r.speed_ = std::move(speed);
  r.e_ = std::move(e);
  return r;
}

double Restitution::calc_coefficient(double speed) const {
  const double v = std::max(0.0, speed);
  if (speed_.empty()) return slope_ == 0.0 ? constant_ : std::max(kMinRestitution, 1.0 - slope_ * v);
  if (v <= speed_.front()) return e_.front();
  if (v >= speed_.back()) return e_.back();
  const auto i = static_cast<std::size_t>(std::upper_bound(speed_.begin(), speed_.end(), v) - speed_.begin());
  const double t = (v - speed_[i - 1]) / (speed_[i] - speed_[i - 1]);
  return e_[i - 1] + t * (e_[i] - e_[i - 1]);
}

double Restitution::min_coefficient() const {
  if (!speed_.empty()) return *std::min_element(e_.begin(), e_.end());
  return slope_ == 0.0 ? constant_ : kMinRestitution;
}

double Restitution::max_coefficient() const {
  if (!speed_.empty()) return *std::max_element(e_.begin(), e_.end());
  return slope_ == 0.0 ? constant_ : 1.0;
}

}  // namespace abut
