#include "abut/serve/detail/embedded_page.hpp"

extern "C" {
extern const char abut_page_begin[];
extern const char abut_page_end[];
}

namespace abut {

std::string_view embedded_page() {
  return {abut_page_begin, static_cast<std::size_t>(abut_page_end - abut_page_begin)};
}

}  // namespace abut
