#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "abut/geometry/aabb.hpp"

namespace abut {

/// Finds all overlapping pairs among many boxes, in time linear in boxes and pairs.
///
/// A hierarchical hashed grid [Ericson 2005, 7.2]: the cells of level e are cubes
/// of edge 2^e m. A box belongs to the finest level whose cells are larger than it, and to one cell there, that of
/// its lower corner. So two boxes of one level overlap only if their cells are neighbours, and a box finds the larger
/// ones in at most 27 cells of each coarser level. Boxes without finite bounds are held against all.
///
/// Nothing is kept between calls but memory: the result depends on the arguments alone, and a call after one of the
/// same size allocates nothing.
class BroadPhase {
 public:
  using Pairs = std::vector<std::pair<int, int>>;

  /// All pairs (i, j), i < j, of overlapping boxes (touching counts), in ascending order; replaces `out`. Pairs of two
  /// static boxes are left out; is_static[i] != 0 marks one. Empty boxes (lower > upper) overlap nothing; a NaN bound
  /// counts as no bound, so that a body gone astray is seen and not lost.
  /// With more pairs than `most` it gives up: returns false, and leaves `out` empty.
  bool find_pairs(std::span<const Aabb> boxes, std::span<const unsigned char> is_static, Pairs& out,
                  std::size_t most = std::numeric_limits<std::size_t>::max());

  /// How many pairs of boxes the last call held against each other: what it cost.
  std::size_t num_compared() const { return num_compared_; }

 private:
  struct CellKey {
    std::int64_t x, y, z;
    int exponent;
    bool operator==(const CellKey&) const = default;
  };
  struct Cell {
    CellKey key;
    int begin, end;  // range in items_
  };
  struct Item {
    Aabb box;
    int index;
    bool is_static;
  };
  struct Level {
    int exponent;
    int begin, end;  // range in items_
  };

  static CellKey make_key(const Aabb& box);
  void sort_into_cells(std::span<const Aabb> boxes, std::span<const unsigned char> is_static);
  void collect_items(std::span<const Aabb> boxes, std::span<const unsigned char> is_static);
  int find_or_add_cell(const CellKey& key);
  const Cell* find_cell(const CellKey& key) const;
  void place_cells_by_level();

  void pair_range(const Item& item, const Item* begin, const Item* end);
  void pair_within_levels();
  void pair_through_cells(const Item& item, const Level& level);
  void pair_with_coarser_levels();
  void pair_unbounded();
  void sort_pairs(int num_boxes, Pairs& out);

  std::vector<Item> items_;  // finite boxes, by level, within a level by cell
  std::vector<Item> unbounded_;
  std::vector<Level> levels_;  // finest first
  std::vector<Cell> cells_;    // in order of first appearance
  std::vector<int> slots_;     // open addressing: index in cells_, or -1; its size is a power of two

  std::vector<Item> unsorted_;  // work space from here on
  std::vector<int> cell_of_;
  std::vector<int> counts_;
  Pairs found_;  // the first num_found_ are pairs
  std::size_t num_found_ = 0, most_ = 0, num_compared_ = 0;
  Pairs by_second_;
};

}  // namespace abut
