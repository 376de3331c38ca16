#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace abut {

namespace fields_detail {

/// Stands for a value of any type when an aggregate's members are counted.
struct Anything {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor): never defined
};

template <class T, std::size_t... Is>
constexpr bool takes(std::index_sequence<Is...>) {
  return requires { T{(static_cast<void>(Is), Anything{})...}; };
}

/// Largest number of members looked for.
inline constexpr std::size_t kMostFields = 41;

template <class T, std::size_t N = kMostFields>
constexpr std::size_t count_fields() {
  if constexpr (N == 0) {
    return 0;
  } else if constexpr (takes<T>(std::make_index_sequence<N>{})) {
    return N;
  } else {
    return count_fields<T, N - 1>();
  }
}

}  // namespace fields_detail

/// Calls `use` with each member of an aggregate without base classes and built-in arrays, in the order of declaration:
/// a member that is added later cannot be forgotten.
template <class T, class Use>
void for_each_field(T& value, const Use& use) {
  static_assert(std::is_aggregate_v<T>, "give the class a member `visit`");
  constexpr std::size_t n = fields_detail::count_fields<T>();
  static_assert(n > 0 && n < fields_detail::kMostFields, "too many members, or members that cannot be counted");
  if constexpr (n == 1) {
    auto& [m0] = value;
    (use(m0));
  } else if constexpr (n == 2) {
    auto& [m0, m1] = value;
    (use(m0), use(m1));
  } else if constexpr (n == 3) {
    auto& [m0, m1, m2] = value;
    (use(m0), use(m1), use(m2));
  } else if constexpr (n == 4) {
    auto& [m0, m1, m2, m3] = value;
    (use(m0), use(m1), use(m2), use(m3));
  } else if constexpr (n == 5) {
    auto& [m0, m1, m2, m3, m4] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4));
  } else if constexpr (n == 6) {
    auto& [m0, m1, m2, m3, m4, m5] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5));
  } else if constexpr (n == 7) {
    auto& [m0, m1, m2, m3, m4, m5, m6] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6));
  } else if constexpr (n == 8) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7));
  } else if constexpr (n == 9) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8));
  } else if constexpr (n == 10) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9));
  } else if constexpr (n == 11) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10));
  } else if constexpr (n == 12) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11));
  } else if constexpr (n == 13) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12));
  } else if constexpr (n == 14) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13));
  } else if constexpr (n == 15) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14));
  } else if constexpr (n == 16) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15));
  } else if constexpr (n == 17) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16));
  } else if constexpr (n == 18) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17));
  } else if constexpr (n == 19) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18));
  } else if constexpr (n == 20) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19));
  } else if constexpr (n == 21) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20));
  } else if constexpr (n == 22) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21));
  } else if constexpr (n == 23) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22] =
        value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22));
  } else if constexpr (n == 24) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
           m23] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22),
     use(m23));
  } else if constexpr (n == 25) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22),
     use(m23), use(m24));
  } else if constexpr (n == 26) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22),
     use(m23), use(m24), use(m25));
  } else if constexpr (n == 27) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22),
     use(m23), use(m24), use(m25), use(m26));
  } else if constexpr (n == 28) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22),
     use(m23), use(m24), use(m25), use(m26), use(m27));
  } else if constexpr (n == 29) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22),
     use(m23), use(m24), use(m25), use(m26), use(m27), use(m28));
  } else if constexpr (n == 30) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22),
     use(m23), use(m24), use(m25), use(m26), use(m27), use(m28), use(m29));
  } else if constexpr (n == 31) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22),
     use(m23), use(m24), use(m25), use(m26), use(m27), use(m28), use(m29), use(m30));
  } else if constexpr (n == 32) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22),
     use(m23), use(m24), use(m25), use(m26), use(m27), use(m28), use(m29), use(m30), use(m31));
  } else if constexpr (n == 33) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22),
     use(m23), use(m24), use(m25), use(m26), use(m27), use(m28), use(m29), use(m30), use(m31), use(m32));
  } else if constexpr (n == 34) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22),
     use(m23), use(m24), use(m25), use(m26), use(m27), use(m28), use(m29), use(m30), use(m31), use(m32), use(m33));
  } else if constexpr (n == 35) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22),
     use(m23), use(m24), use(m25), use(m26), use(m27), use(m28), use(m29), use(m30), use(m31), use(m32), use(m33),
     use(m34));
  } else if constexpr (n == 36) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22),
     use(m23), use(m24), use(m25), use(m26), use(m27), use(m28), use(m29), use(m30), use(m31), use(m32), use(m33),
     use(m34), use(m35));
  } else if constexpr (n == 37) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22),
     use(m23), use(m24), use(m25), use(m26), use(m27), use(m28), use(m29), use(m30), use(m31), use(m32), use(m33),
     use(m34), use(m35), use(m36));
  } else if constexpr (n == 38) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22),
     use(m23), use(m24), use(m25), use(m26), use(m27), use(m28), use(m29), use(m30), use(m31), use(m32), use(m33),
     use(m34), use(m35), use(m36), use(m37));
  } else if constexpr (n == 39) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22),
     use(m23), use(m24), use(m25), use(m26), use(m27), use(m28), use(m29), use(m30), use(m31), use(m32), use(m33),
     use(m34), use(m35), use(m36), use(m37), use(m38));
  } else if constexpr (n == 40) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39] = value;
    (use(m0), use(m1), use(m2), use(m3), use(m4), use(m5), use(m6), use(m7), use(m8), use(m9), use(m10), use(m11),
     use(m12), use(m13), use(m14), use(m15), use(m16), use(m17), use(m18), use(m19), use(m20), use(m21), use(m22),
     use(m23), use(m24), use(m25), use(m26), use(m27), use(m28), use(m29), use(m30), use(m31), use(m32), use(m33),
     use(m34), use(m35), use(m36), use(m37), use(m38), use(m39));
  }
}

}  // namespace abut
