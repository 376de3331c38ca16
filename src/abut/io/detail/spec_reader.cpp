#include "abut/io/detail/spec_reader.hpp"

#include <algorithm>
#include <limits>

#include "abut/base/spelling.hpp"

namespace abut {

std::string describe_expected(const char* kind, const FieldInfo& info) {
  const std::string unit = info.unit;
  return unit.empty() || unit == "1" ? std::string(kind) : fmt::format("{} [{}]", kind, unit);
}

void refuse_word(const toml::node& node, const std::string& word, const FieldInfo& info, const std::string& label,
                 const std::vector<std::string>& allowed, const std::vector<std::string>& planned,
                 ReadContext& context) {
  const std::string hint = fmt::format("{} takes: {}.", info.key, fmt::join(allowed, ", "));
  const bool is_planned = std::find(planned.begin(), planned.end(), word) != planned.end();
  const std::string message =
      is_planned ? fmt::format("{} '{}' is not available in this version, in {}", info.key, word, label)
                 : fmt::format("unknown {} '{}' in {}.{}", info.key, word, label, suggest(word, allowed));
  context.problems.add(locate(node.source(), context.file), message, hint, word, allowed);
}

SpecReader::SpecReader(const toml::table& table, Located& owner, std::string label, ReadContext& context)
    : table_(table), owner_(owner), label_(std::move(label)), subject_(label_), context_(context) {
  if (label_.empty()) {
    label_ = "the scene";
    subject_ = "A scene";
  }
}

const toml::node* SpecReader::find_node(const FieldInfo& info) {
  known_keys_.emplace_back(info.key);
  known_spellings_.insert(info.key);
  const toml::node* node = table_.get(info.key);
  if (info.alias[0] != '\0') {
    known_spellings_.insert(info.alias);
    const toml::node* other = table_.get(info.alias);
    if (node != nullptr && other != nullptr) {
      context_.problems.add(locate(other->source(), context_.file),
                            fmt::format("{} and {} are two spellings of one key", info.key, info.alias));
    }
    if (node == nullptr) node = other;
  }
  if (node == nullptr) {
    if (info.required) missing_keys_.emplace_back(info.key);
    return nullptr;
  }
  owner_.key_locations[info.key] = locate(node->source(), context_.file);
  return node;
}

void SpecReader::finish() {
  if (knows_keys_) {
    for (const auto& [key, node] : table_) {
      if (!known_spellings_.contains(std::string(key.str()))) report_unknown_key(key, node);
    }
  }
  for (const std::string& key : missing_keys_) {
    if (!owner_.unusable_keys.insert(key).second && key != "type" && key != "law" && key != "kind") continue;
    context_.problems.add(owner_.where, fmt::format("missing key '{}' in {}", key, label_),
                          hint_.empty() ? fmt::format("{} takes: {}.", subject_, fmt::join(known_keys_, ", ")) : hint_);
  }
}

void SpecReader::note_places(const toml::node& node, const FieldInfo& info) {
  const toml::array* array = node.as_array();
  for (std::size_t i = 0; array != nullptr && i < array->size(); ++i)
    owner_.key_locations[fmt::format("{}[{}]", info.key, i)] = locate(array->get(i)->source(), context_.file);
}

void SpecReader::report_unknown_key(const toml::key& key, const toml::node& node) {
  const std::string name(key.str());
  const bool is_override = node.source().path && node.source().path->starts_with("--set");
  const std::string nearest = nearest_spelling(name, known_keys_);
  // The intended key is there, only misspelt: its absence is no second mistake.
  if (!nearest.empty()) owner_.unusable_keys.insert(nearest);
  context_.problems.add(locate(is_override ? node.source() : key.source(), context_.file),
                        fmt::format("unknown key '{}' in {}.{}", name, label_, suggest(name, known_keys_)),
                        hint_.empty() ? fmt::format("{} takes: {}.", subject_, fmt::join(known_keys_, ", ")) : hint_,
                        name, known_keys_);
}

bool SpecReader::refuse(const toml::node& node, const FieldInfo& info, const std::string& expected) {
  context_.problems.add(locate(node.source(), context_.file),
                        fmt::format("{} must be {}, found {} in {}", info.key, expected, describe_node(node), label_),
                        {}, describe_node(node), {expected});
  return false;
}

bool SpecReader::read(const toml::node& node, int& member, const FieldInfo& info) {
  const toml::value<std::int64_t>* number = node.as_integer();
  const bool fits =
      number != nullptr && **number <= std::numeric_limits<int>::max() && **number >= std::numeric_limits<int>::min();
  if (!fits) return refuse(node, info, describe_expected("an integer", info));
  member = static_cast<int>(**number);
  return true;
}

std::string SpecReader::make_label(const FieldInfo& info) const {
  return label_ == "the scene" ? fmt::format("[{}]", info.key) : fmt::format("{} {}", label_, info.key);
}

std::string SpecReader::make_entry_label(const FieldInfo& info, const toml::table& table) const {
  std::string text = label_ == "the scene" ? fmt::format("[[{}]]", info.key) : fmt::format("{} {}", label_, info.key);
  if (const auto* name = table.get_as<std::string>("name"); name != nullptr && !(**name).empty())
    text += fmt::format(" '{}'", **name);
  return text;
}

}  // namespace abut
