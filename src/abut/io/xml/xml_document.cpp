#include "abut/io/xml/xml_document.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace abut {
namespace {

/// Deeper nesting is no robot and no mesh.
constexpr int kMostLevels = 256;
/// Shown of a word that is not understood.
constexpr std::size_t kShown = 40;

struct Defect {
  std::size_t position;
  std::string message;
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
/// Where a name ends; what else may be in one is left to who reads it.
bool ends_name(char c) { return is_blank(c) || c == '=' || c == '>' || c == '/' || c == '<' || c == '"' || c == '\''; }

std::string to_utf8(unsigned long code) {
  const auto tail = [code](int shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0 | (code >> 6)), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xE0 | (code >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | (code >> 18)), tail(12), tail(6), tail(0)};
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : text_(text), file_(file) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = counted_ = 3;
  }

  XmlElement parse_document() {
    skip_misc();
    if (at_ >= text_.size()) fail(at_, "there is no element in this file");
    XmlElement root = parse_element(0);
    skip_misc();
    if (at_ < text_.size()) fail(at_, fmt::format("nothing may follow </{}>", root.name));
    return root;
  }

  /// Positions have to be asked for in rising order, but for the last one.
  SourceLocation locate(std::size_t position, std::size_t length = 1) {
    if (position < counted_) counted_ = 0, line_ = column_ = 1;
    for (; counted_ < std::min(position, text_.size()); ++counted_) {
      const char c = text_[counted_];
      if (c == '\n') {
        ++line_;
        column_ = 1;
      } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
        ++column_;
      }
    }
    return {file_, line_, column_, static_cast<int>(length)};
  }

 private:
  [[noreturn]] static void fail(std::size_t position, std::string message) {
    throw Defect{position, std::move(message)};
  }
  bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  void skip_past(std::string_view end, std::string_view what) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) fail(at_, fmt::format("{} is not closed by {}", what, end));
    at_ = found + end.size();
  }

  /// True when something was there that is no element and no text.
  bool skip_aside() {
    if (starts("<!--")) return skip_past("-->", "this comment"), true;
    if (starts("<?")) return skip_past("?>", "this instruction"), true;
    return false;
  }

  void skip_misc() {
    while (true) {
      skip_blanks();
      if (skip_aside()) continue;
      if (!starts("<!DOCTYPE")) break;
      const std::size_t end = text_.find_first_of("[>", at_);
      if (end == std::string_view::npos || text_[end] == '[')
        fail(at_, "a document type with declarations of its own is not read");
      at_ = end + 1;
    }
    if (at_ < text_.size() && text_[at_] != '<') fail(at_, "text stands outside of all elements; this is no XML");
  }

  std::string parse_name(const char* what) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !ends_name(text_[at_])) ++at_;
    if (at_ == begin) fail(at_, fmt::format("{} is missing", what));
    return std::string(text_.substr(begin, at_ - begin));
  }

  /// Appends what stands for the entity that begins here.
  void parse_entity(std::string& value) {
    const std::size_t begin = at_, end = text_.find(';', at_);
    const std::string_view name =
        end == std::string_view::npos ? text_.substr(at_ + 1, kShown) : text_.substr(at_ + 1, end - at_ - 1);
    constexpr std::pair<std::string_view, char> kNamed[] = {
        {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
    const auto* known =
        std::find_if(std::begin(kNamed), std::end(kNamed), [&](const auto& n) { return n.first == name; });
    if (end != std::string_view::npos && known != std::end(kNamed)) {
      value += known->second;
    } else if (end != std::string_view::npos && name.starts_with('#')) {
      const bool is_hex = name.substr(1).starts_with('x');
      const std::string_view digits = name.substr(is_hex ? 2 : 1);
      unsigned long code = 0;
      const auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
      const bool is_whole = error == std::errc() && last == digits.data() + digits.size() && !digits.empty();
      if (!is_whole || code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        fail(begin, fmt::format("&{}; is no character", name.substr(0, kShown)));
      value += to_utf8(code);
    } else {
      fail(begin, fmt::format("&{} is no entity; a & by itself is written &amp;", name.substr(0, kShown)));
    }
    at_ = end + 1;
  }

  void parse_attribute(XmlElement& element) {
    XmlAttribute attribute;
    const std::size_t begin = at_;
    attribute.name = parse_name("the name of an attribute");
    const bool is_double = element.find_attribute(attribute.name) != nullptr;
    if (is_double) fail(begin, fmt::format("<{}> has two attributes {}", element.name, attribute.name));
    skip_blanks();
    if (!starts("=")) fail(at_, fmt::format("attribute {} of <{}> has no value", attribute.name, element.name));
    ++at_;
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '"' && quote != '\'')
      fail(at_, fmt::format("the value of {} in <{}> is not between quotes", attribute.name, element.name));
    const std::size_t value = ++at_;
    const std::size_t end = text_.find(quote, at_);
    const std::size_t bracket = text_.find('<', at_);
    if (end == std::string_view::npos || bracket < end)
      fail(value - 1, fmt::format("the value of {} in <{}> is not closed by {}", attribute.name, element.name, quote));
    attribute.where = locate(value, std::max<std::size_t>(1, end - value));
    while (at_ < end) {
      if (text_[at_] == '&') {
        parse_entity(attribute.value);
      } else {
        attribute.value += is_blank(text_[at_]) ? ' ' : text_[at_];
        ++at_;
      }
    }
    at_ = end + 1;
    element.attributes.push_back(std::move(attribute));
  }

  XmlElement parse_element(int level) {
    if (level > kMostLevels) fail(at_, fmt::format("elements are nested more than {} deep", kMostLevels));
    XmlElement element;
    const std::size_t begin = ++at_;
    element.name = parse_name("the name of an element");
    element.where = locate(begin, element.name.size());
    while (true) {
      const std::size_t before = at_;
      skip_blanks();
      if (at_ >= text_.size() || text_[at_] == '<') fail(begin, fmt::format("<{} is not closed by >", element.name));
      if (starts("/>")) return at_ += 2, element;
      if (starts(">")) break;
      if (starts("/")) fail(at_, fmt::format("a / inside of <{}> is not followed by >", element.name));
      if (at_ == before) fail(at_, fmt::format("a blank is missing in <{}>", element.name));
      parse_attribute(element);
    }
    ++at_;
    parse_content(element, begin, level);
    return element;
  }

  void parse_content(XmlElement& element, std::size_t begin, int level) {
    while (true) {
      if (at_ >= text_.size()) fail(begin, fmt::format("<{0}> is not closed by </{0}>", element.name));
      if (text_[at_] == '&') {
        parse_entity(element.text);
      } else if (text_[at_] != '<') {
        element.text += text_[at_++];
      } else if (starts("<![CDATA[")) {
        const std::size_t first = at_ + 9;
        skip_past("]]>", "this CDATA section");
        element.text += text_.substr(first, at_ - 3 - first);
      } else if (starts("</")) {
        const std::size_t place = at_ + 2;
        at_ = place;
        const std::string name = parse_name("the name of an element");
        if (name != element.name)
          fail(place, fmt::format("</{}> closes <{}> of line {}", name, element.name, element.where.line));
        skip_blanks();
        if (!starts(">")) fail(at_, fmt::format("</{}> is not closed by >", name));
        ++at_;
        return;
      } else if (!skip_aside()) {
        element.children.push_back(parse_element(level + 1));
      }
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t counted_ = 0;  ///< up to where lines and columns are known
  int line_ = 1, column_ = 1;
};

}  // namespace

const XmlAttribute* XmlElement::find_attribute(std::string_view key) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(), [&](const auto& a) { return a.name == key; });
  return found == attributes.end() ? nullptr : &*found;
}

std::string XmlElement::attribute(std::string_view key) const {
  const XmlAttribute* found = find_attribute(key);
  return found == nullptr ? std::string() : found->value;
}

const XmlElement* XmlElement::find(std::string_view child) const {
  const auto found = std::find_if(children.begin(), children.end(), [&](const auto& c) { return c.name == child; });
  return found == children.end() ? nullptr : &*found;
}

std::optional<XmlElement> parse_xml(std::string_view text, const std::string& file, ProblemList& problems) {
  Parser parser(text, file);
  try {
    return parser.parse_document();
  } catch (const Defect& defect) {
    problems.add(parser.locate(defect.position), fmt::format("this is not valid XML: {}", defect.message));
    return std::nullopt;
  }
}

}  // namespace abut
