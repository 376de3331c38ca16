#include "fmu_description.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "abut/scene/method_list.hpp"
#include "abut/scene/record.hpp"
#include "abut/serve/page.hpp"
#include "si_unit.hpp"
#include "version.hpp"

namespace abut {

namespace {

using Role = FmuPort::Role;
using Source = FmuPort::Source;

/// Text within an attribute, without breaks of lines and tabs, which would come back as blanks.
std::string escape(std::string_view text) {
  std::string out = escape_html(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return out;
}

std::string attribute(const char* name, std::string_view value) {
  return value.empty() ? std::string() : fmt::format(" {}=\"{}\"", name, escape(value));
}

std::string numbers(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += fmt::format("{}{}", text.empty() ? "" : " ", value);
  return text;
}

/// Units that can be said by powers of base units; a variable of another one has none.
std::string unit_attribute(const FmuPort& port) {
  return port.unit.empty() || !parse_unit(port.unit) ? std::string() : attribute("unit", to_unit_name(port.unit));
}

const char* causality(Role role) {
  return role == Role::parameter ? "parameter" : role == Role::input ? "input" : "output";
}
const char* variability(const FmuPort& port) {
  return port.role == Role::parameter ? "fixed" : port.is_flag() ? "discrete" : "continuous";
}

/// Whether an output may jump with an input at one and the same instant.
bool has_feedthrough(const FmuPort& port) {
  return port.source == Source::joint_column && std::string_view(kJointColumns[port.column].name) == "force";
}

/// The port that this one is the rate of; its own index where there is none.
std::size_t find_integral(const FmuModel& fmu, std::size_t index) {
  const FmuPort& rate = fmu.ports[index];
  const bool is_velocity =
      rate.source == Source::body_column && std::string_view(kBodyColumns[rate.column].name) == "velocity";
  const bool is_speed = rate.source == Source::joint_column && std::string_view(kJointColumns[rate.column].name) == "v";
  for (std::size_t i = 0; i < fmu.ports.size() && (is_velocity || is_speed); ++i) {
    const FmuPort& other = fmu.ports[i];
    if (other.source != rate.source || other.width != rate.width || other.unit.empty()) continue;
    const bool is_own =
        is_velocity ? other.body_a == rate.body_a && std::string_view(kBodyColumns[other.column].name) == "position"
                    : other.joint == rate.joint && std::string_view(kJointColumns[other.column].name) == "q";
    if (is_own) return i;
  }
  return index;
}

std::string make_units(const FmuModel& fmu) {
  std::set<std::string> units = {"s"};
  for (const FmuPort& port : fmu.ports) {
    if (!port.unit.empty() && parse_unit(port.unit)) units.insert(port.unit);
  }
  std::string text = "  <UnitDefinitions>\n";
  for (const std::string& unit : units) {
    const SiUnit powers = *parse_unit(unit);
    text += fmt::format("    <Unit{}><BaseUnit", attribute("name", to_unit_name(unit)));
    for (std::size_t i = 0; i < kSiBase.size(); ++i) {
      if (powers.powers[i] != 0) text += fmt::format(" {}=\"{}\"", kSiBase[i], powers.powers[i]);
    }
    if (powers.factor != 1.0) text += fmt::format(" factor=\"{}\"", powers.factor);
    text += "/></Unit>\n";
  }
  return text + "  </UnitDefinitions>\n";
}

std::string make_capabilities(const FmuModel& fmu, const std::string& identifier, FmiVersion version) {
  if (version == FmiVersion::v2)
    return fmt::format(
        "  <CoSimulation modelIdentifier=\"{}\" canHandleVariableCommunicationStepSize=\"true\"\n"
        "      canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\" "
        "canSerializeFMUstate=\"true\"/>\n",
        identifier);
  const RunSpec& run = fmu.get().scene.run;
  const bool is_fixed = method_traits(run.method).has_fixed_step && run.step;
  return fmt::format(
      "  <CoSimulation modelIdentifier=\"{}\" canHandleVariableCommunicationStepSize=\"true\"\n"
      "      canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" providesIntermediateUpdate=\"true\"\n"
      "      mightReturnEarlyFromDoStep=\"true\" canReturnEarlyAfterIntermediateUpdate=\"true\" "
      "hasEventMode=\"true\"{}/>\n",
      identifier, is_fixed ? fmt::format(" fixedInternalStepSize=\"{}\"", *run.step) : "");
}

/// A communication step that fits: the time between samples of a record, and whole steps of a method that has such.
double find_step_size(const RunSpec& run) {
  const double interval = run.record_interval_or_default();
  if (!method_traits(run.method).has_fixed_step || !run.step) return interval;
  return std::max(1.0, std::round(interval / *run.step)) * *run.step;
}

std::string make_experiment(const RunSpec& run) {
  const bool chooses_steps = !method_traits(run.method).has_fixed_step;
  return fmt::format("  <DefaultExperiment startTime=\"0\" stopTime=\"{}\"{} stepSize=\"{}\"/>\n", run.duration,
                     chooses_steps ? fmt::format(" tolerance=\"{}\"", run.tolerance) : "", find_step_size(run));
}

constexpr const char* kCategories =
    "  <LogCategories>\n"
    "    <Category name=\"logEvents\" description=\"Begin and end of contacts\"/>\n"
    "    <Category name=\"logStatusWarning\" description=\"Reasons of warnings\"/>\n"
    "    <Category name=\"logStatusDiscard\" description=\"Reasons of steps that were not taken to their end\"/>\n"
    "    <Category name=\"logStatusError\" description=\"Reasons of errors\"/>\n"
    "  </LogCategories>\n";

/// FMI 3.0: arrays, value references throughout.
std::string make_variables_3(const FmuModel& fmu) {
  std::string text =
      "  <ModelVariables>\n    <Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" "
      "variability=\"continuous\" unit=\"s\"/>\n";
  for (std::size_t i = 0; i < fmu.ports.size(); ++i) {
    const FmuPort& port = fmu.ports[i];
    const char* type = port.is_flag() ? "Boolean" : "Float64";
    text += fmt::format("    <{}{} valueReference=\"{}\" causality=\"{}\" variability=\"{}\"{}{}", type,
                        attribute("name", port.name), fmu.references[i], causality(port.role), variability(port),
                        unit_attribute(port), port.role == Role::output ? "" : attribute("start", numbers(port.start)));
    if (const std::size_t whole = find_integral(fmu, i); whole != i)
      text += fmt::format(" derivative=\"{}\"", fmu.references[whole]);
    if (port.is_continuous()) text += " intermediateUpdate=\"true\"";
    text += attribute("description", port.doc);
    text += port.is_array ? fmt::format("><Dimension start=\"{}\"/></{}>\n", port.width, type) : "/>\n";
  }
  text += "  </ModelVariables>\n  <ModelStructure>\n";
  for (std::size_t i = 0; i < fmu.ports.size(); ++i) {
    if (fmu.ports[i].role != Role::output) continue;
    text += fmt::format("    <Output valueReference=\"{}\"{}/>\n", fmu.references[i],
                        has_feedthrough(fmu.ports[i]) ? "" : " dependencies=\"\"");
  }
  for (std::size_t i = 0; i < fmu.ports.size(); ++i) {
    if (fmu.ports[i].role == Role::output)
      text += fmt::format("    <InitialUnknown valueReference=\"{}\"/>\n", fmu.references[i]);
  }
  return text + "  </ModelStructure>\n";
}

/// FMI 2.0: single numbers. References are positions from 1 on, the time being the first, so that position and value
/// reference differ by one.
std::string make_variables_2(const FmuModel& fmu) {
  std::string text =
      "  <ModelVariables>\n    <ScalarVariable name=\"time\" valueReference=\"0\" causality=\"independent\" "
      "variability=\"continuous\"><Real unit=\"s\"/></ScalarVariable>\n";
  std::string outputs, unknowns;
  for (std::size_t i = 0; i < fmu.ports.size(); ++i) {
    const FmuPort& port = fmu.ports[i];
    const std::size_t whole = find_integral(fmu, i);
    for (std::size_t k = 0; k < port.width; ++k) {
      const unsigned reference = fmu.references[i] + static_cast<unsigned>(k), position = reference + 1;
      const std::string name = port.is_array ? fmt::format("{}[{}]", port.name, k + 1) : port.name;
      text += fmt::format("    <ScalarVariable{} valueReference=\"{}\"{} causality=\"{}\" variability=\"{}\">",
                          attribute("name", name), reference, attribute("description", port.doc), causality(port.role),
                          variability(port));
      if (port.is_flag()) {
        text += "<Boolean/>";
      } else {
        text += "<Real" + unit_attribute(port);
        if (port.role != Role::output) text += fmt::format(" start=\"{}\"", port.start[k]);
        if (whole != i) text += fmt::format(" derivative=\"{}\"", fmu.references[whole] + k + 1);
        text += "/>";
      }
      text += "</ScalarVariable>\n";
      if (port.role != Role::output) continue;
      outputs +=
          fmt::format("      <Unknown index=\"{}\"{}/>\n", position, has_feedthrough(port) ? "" : " dependencies=\"\"");
      unknowns += fmt::format("      <Unknown index=\"{}\"/>\n", position);
    }
  }
  text += "  </ModelVariables>\n  <ModelStructure>\n";
  if (!outputs.empty())
    text += fmt::format("    <Outputs>\n{}    </Outputs>\n    <InitialUnknowns>\n{}    </InitialUnknowns>\n", outputs,
                        unknowns);
  return text + "  </ModelStructure>\n";
}

std::string name_model(const FmuModel& fmu, const std::string& fallback) {
  return fmu.get().scene.title.empty() ? fallback : fmu.get().scene.title;
}

}  // namespace

std::string make_fmu_description(const FmuModel& fmu, const std::string& identifier, FmiVersion version) {
  const bool is_old = version == FmiVersion::v2;
  return fmt::format(
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"{}\"{} {}=\"{}\"\n"
             "    generationTool=\"abut {}\" variableNamingConvention=\"structured\">\n",
             is_old ? "2.0" : "3.0", attribute("modelName", name_model(fmu, identifier)),
             is_old ? "guid" : "instantiationToken", fmu.token, kVersion) +
         make_capabilities(fmu, identifier, version) + make_units(fmu) + kCategories +
         make_experiment(fmu.get().scene.run) + (is_old ? make_variables_2(fmu) : make_variables_3(fmu)) +
         "</fmiModelDescription>\n";
}

std::string make_fmu_page(const FmuModel& fmu, FmiVersion version) {
  const std::string title = escape(name_model(fmu, "abut"));
  std::string rows;
  for (const FmuPort& port : fmu.ports) {
    rows +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", escape(port.name),
                    causality(port.role), port.is_flag() ? "Boolean" : fmt::format("{} Real", port.width),
                    escape(port.unit), port.role == Role::output ? "" : numbers(port.start), escape(port.doc));
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n"
      "<style>body{{font-family:sans-serif;max-width:60em;margin:2em auto}}td,th{{text-align:left;padding:0 1em 0 "
      "0}}</style>"
      "</head><body>\n<h1>{0}</h1>\n"
      "<p>A unit for co-simulation, FMI {1}, made by abut {2} from the scene in <code>resources/{3}</code>: contacts, "
      "joints and motion are computed inside, by the method <code>{4}</code>. It needs nothing but the C library.</p>\n"
      "<p>Forces, torques and commands hold from the beginning of a communication step until they are changed. A joint "
      "with prescribed motion is, at the end of a step, where its input said at the beginning, gone on at its rate. "
      "World axes, SI units; quaternions are w, x, y, z. Time zero of the scene is the start time.</p>\n"
      "<table><tr><th>variable</th><th>causality</th><th>numbers</th><th>unit</th><th>start</th><th>meaning</th></tr>\n"
      "{5}</table>\n<p>Licences: <a href=\"licenses/license.txt\">license.txt</a>.</p>\n</body></html>\n",
      title, version == FmiVersion::v2 ? "2.0" : "3.0", kVersion, kFmuSceneFile, enum_name(fmu.get().scene.run.method),
      rows);
}

}  // namespace abut
