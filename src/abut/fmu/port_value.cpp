#include "abut/fmu/port_value.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace abut {

namespace {

/// Of the patches of one pair, joined as the column says. A record's force acts on body_a: it is turned where the port
/// names the bodies the other way round.
void read_contacts(const FmuPort& port, World& world, std::vector<double>& numbers) {
  const ContactColumn& column = kContactColumns[port.column];
  std::array<double, kMostColumnNumbers> row{};
  double largest = -1.0;
  for (const ContactSample& contact : world.contacts()) {
    const bool is_same = contact.body_a == port.body_a && contact.body_b == port.body_b;
    const bool is_turned = contact.body_a == port.body_b && contact.body_b == port.body_a;
    if (!is_same && !is_turned) continue;
    column.read(contact, row.data());
    // Vectors of a contact (forces, slip, bristles) are of one body against the other.
    if (is_turned && column.width == 3)
      for (std::size_t i = 0; i < 3; ++i) row[i] = -row[i];
    double size = 0.0;
    for (std::size_t i = 0; i < column.width; ++i) size = std::hypot(size, row[i]);
    for (std::size_t i = 0; i < column.width; ++i) {
      if (column.joining == PatchJoining::sum) {
        numbers[i] += row[i];
      } else if (size > largest) {
        numbers[i] = row[i];
      }
    }
    largest = std::max(largest, size);
  }
}

bool touches(const FmuPort& port, World& world) {
  const auto& contacts = world.contacts();
  return std::any_of(contacts.begin(), contacts.end(), [&](const ContactSample& contact) {
    return std::minmax(contact.body_a, contact.body_b) == std::minmax(port.body_a, port.body_b);
  });
}

void read_joint(const FmuModel& fmu, std::size_t port, World& world, std::vector<double>& numbers) {
  const JointColumn& column = kJointColumns[fmu.ports[port].column];
  const Link& link = fmu.get().tree.link(fmu.get().joints[static_cast<std::size_t>(fmu.joint_of_port[port])].link);
  const std::vector<double>& all = world.sample().*column.values;
  const int begin = column.is_coordinate ? link.q_start : link.v_start;
  std::copy_n(all.begin() + begin, numbers.size(), numbers.begin());
}

}  // namespace

void read_output(const FmuModel& fmu, std::size_t index, World& world, std::vector<double>& numbers) {
  const FmuPort& port = fmu.ports[index];
  numbers.assign(port.width, 0.0);
  switch (port.source) {
    case FmuPort::Source::body_column:
      kBodyColumns[port.column].read(world.bodies()[static_cast<std::size_t>(port.body_a)], numbers.data());
      return;
    case FmuPort::Source::joint_column:
      read_joint(fmu, index, world, numbers);
      return;
    case FmuPort::Source::contact_column:
      read_contacts(port, world, numbers);
      return;
    case FmuPort::Source::touching:
      numbers[0] = touches(port, world) ? 1.0 : 0.0;
      return;
    case FmuPort::Source::sensor: {
      const auto& name = fmu.get().scene.sensor[static_cast<std::size_t>(port.sensor)].name;
      std::copy_n(world.sensor(name).begin() + static_cast<std::ptrdiff_t>(port.column), port.width, numbers.begin());
      return;
    }
    case FmuPort::Source::energy:
      numbers[0] = world.sample().energy.at(port.column);
      return;
    default:
      return;  // parameters and inputs are kept by the unit
  }
}

}  // namespace abut
