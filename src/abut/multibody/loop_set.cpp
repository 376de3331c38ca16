#include "abut/multibody/loop_set.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "abut/base/error.hpp"
#include "abut/math/union_find.hpp"
#include "abut/multibody/spatial.hpp"

namespace abut {
namespace {

bool moves(const Tree& tree, int link) { return !tree.is_static(link); }

}  // namespace

LoopSet::LoopSet(const Tree& tree, std::vector<Loop> loops, std::vector<Coupling> couplings)
    : loops_(std::move(loops)), couplings_(std::move(couplings)) {
  UnionFind sets(static_cast<int>(tree.groups().size()));
  const auto group_of = [&](int link) {
    const int group = tree.link(link).group;
    ABUT_REQUIRE(group >= 0, "link '{}' is in a loop but not articulated", tree.name(link));
    return group;
  };
  const auto join = [&](int a, int b) {
    if (moves(tree, a) && moves(tree, b)) sets.join(group_of(a), group_of(b));
  };
  for (const Loop& loop : loops_) join(loop.link_a, loop.link_b);
  for (const Coupling& coupling : couplings_) join(coupling.link, coupling.link_of);
  std::map<int, LoopIsland> islands;
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    const Loop& loop = loops_[i];
    const int link = moves(tree, loop.link_b) ? loop.link_b : loop.link_a;
    ABUT_REQUIRE(moves(tree, link), "loop '{}' joins what cannot move", loop.name);
    islands[sets.find(group_of(link))].loops.push_back(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < couplings_.size(); ++i)
    islands[sets.find(group_of(couplings_[i].link))].couplings.push_back(static_cast<int>(i));
  for (auto& [name, island] : islands) {
    for (int group = 0; group < sets.size(); ++group) {
      if (sets.find(group) == name) island.groups.push_back(tree.groups()[static_cast<std::size_t>(group)]);
    }
    add_island(tree, std::move(island));
  }
}

void LoopSet::add_island(const Tree& tree, LoopIsland island) {
  std::map<int, IndexRange> reached;  // by place among the articulated links
  const auto reach = [&](int end, IndexRange rows) {
    for (int link = end; link != kWorld; link = tree.link(link).parent) {
      if (tree.is_static(link)) break;
      const auto [entry, is_new] = reached.emplace(tree.link(link).articulated_index, rows);
      entry->second.begin = std::min(entry->second.begin, rows.begin);
      entry->second.end = std::max(entry->second.end, rows.end);
    }
  };
  double size = 0.0;
  const auto measure = [&](int link, const Pose& X) {
    if (moves(tree, link)) size = std::max(size, (X.p - tree.link(link).mass.center_of_mass).norm());
  };
  for (const int i : island.loops) {
    const Loop& loop = loops_[static_cast<std::size_t>(i)];
    const IndexRange rows{island.num_rows, island.num_rows + loop.num_rows()};
    island.first_row.push_back(rows.begin);
    island.num_rows = rows.end;
    reach(loop.link_a, rows);
    reach(loop.link_b, rows);
    measure(loop.link_a, loop.X_AF);
    measure(loop.link_b, loop.X_BM);
  }
  for (const int i : island.couplings) {
    const Coupling& coupling = couplings_[static_cast<std::size_t>(i)];
    const IndexRange row{island.num_rows, island.num_rows + 1};
    island.first_row.push_back(row.begin);
    island.num_rows = row.end;
    reach(coupling.link, row);
    reach(coupling.link_of, row);
  }
  for (const auto& [place, rows] : reached) {
    const int link = tree.articulated_links()[static_cast<std::size_t>(place)];
    island.links.push_back(link);
    island.rows.push_back(rows);
    island.column.push_back(island.num_columns);
    island.num_columns += tree.link(link).num_v;
    measure(link, tree.link(link).X_MB.inverse());
  }
  if (size > 0.0) island.size = size;
  island.scale = VecX::Ones(island.num_rows);
  for (std::size_t l = 0; l < island.loops.size(); ++l) {
    const Loop& loop = loops_[static_cast<std::size_t>(island.loops[l])];
    for (int row = loop.num_travels; row < loop.num_rows(); ++row)
      island.scale[island.first_row[l] + row] = island.size;
  }
  for (std::size_t c = 0; c < island.couplings.size(); ++c) {
    const Coupling& coupling = couplings_[static_cast<std::size_t>(island.couplings[c])];
    if (tree.link(coupling.link).joint == JointType::revolute)
      island.scale[island.first_row[island.loops.size() + c]] = island.size;
  }
  island.is_active.assign(static_cast<std::size_t>(island.num_rows), 1);
  island.num_active = island.rank = island.num_rows;
  islands_.push_back(std::move(island));
}

std::string LoopSet::describe_row(const LoopIsland& island, int row) const {
  std::size_t k = island.first_row.size();
  while (k > 0 && island.first_row[k - 1] > row) --k;
  --k;
  if (k < island.loops.size()) return fmt::format("joint '{}'", loops_[static_cast<std::size_t>(island.loops[k])].name);
  const int coupling = island.couplings[k - island.loops.size()];
  return fmt::format("coupling '{}'", couplings_[static_cast<std::size_t>(coupling)].name);
}

void LoopSet::calc_values(const Tree& tree, const LoopIsland& island, const Kinematics& kinematics,
                          std::span<const double> q, std::span<const double> v, std::vector<LoopGeometry>& geometry,
                          Values& values) const {
  for (VecX* entry : {&values.gap, &values.speed, &values.bias}) entry->resize(island.num_rows);
  geometry.resize(island.loops.size());
  for (std::size_t l = 0; l < island.loops.size(); ++l) {
    calc_loop_geometry(loops_[static_cast<std::size_t>(island.loops[l])], kinematics, geometry[l]);
    const int first = island.first_row[l];
    const Eigen::Index count = geometry[l].gap.size();
    values.gap.segment(first, count) = geometry[l].gap;
    values.speed.segment(first, count) = geometry[l].speed;
    values.bias.segment(first, count) = geometry[l].bias;
  }
  for (std::size_t c = 0; c < island.couplings.size(); ++c) {
    const Coupling& coupling = couplings_[static_cast<std::size_t>(island.couplings[c])];
    const Link &joint = tree.link(coupling.link), &of = tree.link(coupling.link_of);
    const int row = island.first_row[island.loops.size() + c];
    const auto at = [](std::span<const double> all, int i) { return all[static_cast<std::size_t>(i)]; };
    values.gap[row] = at(q, joint.q_start) - coupling.ratio * at(q, of.q_start) - coupling.offset;
    values.speed[row] = at(v, joint.v_start) - coupling.ratio * at(v, of.v_start);
    values.bias[row] = 0.0;
  }
}

MatX LoopSet::calc_jacobian(const Tree& tree, const LoopIsland& island, const Kinematics& kinematics,
                            const std::vector<LoopGeometry>& geometry) const {
  MatX J = MatX::Zero(island.num_rows, island.num_columns);
  std::vector<int> column_of(static_cast<std::size_t>(tree.num_links()), -1);
  for (std::size_t k = 0; k < island.links.size(); ++k)
    column_of[static_cast<std::size_t>(island.links[k])] = island.column[k];
  for (std::size_t l = 0; l < island.loops.size(); ++l) {
    const Loop& loop = loops_[static_cast<std::size_t>(island.loops[l])];
    for (const double sign : {1.0, -1.0}) {
      for (int i = sign > 0.0 ? loop.link_b : loop.link_a; i != kWorld; i = tree.link(i).parent) {
        const Link& link = tree.link(i);
        if (column_of[static_cast<std::size_t>(i)] < 0 || link.num_v == 0) continue;
        const spatial::JointColumns S = spatial::calc_joint_columns(link, kinematics);
        const Vec3 arm = geometry[l].point - kinematics.p_WCm[static_cast<std::size_t>(i)];
        for (int c = 0; c < link.num_v; ++c) {
          J.col(column_of[static_cast<std::size_t>(i)] + c).segment(island.first_row[l], loop.num_rows()) +=
              sign * (geometry[l].wrench.transpose() * spatial::shift_motion(S.col(c), arm));
        }
      }
    }
  }
  for (std::size_t c = 0; c < island.couplings.size(); ++c) {
    const Coupling& coupling = couplings_[static_cast<std::size_t>(island.couplings[c])];
    const int row = island.first_row[island.loops.size() + c];
    J(row, column_of[static_cast<std::size_t>(coupling.link)]) += 1.0;
    J(row, column_of[static_cast<std::size_t>(coupling.link_of)]) -= coupling.ratio;
  }
  return J;
}

}  // namespace abut
