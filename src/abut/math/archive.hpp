#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "abut/base/error.hpp"
#include "abut/base/fields.hpp"
#include "abut/math/pose.hpp"

namespace abut {

using Bytes = std::vector<std::byte>;

namespace archive_detail {

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <class T, class Archive>
concept Visited = requires(T& value, Archive& archive) {
  value.visit(archive);
};

/// Matrices of Eigen, of fixed or free size.
template <class T>
concept MatrixLike = requires(T& value) {
  typename T::Scalar;
  value.data();
  value.rows();
  value.resize(1, 1);
};

template <class T>
struct is_std_array : std::false_type {};
template <class T, std::size_t N>
struct is_std_array<std::array<T, N>> : std::true_type {};

}  // namespace archive_detail

/// Values as bytes, and back: one list of members serves both ways.
///
///   struct Hop { double height; std::vector<int> feet; };       // an aggregate needs nothing
///   class Jump { template <class Archive> void visit(Archive& archive) { archive(hop_, count_); } ... };
///
/// Numbers keep their bits; they are in the order of this machine's bytes. Writers leave values as they are; readers
/// replace them, and throw InputError where the bytes end too early or a count cannot be true.
template <bool is_reading>
class ArchiveBase {
 public:
  static constexpr bool kIsReading = is_reading;

  template <class... Ts>
  void operator()(Ts&&... values) {
    (exchange(values), ...);
  }

 protected:
  ArchiveBase() = default;
  explicit ArchiveBase(std::span<const std::byte> input) : input_(input) {}

  Bytes output_;
  std::span<const std::byte> input_;

 private:
  using Self = std::conditional_t<is_reading, class ByteReader, class ByteWriter>;

  void raw(void* data, std::size_t size) {
    if (size == 0) return;
    if constexpr (is_reading) {
      if (size > input_.size()) throw InputError("the saved bytes end too early");
      std::memcpy(data, input_.data(), size);
      input_ = input_.subspan(size);
    } else {
      const auto* bytes = static_cast<const std::byte*>(data);
      output_.insert(output_.end(), bytes, bytes + size);
    }
  }

  /// Number of elements that follow, each of at least one byte.
  std::size_t count(std::size_t size) {
    std::uint64_t number = size;
    raw(&number, sizeof number);
    if (is_reading && number > input_.size()) throw InputError("the saved bytes name more elements than they hold");
    return static_cast<std::size_t>(number);
  }

  template <class T>
  void exchange(T& value) {
    using namespace archive_detail;
    if constexpr (std::is_same_v<T, bool>) {
      auto byte = static_cast<std::uint8_t>(value);
      raw(&byte, 1);
      value = byte != 0;
    } else if constexpr (Plain<T>) {
      raw(&value, sizeof value);
    } else if constexpr (MatrixLike<T>) {
      matrix(value);  // before the next: Eigen has a member of that name
    } else if constexpr (Visited<T, Self>) {
      value.visit(static_cast<Self&>(*this));
    } else if constexpr (is_std_array<T>::value) {
      for (auto& element : value) exchange(element);
    } else {
      for_each_field(value, [this](auto& field) { exchange(field); });
    }
  }

  template <class T>
  void matrix(T& value) {
    auto rows = static_cast<std::int64_t>(value.rows()), columns = static_cast<std::int64_t>(value.cols());
    raw(&rows, sizeof rows);
    raw(&columns, sizeof columns);
    if constexpr (is_reading) {
      const bool is_sane =
          rows >= 0 && columns >= 0 && (columns == 0 || rows <= static_cast<std::int64_t>(input_.size()) / columns);
      const bool fits = (T::RowsAtCompileTime < 0 || T::RowsAtCompileTime == rows) &&
                        (T::ColsAtCompileTime < 0 || T::ColsAtCompileTime == columns);
      if (!is_sane || !fits) throw InputError("the saved bytes hold a matrix of another size");
      value.resize(rows, columns);
    }
    raw(value.data(), static_cast<std::size_t>(rows * columns) * sizeof(typename T::Scalar));
  }

  void exchange(Pose& pose) {
    exchange(pose.R);
    exchange(pose.p);
  }

  void exchange(std::string& text) {
    const std::size_t size = count(text.size());
    if constexpr (is_reading) text.resize(size);
    raw(text.data(), size);
  }

  template <class T>
  void exchange(std::vector<T>& list) {
    const std::size_t size = count(list.size());
    if constexpr (is_reading) {
      list.clear();
      list.resize(size);
    }
    if constexpr (archive_detail::Plain<T>) {
      raw(list.data(), size * sizeof(T));
    } else {
      for (T& element : list) exchange(element);
    }
  }

  template <class A, class B>
  void exchange(std::pair<A, B>& both) {
    exchange(both.first);
    exchange(both.second);
  }

  template <class T>
  void exchange(std::optional<T>& maybe) {
    bool has_value = maybe.has_value();
    exchange(has_value);
    if constexpr (is_reading) {
      maybe.reset();
      if (has_value) maybe.emplace();
    }
    if (has_value) exchange(*maybe);
  }

  template <class Key>
  void exchange(std::set<Key>& set) {
    std::vector<Key> list(set.begin(), set.end());
    exchange(list);
    if constexpr (is_reading) set = std::set<Key>(list.begin(), list.end());
  }

  template <class Key, class Value>
  void exchange(std::map<Key, Value>& map) {
    const std::size_t size = count(map.size());
    if constexpr (is_reading) {
      map.clear();
      for (std::size_t i = 0; i < size; ++i) {
        std::pair<Key, Value> entry;
        exchange(entry);
        map.insert(std::move(entry));
      }
    } else {
      for (auto& [key, value] : map) {
        Key copy = key;
        exchange(copy);
        exchange(value);
      }
    }
  }
};

class ByteWriter : public ArchiveBase<false> {
 public:
  Bytes take() { return std::move(output_); }
};

class ByteReader : public ArchiveBase<true> {
 public:
  explicit ByteReader(std::span<const std::byte> input) : ArchiveBase(input) {}
  /// Throws InputError unless everything has been read.
  void finish() const {
    if (!input_.empty()) throw InputError("the saved bytes hold more than was asked for");
  }
};

}  // namespace abut
