#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abut/scene/field.hpp"
#include "abut/scene/problem_list.hpp"

namespace abut {

/// A value as it was written between quotes, entities resolved; `where` is its first character.
struct XmlAttribute {
  std::string name;
  std::string value;
  SourceLocation where;
};

/// An element with the place of its name, so that whoever reads it can say where a mistake is.
struct XmlElement {
  std::string name;
  SourceLocation where;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  std::string text;  ///< of all its text and CDATA, in order

  const XmlAttribute* find_attribute(std::string_view key) const;
  /// The value, or empty.
  std::string attribute(std::string_view key) const;
  /// The first child of that name.
  const XmlElement* find(std::string_view child) const;
};

/// Reads a document in UTF-8: elements, attributes, text, CDATA, character references and the five named entities;
/// comments, processing instructions and a document type are passed over. No entity of a document type is expanded and
/// no file is opened: what would need that is refused. Namespaces stay in the names ("xacro:macro"). Nothing when the
/// text is not well formed; the reason with its place is then the one problem added.
std::optional<XmlElement> parse_xml(std::string_view text, const std::string& file, ProblemList& problems);

}  // namespace abut
