// Volumes of interference of curved bodies and meshes in random poses, flush or nearly so, from 1e-9 of the size deep
// to all of it, against an integral that shares nothing with the kernels; and how long a look takes.
//
//   volume_poses_bench [--count N] [--first K] [--part P/PARTS] [--tell]
//
// Poses K to K + N - 1 (0 to 9,999), of these each PARTS-th from P on. Prints those that are off by more than 1e-6 and
// what the rounding of the pose leaves open, or slower than 1 ms and 1 us for each triangle in touch, and a table.
// --tell prints all. "open": the reference gave
// up. Exit status 1 where one is off.

#include <cstdlib>
#include <map>
#include <string>

#include <fmt/format.h>

#include "abut/geometry/volume/pose_verdict_test.hpp"

namespace {

using namespace abut;
using namespace abut::testing;

struct Row {
  int count = 0, num_off = 0, num_slow = 0, num_open = 0;
  double worst = 0.0, slowest = 0.0;
};

void print(std::uint64_t number, const PosePair& pair, const PoseVerdict& verdict, const std::string& word) {
  fmt::print(
      "{:<5} {:>7} {:>9} on {:<9} tilt {:8.1e} deg, depth {:8.1e} m: V {:13.6e}, expected {:13.6e}; off by {:8.2e} "
      "{:8.2e} {:8.2e}; {:7.1f} us of {:.0f}\n",
      word, number, body_name(pair.a.kind), body_name(pair.b.kind), pair.tilt * 180.0 / kPi, pair.depth, verdict.volume,
      verdict.expected, verdict.volume_miss, verdict.centroid_miss, verdict.inertia_miss, 1e6 * verdict.time,
      1e6 * verdict.allowed_time);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t first = 0, count = 10000, part = 0, parts = 1;
  bool tells = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--tell") {
      tells = true;
      continue;
    }
    if (word == "--count") count = std::strtoull(value.c_str(), nullptr, 10);
    if (word == "--first") first = std::strtoull(value.c_str(), nullptr, 10);
    if (word == "--part") {
      part = std::strtoull(value.c_str(), nullptr, 10);
      parts = std::strtoull(value.substr(value.find('/') + 1).c_str(), nullptr, 10);
    }
    ++i;
  }
  std::map<std::string, Row> table;
  int num_off = 0;
  for (std::uint64_t number = first + part; number < first + count; number += parts) {
    const PosePair pair = PoseFamilies(number).make();
    const PoseVerdict verdict = judge(pair);
    Row& row = table[fmt::format("{} on {}", body_name(pair.a.kind), body_name(pair.b.kind))];
    const bool is_off = !(verdict.worst() <= 1.0), is_slow = verdict.time > verdict.allowed_time;
    ++row.count;
    row.num_off += is_off ? 1 : 0, row.num_slow += is_slow ? 1 : 0;
    row.num_open += verdict.is_open ? 1 : 0;
    row.worst = std::max(row.worst, verdict.worst()), row.slowest = std::max(row.slowest, verdict.time);
    num_off += is_off ? 1 : 0;
    if (is_off || is_slow || tells)
      print(number, pair, verdict, is_off ? "OFF" : is_slow ? "slow" : verdict.is_open ? "open" : "ok");
  }
  fmt::print("\n{:<24} {:>7} {:>6} {:>6} {:>6} {:>12} {:>13}\n", "pair", "poses", "off", "slow", "open", "worst [1]",
             "slowest [us]");
  for (const auto& [name, row] : table)
    fmt::print("{:<24} {:>7} {:>6} {:>6} {:>6} {:>12.2e} {:>13.1f}\n", name, row.count, row.num_off, row.num_slow,
               row.num_open, row.worst, 1e6 * row.slowest);
  return num_off > 0 ? 1 : 0;
}
