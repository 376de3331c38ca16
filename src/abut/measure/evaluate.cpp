#include "abut/measure/evaluate.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/contact/law/exact_restitution.hpp"
#include "abut/contact/law/hertz_stiffness.hpp"
#include "abut/contact/law/impact.hpp"
#include "abut/measure/signal_search.hpp"

namespace abut {

namespace {

using F = Function;

class Evaluator {
 public:
  Evaluator(const RunRecord* record, const RunRecord* reference, double t, double n)
      : record_(record), reference_(reference), t_(t), n_(n) {}

  double value(const Expression& e) const {
    switch (e.kind) {
      case Expression::Kind::number:
        return e.value;
      case Expression::Kind::time:
        return t_;
      case Expression::Kind::count:
        return n_;
      case Expression::Kind::duration:
        return record_->duration();
      case Expression::Kind::negate:
        return -operand(e, 0);
      case Expression::Kind::add:
        return operand(e, 0) + operand(e, 1);
      case Expression::Kind::subtract:
        return operand(e, 0) - operand(e, 1);
      case Expression::Kind::multiply:
        return operand(e, 0) * operand(e, 1);
      case Expression::Kind::divide:
        return operand(e, 0) / operand(e, 1);
      case Expression::Kind::power:
        return std::pow(operand(e, 0), operand(e, 1));
      case Expression::Kind::call:
        return call(e);
    }
    return 0.0;
  }

 private:
  double operand(const Expression& e, std::size_t i) const { return value(e.operands[i]); }
  int whole(const Expression& e, std::size_t i) const {
    const double number = operand(e, i);
    if (!(number >= 0.0 && number < 1e9) || number != std::floor(number)) {
      throw MeasureError(fmt::format("{:.6g} is not a count", number));
    }
    return static_cast<int>(number);
  }

  double call(const Expression& e) const {
    if (e.function <= F::max) return call_arithmetic(e);
    if (e.function <= F::energy) return call_body(e);
    if (e.function <= F::dwell) return call_pair(e);
    if (e.function <= F::last_time) return call_signal(e);
    if (e.function <= F::first_contact) return call_span(e);
    if (e.function <= F::is_done) return call_summary(e);
    return call_formula(e);
  }

  double call_arithmetic(const Expression& e) const {
    const double x = operand(e, 0);
    switch (e.function) {
      case F::sqrt:
        return std::sqrt(x);
      case F::abs:
        return std::abs(x);
      case F::exp:
        return std::exp(x);
      case F::ln:
        return std::log(x);
      case F::sin:
        return std::sin(x);
      case F::cos:
        return std::cos(x);
      case F::atan2:
        return std::atan2(x, operand(e, 1));
      case F::positive:
        return x > 0.0 ? 1.0 : 0.0;
      case F::min:
        return std::min(x, operand(e, 1));
      default:
        return std::max(x, operand(e, 1));
    }
  }

  double call_body(const Expression& e) const {
    const int who = e.indices[0];
    switch (e.function) {
      case F::position:
        return record_->calc_position(who, t_)[e.indices[1]];
      case F::velocity:
        return record_->calc_velocity(who, t_)[e.indices[1]];
      case F::speed:
        return record_->calc_velocity(who, t_).norm();
      case F::angular_velocity:
        return record_->calc_angular_velocity(who, t_)[e.indices[1]];
      case F::direction:
        return record_->calc_direction(who, e.indices[1], t_)[e.indices[2]];
      case F::joint:
        return record_->calc_joint(who, whole(e, 0), t_);
      case F::joint_rate:
        return record_->calc_joint_rate(who, whole(e, 0), t_);
      case F::joint_force:
        return record_->calc_joint_force(who, whole(e, 0), t_);
      case F::sensor:
      case F::reaction:
        return record_->calc_sensor(who, whole(e, 0), t_);
      default:
        return record_->calc_energy(who, t_);
    }
  }

  double call_pair(const Expression& e) const {
    const PairState pair = record_->calc_pair(e.indices[0], e.indices[1], t_);
    switch (e.function) {
      case F::depth:
        return pair.depth;
      case F::normal_force:
        return pair.normal_force;
      case F::friction_force:
        return pair.tangential_force.norm();
      case F::force:
        return pair.force[e.indices[2]];
      case F::normal:
        return pair.normal[e.indices[2]];
      case F::slip_speed:
        return pair.slip_speed;
      case F::misalignment:
        return pair.misalignment;
      case F::point:
        return pair.point[e.indices[2]];
      case F::torque:
        return pair.torque[e.indices[2]];
      case F::volume:
        return pair.volume;
      case F::area:
        return pair.area;
      case F::gyration_radius:
        return pair.gyration_radius;
      default:
        return pair.dwell;
    }
  }

  Signal make_signal(const Expression& e, double sign = 1.0) const {
    return [this, &e, sign](double t) { return sign * Evaluator(record_, reference_, t, n_).value(e); };
  }

  std::vector<double> times(const Expression& e) const {
    const double t0 = operand(e, 0), t1 = operand(e, 1);
    if (!(t0 < t1)) throw MeasureError(fmt::format("the range from {:.6g} s to {:.6g} s is empty", t0, t1));
    return record_->times_between(t0, t1);
  }

  double call_signal(const Expression& e) const {
    const Expression& expression = e.operands.back();
    const auto find_all = [this] { return record_->times_between(0.0, record_->duration()); };
    switch (e.function) {
      case F::at:
        return Evaluator(record_, reference_, operand(e, 0), n_).value(expression);
      case F::reference:
        return Evaluator(reference_, nullptr, t_, n_).value(expression);
      case F::mean_over:
        return calc_mean(make_signal(expression), times(e));
      case F::max_over:
        return find_max(make_signal(expression), times(e)).value;
      case F::min_over:
        return -find_max(make_signal(expression, -1.0), times(e)).value;
      case F::time_of_max:
        return find_max(make_signal(expression), times(e)).time;
      case F::first_time:
        return require(find_first_positive(make_signal(expression), find_all()));
      case F::last_time:
        return require(find_last_positive(make_signal(expression), find_all()));
      default:
        break;
    }
    const int count = whole(e, 0);
    const std::optional<Extremum> peak = find_peak(make_signal(expression), find_all(), count);
    if (!peak) throw MeasureError(fmt::format("the signal has fewer than {} local maxima", count));
    return e.function == F::peak ? peak->value : peak->time;
  }

  static double require(const std::optional<double>& time) {
    if (!time) throw MeasureError("the signal is never above 0");
    return *time;
  }

  const ContactSpan& find_span(const Expression& e, const std::vector<ContactSpan>& spans, bool needs_lift) const {
    const int n = whole(e, 0);
    if (n < 1 || n > static_cast<int>(spans.size())) {
      throw MeasureError(
          fmt::format("{} and {} touched {} times; there is no contact {}", e.words[0], e.words[1], spans.size(), n));
    }
    const ContactSpan& span = spans[static_cast<std::size_t>(n - 1)];
    if (needs_lift && !span.has_lifted)
      throw MeasureError(fmt::format("contact {} of {} and {} has not ended", n, e.words[0], e.words[1]));
    return span;
  }

  double call_span(const Expression& e) const {
    const std::vector<ContactSpan> spans = record_->calc_spans(e.indices[0], e.indices[1]);
    switch (e.function) {
      case F::touches:
        return static_cast<double>(spans.size());
      case F::touches_between: {
        const double t0 = operand(e, 0), t1 = operand(e, 1);
        return static_cast<double>(std::count_if(spans.begin(), spans.end(), [t0, t1](const ContactSpan& s) {
          return s.touch_time > t0 && s.touch_time <= t1;
        }));
      }
      case F::touch_time:
        return find_span(e, spans, false).touch_time;
      case F::touch_speed:
        return find_span(e, spans, false).touch_speed;
      case F::lift_time:
        return find_span(e, spans, true).lift_time;
      case F::lift_speed:
        return find_span(e, spans, true).lift_speed;
      case F::restitution: {
        const ContactSpan& span = find_span(e, spans, true);
        return span.lift_speed / span.touch_speed;
      }
      case F::contact_time: {
        const ContactSpan& span = find_span(e, spans, true);
        return span.lift_time - span.touch_time;
      }
      default:
        break;
    }
    for (std::size_t i = 0; i < spans.size() && spans[i].has_lifted; ++i) {
      const double n = static_cast<double>(i + 1);
      if (Evaluator(record_, reference_, t_, n).value(e.operands[0]) > 0.0) return n;
    }
    throw MeasureError(fmt::format("no contact of {} and {} meets the condition", e.words[0], e.words[1]));
  }

  double call_summary(const Expression& e) const {
    const RunSummary& summary = record_->summary();
    switch (e.function) {
      case F::worst_residual:
        return std::abs(summary.worst_residual);
      case F::energy_turnover:
        return summary.energy_turnover;
      case F::steps_accepted:
        return static_cast<double>(summary.work.accepted);
      case F::is_done:
        return summary.status == RunStatus::done ? 1.0 : 0.0;
      default:
        break;
    }
    const PairSummary* pair = record_->find_pair(e.indices[0], e.indices[1]);
    if (pair == nullptr) throw MeasureError(fmt::format("{} and {} never touched", e.words[0], e.words[1]));
    switch (e.function) {
      case F::peak_force:
        return pair->peak_force;
      case F::peak_depth:
        return pair->peak_depth;
      case F::damping_work:
        return pair->damping;
      default:
        return pair->friction + pair->viscous;
    }
  }

  double call_formula(const Expression& e) const {
    switch (e.function) {
      case F::exact_restitution:
        return exact_restitution(operand(e, 0));
      case F::gonthier_damping:
        return gonthier_damping(operand(e, 0));
      case F::impact_restitution:
        return calc_dimensionless(e).restitution;
      case F::impact_duration:
        return calc_dimensionless(e).duration;
      case F::impact_depth:
        return calc_dimensionless(e).max_depth;
      case F::contact_modulus:
        return calc_contact_modulus({operand(e, 0), operand(e, 1)}, {operand(e, 2), operand(e, 3)});
      case F::hertz_stiffness:
        return calc_hertz_stiffness(operand(e, 0), operand(e, 1));
      default:
        return make_hertz_contact(operand(e, 0), operand(e, 1), operand(e, 2)).stiffness;
    }
  }

  ImpactOutcome calc_dimensionless(const Expression& e) const {
    return dimensionless_impact(operand(e, 0), operand(e, 1), operand(e, 2));
  }

  const RunRecord* record_;
  const RunRecord* reference_;
  double t_, n_;
};

}  // namespace

double evaluate_measure(const Expression& measure, const RunRecord* record, const RunRecord* reference) {
  return Evaluator(record, reference, record == nullptr ? 0.0 : record->duration(), 0.0).value(measure);
}

bool asks_for(Function function, const Expression& measure) {
  if (measure.kind == Expression::Kind::call && measure.function == function) return true;
  return std::any_of(measure.operands.begin(), measure.operands.end(),
                     [function](const Expression& part) { return asks_for(function, part); });
}

}  // namespace abut
