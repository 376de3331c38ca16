#include "abut/io/scene_reference.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

#include "abut/io/text_file.hpp"

namespace abut {
namespace {

const std::string kPath = ABUT_SOURCE_DIR "/docs/scene.md";

void update_page(const std::string& reference) {
  const std::string page = read_text_file(kPath);
  const std::size_t begin = page.find("<!-- reference: begin"), end = page.find("<!-- reference: end");
  ASSERT_NE(end, std::string::npos);
  const std::size_t start = page.find('\n', begin) + 1;
  write_text_file_atomically(kPath, page.substr(0, start) + reference + page.substr(end));
}

TEST(SceneReference, PageContainsTheGeneratedText) {
  const std::string reference = make_scene_reference();
  if (std::getenv("ABUT_UPDATE_DOCS") != nullptr) update_page(reference);
  EXPECT_NE(read_text_file(kPath).find(reference), std::string::npos)
      << "docs/scene.md is out of date; run with ABUT_UPDATE_DOCS=1";
}

TEST(SceneReference, DescribesKeysWithUnitsAndDefaults) {
  const std::string reference = make_scene_reference();
  for (const char* row :
       {"| `duration` | number > 0, <= 1e+09 | s | **required** | Simulated time; at 1e9 s",
        "| `method` | one of `adaptive`, `explicit`, `lcp`, `ncp`, `micro` |  | `\"adaptive\"` |",
        "| `gravity` | [x, y, z] | m/s^2 | `[0.0, 0.0, -9.81]` | Acceleration of free fall. |", "### `contact.normal`",
        "### `body.shape`", "`type = \"half-space\"`: Everything below the plane",
        "| `parent` | string |  | `\"world\"` | Body that carries the joint, or `world`. |",
        "| `tau_dwell` | number >= 0 | s | 0 |"}) {
    EXPECT_NE(reference.find(row), std::string::npos) << row;
  }
}

TEST(SceneReference, DescribesASharedTableOnce) {
  const std::string reference = make_scene_reference();
  const std::string row = "| `axis` | [x, y, z] | 1 | **required** | Axis of the turn; any length but zero. |";
  const std::size_t first = reference.find(row);
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(reference.find(row, first + 1), std::string::npos);
}

}  // namespace
}  // namespace abut
