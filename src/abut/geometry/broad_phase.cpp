#include "abut/geometry/broad_phase.hpp"

#include <algorithm>
#include <cmath>

#include "abut/base/error.hpp"

namespace abut {
namespace {

/// A cell is larger than its boxes by this factor at least, so that rounding in upper - lower cannot hide a neighbour.
constexpr double kSlack = 1.0 + 1e-9;
/// Cell numbers stay below 2^40 in magnitude: exact in a double, far from the end of an int64. Boxes smaller than
/// 1e-12 of their distance from the origin share larger cells instead.
constexpr int kIndexBits = 40;
/// Keeps 2^-exponent a finite double.
constexpr int kMinExponent = -1000;
/// Up to this many boxes in a level, looking at each is cheaper than looking up cells.
constexpr int kFewItems = 16;

/// Half of the 26 neighbours; the other half finds us.
constexpr int kForward[13][3] = {{1, 0, 0},  {-1, 1, 0}, {0, 1, 0}, {1, 1, 0},  {-1, -1, 1}, {0, -1, 1}, {1, -1, 1},
                                 {-1, 0, 1}, {0, 0, 1},  {1, 0, 1}, {-1, 1, 1}, {0, 1, 1},   {1, 1, 1}};

/// e with x < 2^e, for x >= 0.
int calc_exponent(double x) {
  int exponent = kMinExponent;
  if (x > 0.0) std::frexp(x, &exponent);
  return exponent;
}

/// Power-of-two scaling is exact, so that all boxes see the same cell borders.
std::int64_t calc_cell_index(double x, int exponent) {
  return static_cast<std::int64_t>(std::floor(x * std::ldexp(1.0, -exponent)));
}

std::uint64_t mix(std::uint64_t h, std::uint64_t value) {
  h ^= value + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
  h *= 0xff51afd7ed558ccdULL;
  return h ^ (h >> 32);
}

template <class Key>
std::uint64_t calc_hash(const Key& key) {
  const auto bits = [](auto value) { return static_cast<std::uint64_t>(value); };
  return mix(mix(mix(bits(key.exponent), bits(key.x)), bits(key.y)), bits(key.z));
}

bool is_empty(const Aabb& box) { return (box.lower.array() > box.upper.array()).any(); }

}  // namespace

bool BroadPhase::find_pairs(std::span<const Aabb> boxes, std::span<const unsigned char> is_static, Pairs& out,
                            std::size_t most) {
  ABUT_REQUIRE(boxes.size() == is_static.size(), "{} boxes but {} static marks", boxes.size(), is_static.size());
  num_found_ = num_compared_ = 0;
  most_ = most;
  sort_into_cells(boxes, is_static);
  pair_within_levels();
  pair_with_coarser_levels();
  pair_unbounded();
  if (num_found_ > most) {
    out.clear();
    return false;
  }
  sort_pairs(static_cast<int>(boxes.size()), out);
  return true;
}

BroadPhase::CellKey BroadPhase::make_key(const Aabb& box) {
  const double size = (box.upper - box.lower).maxCoeff();
  const double reach = std::max(box.lower.cwiseAbs().maxCoeff(), box.upper.cwiseAbs().maxCoeff());
  const int exponent = std::max({calc_exponent(size * kSlack), calc_exponent(reach) - kIndexBits, kMinExponent});
  return {calc_cell_index(box.lower.x(), exponent), calc_cell_index(box.lower.y(), exponent),
          calc_cell_index(box.lower.z(), exponent), exponent};
}

void BroadPhase::sort_into_cells(std::span<const Aabb> boxes, std::span<const unsigned char> is_static) {
  collect_items(boxes, is_static);
  std::size_t num_slots = 16;
  while (num_slots < 2 * unsorted_.size()) num_slots *= 2;
  slots_.assign(num_slots, -1);
  cells_.clear();
  cell_of_.clear();
  for (const Item& item : unsorted_) {
    const int cell = find_or_add_cell(make_key(item.box));
    ++cells_[cell].end;  // a count until the cells are placed
    cell_of_.push_back(cell);
  }
  place_cells_by_level();
  items_.resize(unsorted_.size());
  for (std::size_t i = 0; i < unsorted_.size(); ++i) items_[cells_[cell_of_[i]].end++] = unsorted_[i];
}

void BroadPhase::collect_items(std::span<const Aabb> boxes, std::span<const unsigned char> is_static) {
  unsorted_.clear();
  unbounded_.clear();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (is_empty(boxes[i])) continue;
    // The extent overflows before its bounds do; such a box is as good as unbounded.
    const bool is_bounded = boxes[i].lower.allFinite() && boxes[i].upper.allFinite() &&
                            ((boxes[i].upper - boxes[i].lower) * 2.0).allFinite();
    (is_bounded ? unsorted_ : unbounded_).push_back({boxes[i], static_cast<int>(i), is_static[i] != 0});
  }
}

int BroadPhase::find_or_add_cell(const CellKey& key) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = calc_hash(key) & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot] < 0) {
      slots_[slot] = static_cast<int>(cells_.size());
      cells_.push_back({key, 0, 0});
      return slots_[slot];
    }
    if (cells_[slots_[slot]].key == key) return slots_[slot];
  }
}

const BroadPhase::Cell* BroadPhase::find_cell(const CellKey& key) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = calc_hash(key) & mask; slots_[slot] >= 0; slot = (slot + 1) & mask) {
    if (cells_[slots_[slot]].key == key) return &cells_[slots_[slot]];
  }
  return nullptr;
}

/// Gives each level, and in it each cell, its range of items; the ranges start empty and are filled by the caller.
void BroadPhase::place_cells_by_level() {
  levels_.clear();
  const auto find_level = [this](int exponent) {
    return std::lower_bound(levels_.begin(), levels_.end(), exponent,
                            [](const Level& level, int e) { return level.exponent < e; });
  };
  for (const Cell& cell : cells_) {
    auto level = find_level(cell.key.exponent);
    if (level == levels_.end() || level->exponent != cell.key.exponent) {
      level = levels_.insert(level, {cell.key.exponent, 0, 0});
    }
    level->end += cell.end;
  }
  int next = 0;
  for (Level& level : levels_) {
    const int count = level.end;
    level.begin = level.end = next;
    next += count;
  }
  for (Cell& cell : cells_) {
    const auto level = find_level(cell.key.exponent);
    const int count = cell.end;
    cell.begin = cell.end = level->end;
    level->end += count;
  }
}

/// Writes every candidate and keeps it by advancing: one in a few overlaps, which no branch predictor guesses.
void BroadPhase::pair_range(const Item& item, const Item* begin, const Item* end) {
  if (num_found_ > most_) return;
  const auto count = static_cast<std::size_t>(end - begin);
  const std::size_t needed = num_found_ + count;
  num_compared_ += count;
  if (needed > found_.size()) found_.resize(2 * needed);
  for (const Item* other = begin; other != end; ++other) {
    found_[num_found_] = {std::min(item.index, other->index), std::max(item.index, other->index)};
    const bool is_pair = is_overlapping(item.box, other->box) & !(item.is_static & other->is_static);
    num_found_ += static_cast<std::size_t>(is_pair);
  }
}

void BroadPhase::pair_within_levels() {
  const Item* items = items_.data();
  for (const Cell& cell : cells_) {
    for (int k = cell.begin; k < cell.end; ++k) pair_range(items[k], items + k + 1, items + cell.end);
    for (const auto& step : kForward) {
      const CellKey& key = cell.key;
      const Cell* next = find_cell({key.x + step[0], key.y + step[1], key.z + step[2], key.exponent});
      if (next == nullptr) continue;
      for (int k = cell.begin; k < cell.end; ++k) pair_range(items[k], items + next->begin, items + next->end);
    }
  }
}

void BroadPhase::pair_through_cells(const Item& item, const Level& level) {
  std::int64_t first[3];
  std::int64_t last[3];
  for (int i = 0; i < 3; ++i) {
    // A box of this level reaches less than one cell up from its own.
    first[i] = calc_cell_index(item.box.lower[i], level.exponent) - 1;
    last[i] = calc_cell_index(item.box.upper[i], level.exponent);
  }
  for (std::int64_t z = first[2]; z <= last[2]; ++z) {
    for (std::int64_t y = first[1]; y <= last[1]; ++y) {
      for (std::int64_t x = first[0]; x <= last[0]; ++x) {
        const Cell* cell = find_cell({x, y, z, level.exponent});
        if (cell != nullptr) pair_range(item, items_.data() + cell->begin, items_.data() + cell->end);
      }
    }
  }
}

void BroadPhase::pair_with_coarser_levels() {
  for (std::size_t fine = 0; fine < levels_.size(); ++fine) {
    for (std::size_t coarse = fine + 1; coarse < levels_.size(); ++coarse) {
      const Level& level = levels_[coarse];
      const bool has_few = level.end - level.begin <= kFewItems;
      for (int k = levels_[fine].begin; k < levels_[fine].end; ++k) {
        if (has_few)
          pair_range(items_[k], items_.data() + level.begin, items_.data() + level.end);
        else
          pair_through_cells(items_[k], level);
      }
    }
  }
}

void BroadPhase::pair_unbounded() {
  for (std::size_t i = 0; i < unbounded_.size(); ++i) {
    pair_range(unbounded_[i], items_.data(), items_.data() + items_.size());
    pair_range(unbounded_[i], unbounded_.data() + i + 1, unbounded_.data() + unbounded_.size());
  }
}

/// Two stable counting passes, by second and then by first: comparison sorting would cost more than finding the pairs.
void BroadPhase::sort_pairs(int num_boxes, Pairs& out) {
  const auto pass = [&](std::span<const std::pair<int, int>> from, Pairs& to, auto key) {
    counts_.assign(static_cast<std::size_t>(num_boxes) + 1, 0);
    to.resize(from.size());
    for (const auto& pair : from) ++counts_[key(pair) + 1];
    for (int i = 0; i < num_boxes; ++i) counts_[i + 1] += counts_[i];
    for (const auto& pair : from) to[counts_[key(pair)]++] = pair;
  };
  pass(std::span(found_).first(num_found_), by_second_, [](const auto& pair) { return pair.second; });
  pass(by_second_, out, [](const auto& pair) { return pair.first; });
}

}  // namespace abut
