#include "abut/sim/control/control_message.hpp"

#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/sim/model.hpp"

namespace abut {

namespace {

std::string quote(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string quote_all(const std::vector<std::string>& names) {
  std::string out = "[";
  for (const std::string& name : names) out += (out.size() > 1 ? ", " : "") + quote(name);
  return out + "]";
}

/// Reads the few forms that an answer has.
class Scanner {
 public:
  explicit Scanner(const std::string& text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool take(char wanted) {
    skip();
    if (at_ == end_ || *at_ != wanted) return false;
    ++at_;
    return true;
  }
  bool take_number(double& number) {
    skip();
    const auto [rest, error] = std::from_chars(at_, end_, number);
    if (error != std::errc()) return false;
    at_ = rest;
    return true;
  }
  bool take_text(std::string& text) {
    if (!take('"')) return false;
    text.clear();
    while (at_ != end_ && *at_ != '"') {
      if (*at_ == '\\' && ++at_ == end_) return false;
      text += *at_++;
    }
    return take('"');
  }
  bool is_end() {
    skip();
    return at_ == end_;
  }

 private:
  void skip() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }
  const char *at_, *end_;
};

bool read_numbers(Scanner& scanner, std::vector<double>& numbers) {
  if (!scanner.take('[')) return false;
  if (scanner.take(']')) return true;
  do {
    if (!scanner.take_number(numbers.emplace_back())) return false;
  } while (scanner.take(','));
  return scanner.take(']');
}

}  // namespace

std::string write_greeting(const ControlSite& site, const std::vector<std::string>& sensors) {
  std::vector<std::string> joints;
  for (const ControlledMotor& motor : site.motors) joints.push_back(motor.joint);
  std::string shown;
  for (const std::string& name : sensors) {
    for (const SensorPlan& plan : site.model.sensors) {
      if (plan.name != name) continue;
      std::vector<std::string> channels, units;
      for (const SensorChannel& channel : plan.channels) {
        channels.push_back(channel.name);
        units.push_back(channel.unit);
      }
      shown += fmt::format("{}{{\"name\": {}, \"channels\": {}, \"units\": {}}}", shown.empty() ? "" : ", ",
                           quote(name), quote_all(channels), quote_all(units));
    }
  }
  return fmt::format("{{\"abut\": 1, \"controller\": {}, \"period\": {}, \"joints\": {}, \"sensors\": [{}]}}",
                     quote(site.spec.name), 1.0 / site.spec.rate, quote_all(joints), shown);
}

std::string write_measurement(double time, std::span<const double> q, std::span<const double> v,
                              std::span<const std::span<const double>> sensors) {
  std::string shown;
  for (const std::span<const double> sensor : sensors)
    shown += fmt::format("{}[{}]", shown.empty() ? "" : ", ", fmt::join(sensor, ", "));
  return fmt::format("{{\"time\": {}, \"q\": [{}], \"v\": [{}], \"sensors\": [{}]}}", time, fmt::join(q, ", "),
                     fmt::join(v, ", "), shown);
}

ControlAnswer read_answer(const std::string& line, std::size_t count) {
  ControlAnswer answer;
  Scanner scanner(line);
  std::string key;
  const bool has_key = scanner.take('{') && scanner.take_text(key) && scanner.take(':');
  const bool is_read = has_key && (key == "commands" ? read_numbers(scanner, answer.commands)
                                                     : key == "stop" && scanner.take_text(answer.stop));
  if (!is_read || !scanner.take('}') || !scanner.is_end()) {
    answer.error =
        fmt::format("its answer is neither {{\"commands\": [...]}} nor {{\"stop\": \"...\"}}: {}", line.substr(0, 80));
  } else if (key == "stop") {
    if (answer.stop.empty()) answer.stop = "its program said stop";
  } else if (answer.commands.size() != count) {
    answer.error = fmt::format("its answer has {} commands for {} joints", answer.commands.size(), count);
  }
  return answer;
}

}  // namespace abut
