#include "abut/io/detail/h5_file.hpp"

#include <algorithm>

namespace abut {

namespace {

/// "a/b/c" lies in "a/b".
std::string parent_of(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos ? std::string() : name.substr(0, slash);
}

std::string last_part_of(const std::string& name) { return name.substr(name.rfind('/') + 1); }

}  // namespace

H5Attribute H5File::make_attribute(const std::string& name, const std::string& text) {
  return {name, H5Type::text, texts_.keep(store_, text).encode()};
}

void H5File::set(const std::string& group, H5Attribute attribute) {
  std::vector<H5Attribute>& attributes = groups_.at(group).attributes;
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&attribute](const H5Attribute& other) { return other.name == attribute.name; });
  if (found == attributes.end()) {
    attributes.push_back(std::move(attribute));
  } else {
    *found = std::move(attribute);
  }
}

void H5File::set_attribute(const std::string& group, const std::string& name, const std::string& text) {
  set(group, make_attribute(name, text));
}

void H5File::set_attribute(const std::string& group, const std::string& name, std::int64_t value) {
  set(group, {name, H5Type::int64, H5Bytes().put(value).bytes()});
}

H5Column& H5File::add_column(const std::string& name, H5Type type, std::vector<std::uint64_t> shape,
                             const std::string& unit, const std::string& parts) {
  std::vector<H5Attribute> attributes{make_attribute("unit", unit)};
  if (!parts.empty()) attributes.push_back(make_attribute("names", parts));
  return columns_.emplace_back(name, type, std::move(shape), std::move(attributes));
}

void H5File::add_texts(const std::string& name, const std::vector<std::string>& texts, const std::string& unit) {
  H5Column& column = add_column(name, H5Type::text, {}, unit);
  for (const std::string& text : texts) column.append(texts_.keep(store_, text).encode());
}

void H5File::write_group(const std::string& name, Group& group, std::map<std::string, std::uint64_t>& headers) {
  std::vector<std::pair<std::string, std::uint64_t>> members;
  for (const auto& [member, address] : headers) {
    if (!member.empty() && parent_of(member) == name) members.emplace_back(last_part_of(member), address);
  }
  std::string header = encode_group(members, group.attributes);
  if (header != group.header) {
    if (group.address != kNoAddress) store_.release(group.address, group.header.size());
    group.address = store_.add(header);
    group.header = std::move(header);
  }
  headers[name] = group.address;
}

void H5File::commit() {
  texts_.write(store_);
  std::map<std::string, std::uint64_t> headers;
  for (H5Column& column : columns_) headers[column.name()] = column.write(store_);
  // What lies in a group comes behind it in order of names: the other way round each finds its members written.
  for (auto group = groups_.rbegin(); group != groups_.rend(); ++group)
    write_group(group->first, group->second, headers);
  store_.commit(groups_.at("").address);
}

}  // namespace abut
