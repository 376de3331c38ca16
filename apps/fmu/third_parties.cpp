// Debian has these two as shared libraries only; a unit brings all its code along.
#include <fmt/format-inl.h>

// What the header declares as instantiated elsewhere.
template auto fmt::detail::thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto fmt::detail::decimal_point_impl(locale_ref) -> char;

#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
