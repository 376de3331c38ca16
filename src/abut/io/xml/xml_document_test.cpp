#include "abut/io/xml/xml_document.hpp"

#include <gtest/gtest.h>

namespace abut {
namespace {

/// "line:column message" of the only problem.
std::string problem_of(const std::string& text) {
  ProblemList problems;
  if (parse_xml(text, "x.xml", problems)) return "read";
  const std::vector<Problem> found = problems.take();
  const std::string prefix = "this is not valid XML: ";
  return std::to_string(found[0].where.line) + ":" + std::to_string(found[0].where.column) + " " +
         found[0].message.substr(prefix.size());
}

TEST(XmlDocument, KnowsElementsAttributesTextAndTheirPlaces) {
  ProblemList problems;
  const auto root = parse_xml(
      "\xEF\xBB\xBF<?xml version='1.0'?>\n<!DOCTYPE a>\n<!-- <b> -->\n<a x='1' y = "
      "\"&lt;&#65;&#x42;&amp;\">one<b/><![CDATA[<two>]]>\n\t"
      "<c:d  z='\xC3\xA9'  w=''/></a>\n<!-- end -->\n",
      "x.xml", problems);
  ASSERT_TRUE(root);
  EXPECT_EQ(root->name, "a");
  EXPECT_EQ(root->where.line, 4);
  EXPECT_EQ(root->where.column, 2);
  EXPECT_EQ(root->attribute("y"), "<AB&");
  EXPECT_EQ(root->find_attribute("y")->where.column, 15);
  EXPECT_EQ(root->text, "one<two>\n\t");
  ASSERT_EQ(root->children.size(), 2u);
  EXPECT_EQ(root->children[1].name, "c:d");
  // Columns count characters: the letter before it has two bytes.
  EXPECT_EQ(root->children[1].find_attribute("w")->where.column, 18);
}

TEST(XmlDocument, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(problem_of("<a>\n <b></c></a>"), "2:7 </c> closes <b> of line 2");
  EXPECT_EQ(problem_of("<a>\n<b>"), "2:2 <b> is not closed by </b>");
  EXPECT_EQ(problem_of("<a x=1/>"), "1:6 the value of x in <a> is not between quotes");
  EXPECT_EQ(problem_of("<a x='1' x='2'/>"), "1:10 <a> has two attributes x");
  EXPECT_EQ(problem_of("<a x='1/>"), "1:6 the value of x in <a> is not closed by '");
  EXPECT_EQ(problem_of("<a>&nbsp;</a>"), "1:4 &nbsp is no entity; a & by itself is written &amp;");
  EXPECT_EQ(problem_of("<a>&#xD800;</a>"), "1:4 &#xD800; is no character");
  EXPECT_EQ(problem_of("<a/><b/>"), "1:5 nothing may follow </a>");
  EXPECT_EQ(problem_of("hello"), "1:1 text stands outside of all elements; this is no XML");
  EXPECT_EQ(problem_of("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>"),
            "1:1 a document type with declarations of its own is not read");
  EXPECT_EQ(problem_of("<a><!-- b</a>"), "1:4 this comment is not closed by -->");
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "<a>";
  EXPECT_EQ(problem_of(deep), "1:772 elements are nested more than 256 deep");
}

}  // namespace
}  // namespace abut
