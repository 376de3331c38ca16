#include "gain_study.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/scene/get_value.hpp"
#include "abut/scene/null_sink.hpp"
#include "abut/sim/simulate.hpp"

namespace abut {

namespace {

constexpr double kStill = 0.05, kDecays = 0.7;

double parse_number(const std::string& text, const std::string& all) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && std::isfinite(number)) return number;
  throw InputError(fmt::format("--vary {}: '{}' is no number.\nNothing was run.", all, text));
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::vector<double> make_range(double from, double to, int count) {
  std::vector<double> values;
  const bool is_logarithmic = from > 0.0 && to > 0.0 && std::max(from, to) > 5.0 * std::min(from, to);
  for (int i = 0; i < count; ++i) {
    const double part = count == 1 ? 0.0 : static_cast<double>(i) / (count - 1);
    values.push_back(is_logarithmic ? from * std::pow(to / from, part) : from + part * (to - from));
  }
  return values;
}

/// Keeps the size of the force that the controller's sensor shows.
class ForceSink final : public NullSink {
 public:
  explicit ForceSink(int first) : first_(static_cast<std::size_t>(first)) {}
  void sample(const Sample& sample) override {
    time.push_back(sample.time);
    const double* f = sample.sensors.data() + first_;
    force.push_back(std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]));
  }
  std::vector<double> time, force;

 private:
  std::size_t first_;
};

int find_wrench(const Model& model, const ControllerSpec& controller) {
  const std::string name = std::visit(
      [](const auto& kind) {
        if constexpr (requires { kind.sensor; }) return kind.sensor;
        return std::string();
      },
      controller.kind.type);
  for (const SensorPlan& plan : model.sensors) {
    if (plan.name == name) return plan.first;
  }
  throw InputError(
      fmt::format("controller '{}' reads no wrench: abut gains judges the force that it senses.\n"
                  "Nothing was run.",
                  controller.name));
}

/// One number for each axis of a gain with several.
KeyValue make_value(const SceneSpec& scene, const std::string& path, double value) {
  const std::optional<KeyNumbers> now = find_numbers(scene, path);
  if (now && now->is_array) return std::vector<double>(now->values.size(), value);
  return value;
}

}  // namespace

const char* verdict_name(GainVerdict verdict) {
  switch (verdict) {
    case GainVerdict::stable:
      return "stable";
    case GainVerdict::ringing:
      return "ringing";
    case GainVerdict::unstable:
      return "unstable";
    case GainVerdict::untouched:
      return "untouched";
  }
  return "?";
}

GainAxis parse_gain_axis(const std::string& text, const SceneSpec& scene, const ControllerSpec& controller) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError(fmt::format("--vary {}: give KEY=FROM:TO:COUNT, KEY=A,B,C or KEY=A.\nNothing was run.", text));
  GainAxis axis;
  axis.key = text.substr(0, equals);
  const bool is_outside = axis.key == "rate" || axis.key == "delay";
  axis.path = axis.key.find('.') != std::string::npos
                  ? axis.key
                  : fmt::format("controller.{}.{}{}", controller.name, is_outside ? "" : "kind.", axis.key);
  const std::string range = text.substr(equals + 1);
  if (const std::vector<std::string> parts = split(range, ':'); parts.size() == 3) {
    const double count = parse_number(parts[2], text);
    if (!(count >= 1.0) || count > 1e4 || count != std::floor(count))
      throw InputError(
          fmt::format("--vary {}: the count must be a whole number from 1 to 10000.\nNothing was run.", text));
    axis.values = make_range(parse_number(parts[0], text), parse_number(parts[1], text), static_cast<int>(count));
  } else {
    for (const std::string& part : split(range, ',')) axis.values.push_back(parse_number(part, text));
  }
  if (!find_numbers(scene, axis.path))
    throw InputError(
        fmt::format("--vary {}: there is no number at {} in the scene.\nNothing was run.", text, axis.path));
  return axis;
}

GainResult judge_force(const std::vector<double>& time, const std::vector<double>& force) {
  GainResult result;
  const auto touch = std::find_if(force.begin(), force.end(), [](double f) { return f > 0.0; });
  if (touch == force.end()) return result;
  const auto first = static_cast<std::size_t>(touch - force.begin());
  const double begin = time[first], end = time.back();
  double least[3], most[3], sum = 0.0;
  std::fill(least, least + 3, std::numeric_limits<double>::infinity());
  std::fill(most, most + 3, 0.0);
  long count = 0;
  for (std::size_t i = first; i < force.size(); ++i) {
    const int part = std::min(2, static_cast<int>(3.0 * (time[i] - begin) / std::max(end - begin, 1e-300)));
    least[part] = std::min(least[part], force[i]);
    most[part] = std::max(most[part], force[i]);
    result.peak = std::max(result.peak, force[i]);
    if (i > first && force[i] == 0.0 && force[i - 1] > 0.0) ++result.lifts;
    if (part != 2) continue;
    sum += force[i];
    ++count;
  }
  result.mean = count > 0 ? sum / static_cast<double>(count) : 0.0;
  result.swing = most[2] - least[2];
  result.swing_before = most[1] >= least[1] ? most[1] - least[1] : 0.0;
  if (result.mean > 0.0 && result.swing < kStill * result.mean) {
    result.verdict = GainVerdict::stable;
  } else {
    result.verdict = result.swing < kDecays * result.swing_before ? GainVerdict::ringing : GainVerdict::unstable;
  }
  return result;
}

std::vector<GainResult> study_gains(const Model& model, const ControllerSpec& controller,
                                    const std::vector<GainAxis>& axes, int threads, const std::atomic<bool>& stop,
                                    const std::function<void(std::size_t)>& on_done) {
  const int first = find_wrench(model, controller);
  std::size_t count = 1;
  for (const GainAxis& axis : axes) count *= axis.values.size();
  std::vector<GainResult> results(count);
  std::atomic<std::size_t> next{0}, done{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t k = next++; k < count && !stop; k = next++) {
      try {
        std::vector<SceneChange> changes;
        std::vector<double> values(axes.size());
        std::size_t rest = k;
        for (std::size_t a = axes.size(); a-- > 0;) {
          values[a] = axes[a].values[rest % axes[a].values.size()];
          rest /= axes[a].values.size();
          changes.push_back({axes[a].path, make_value(model.scene, axes[a].path, values[a])});
        }
        const Model own = model.with(changes);
        ForceSink sink(first);
        RunOptions options;
        options.stop = &stop;
        const RunSummary summary = simulate(own, sink, options);
        GainResult result = judge_force(sink.time, sink.force);
        result.values = std::move(values);
        if (summary.status == RunStatus::failed) {
          result.verdict = GainVerdict::unstable;
          result.message = summary.message;
        }
        results[k] = std::move(result);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
      const std::size_t number = ++done;
      const std::lock_guard lock(mutex);
      on_done(number);
    }
  };
  std::vector<std::thread> workers;
  for (int i = 1; i < threads; ++i) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
  if (failure) std::rethrow_exception(failure);
  return results;
}

std::string gains_to_csv(const std::vector<GainAxis>& axes, const std::vector<GainResult>& results) {
  std::string text;
  for (const GainAxis& axis : axes) text += axis.key + ",";
  text += "verdict,mean_force_N,peak_force_N,swing_N,swing_before_N,lifts,message\n";
  for (const GainResult& result : results) {
    for (const double value : result.values) text += fmt::format("{},", value);
    std::string message = result.message;
    std::replace(message.begin(), message.end(), '"', '\'');
    text += fmt::format("{},{:.9g},{:.9g},{:.9g},{:.9g},{},{}\n", verdict_name(result.verdict), result.mean,
                        result.peak, result.swing, result.swing_before, result.lifts,
                        message.empty() ? std::string() : fmt::format("\"{}\"", message));
  }
  return text;
}

std::vector<PlotPanel> make_gain_panels(const std::vector<GainAxis>& axes, const std::vector<GainResult>& results) {
  const auto place = [](const GainAxis& axis, double value) {
    const auto [least, most] = std::minmax_element(axis.values.begin(), axis.values.end());
    return *least > 0.0 && *most > 5.0 * *least ? std::log10(value) : value;
  };
  const auto label = [&](const GainAxis& axis) {
    return place(axis, 10.0) == 1.0 && axis.values.size() > 1 ? "log10 " + axis.key : axis.key;
  };
  std::map<std::string, PlotPanel> panels;
  std::vector<std::string> order;
  for (const GainResult& result : results) {
    if (result.values.empty()) continue;
    std::string title;
    for (std::size_t a = 2; a < axes.size(); ++a)
      title += fmt::format("{}{} = {:.4g}", title.empty() ? "" : ", ", axes[a].key, result.values[a]);
    const auto [found, is_new] = panels.try_emplace(title);
    PlotPanel& panel = found->second;
    if (is_new) {
      order.push_back(title);
      panel.title = title.empty() ? "verdict" : title;
      panel.x_label = label(axes[0]);
      panel.y_label = axes.size() > 1 ? label(axes[1]) : "swing [N]";
      for (const GainVerdict verdict : {GainVerdict::stable, GainVerdict::ringing, GainVerdict::unstable})
        panel.lines.push_back({verdict_name(verdict), {}, {}, false, true});
    }
    if (result.verdict == GainVerdict::untouched) continue;
    PlotLine& line = panel.lines[static_cast<std::size_t>(result.verdict)];
    line.x.push_back(place(axes[0], result.values[0]));
    line.y.push_back(axes.size() > 1 ? place(axes[1], result.values[1]) : result.swing);
  }
  std::vector<PlotPanel> list;
  for (const std::string& title : order) list.push_back(panels.at(title));
  return list;
}

}  // namespace abut
