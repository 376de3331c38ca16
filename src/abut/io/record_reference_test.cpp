#include "abut/io/record_reference.hpp"

#include <cstdlib>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/io/text_file.hpp"
#include "abut/scene/record.hpp"

namespace abut {
namespace {

const std::string kPath = ABUT_SOURCE_DIR "/docs/records.md";

void update_page(const std::string& reference) {
  const std::string page = read_text_file(kPath);
  const std::size_t begin = page.find("<!-- reference: begin"), end = page.find("<!-- reference: end");
  ASSERT_NE(end, std::string::npos);
  const std::size_t start = page.find('\n', begin) + 1;
  write_text_file_atomically(kPath, page.substr(0, start) + reference + page.substr(end));
}

TEST(RecordReference, PageContainsTheGeneratedText) {
  const std::string reference = make_record_reference();
  if (std::getenv("ABUT_UPDATE_DOCS") != nullptr) update_page(reference);
  EXPECT_NE(read_text_file(kPath).find(reference), std::string::npos)
      << "docs/records.md is out of date; run with ABUT_UPDATE_DOCS=1";
}

TEST(RecordReference, EveryRowSaysWhatItIs) {
  std::set<std::string> names;
  std::set<int> ranks;
  for (const ContactColumn& column : kContactColumns) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
    EXPECT_NE(std::string(column.unit), "") << column.name;
    EXPECT_NE(std::string(column.doc), "") << column.name;
    const bool is_plotted = column.title[0] != '\0';
    EXPECT_EQ(is_plotted, column.joining != PatchJoining::none) << column.name;
    if (is_plotted) {
      EXPECT_TRUE(ranks.insert(column.rank).second) << column.name;
    }
    EXPECT_EQ(find_contact_column(column.name), &column);
  }
  EXPECT_EQ(find_contact_column("age"), nullptr);
}

TEST(RecordReference, WordsOfEventsAreThoseOfTheirNumbers) {
  std::string words;
  for (const auto& [kind, name] : EnumNames<ContactEventKind>::values)
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", static_cast<int>(kind), name);
  for (const auto& column : kEventColumns) {
    if (column.word == nullptr) continue;
    EXPECT_EQ(column.parts, words);
  }
}

}  // namespace
}  // namespace abut
