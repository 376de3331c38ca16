#include "abut/io/detail/h5_message.hpp"

#include "abut/base/error.hpp"

namespace abut {

namespace {

/// Kinds of messages in the header of an object [HDF Group 2016, IV.A.2].
enum Message : unsigned {
  kDataspace = 0x01,
  kLinkInfo = 0x02,
  kDatatype = 0x03,
  kFillValue = 0x05,
  kLink = 0x06,
  kLayout = 0x08,
  kGroupInfo = 0x0A,
  kAttribute = 0x0C,
};

/// class_and_version, three bytes of flags, size [bytes], and the properties of integers [HDF Group 2016, IV.A.2.d].
void put_integer_type(H5Bytes& to, unsigned bytes, bool is_signed) {
  to.u8(0x10).u8(is_signed ? 0x08 : 0).u16(0).u32(bytes).u16(0).u16(8 * bytes);
}

std::string encode_type(H5Type type) {
  H5Bytes to;
  switch (type) {
    case H5Type::float64:
      // Sign in bit 63, exponent of 11 bits from 52 on, mantissa of 52 bits from 0 on, bias 1023.
      to.u8(0x11).u8(0x20).u8(63).u8(0).u32(8).u16(0).u16(64).u8(52).u8(11).u8(0).u8(52).u32(1023);
      break;
    case H5Type::text:
      to.u8(0x19).u8(0x01).u8(0x01).u8(0).u32(16);  // of any length, UTF-8
      put_integer_type(to, 1, false);
      break;
    default:
      put_integer_type(to, static_cast<unsigned>(size_of(type)), type == H5Type::int32 || type == H5Type::int64);
  }
  return to.bytes();
}

std::string encode_scalar_space() { return H5Bytes().u8(2).u8(0).u8(0).u8(0).bytes(); }

std::string encode_space(const std::vector<std::uint64_t>& shape, bool grows) {
  H5Bytes to;
  to.u8(2).u8(static_cast<unsigned>(shape.size())).u8(1).u8(1);
  for (const std::uint64_t size : shape) to.u64(size);
  for (std::size_t i = 0; i < shape.size(); ++i) to.u64(i == 0 && grows ? kNoAddress : shape[i]);
  return to.bytes();
}

std::string encode_layout(H5Type type, const std::vector<std::uint64_t>& shape, const H5Layout& layout) {
  H5Bytes to;
  to.u8(3);
  if (layout.chunk_rows == 0) return to.u8(1).u64(layout.address).u64(layout.bytes).bytes();
  to.u8(2).u8(static_cast<unsigned>(shape.size() + 1)).u64(layout.address).u32(layout.chunk_rows);
  for (std::size_t i = 1; i < shape.size(); ++i) to.u32(shape[i]);
  return to.u32(size_of(type)).bytes();
}

std::string encode_attribute(const H5Attribute& attribute) {
  const std::string type = encode_type(attribute.type), space = encode_scalar_space();
  H5Bytes to;
  to.u8(3).u8(0).u16(attribute.name.size() + 1).u16(type.size()).u16(space.size()).u8(0);
  return to.text(attribute.name).u8(0).text(type).text(space).text(attribute.value).bytes();
}

class Header {
 public:
  Header() { to_.text("OHDR").u8(2).u8(0x02).u32(0); }  // its size takes four bytes and follows

  void add(Message type, const std::string& body) {
    ABUT_REQUIRE(body.size() < 0x10000, "a message of {} bytes", body.size());
    to_.u8(type).u16(body.size()).u8(0).text(body);
  }
  void add(const std::vector<H5Attribute>& attributes) {
    for (const H5Attribute& attribute : attributes) add(kAttribute, encode_attribute(attribute));
  }
  std::string finish() {
    constexpr std::size_t kPrefix = 10;
    to_.set_u32(kPrefix - 4, to_.size() - kPrefix);
    return to_.u32(calc_header_sum(to_.bytes())).bytes();
  }

 private:
  H5Bytes to_;
};

}  // namespace

std::size_t size_of(H5Type type) {
  switch (type) {
    case H5Type::int32:
    case H5Type::uint32:
      return 4;
    case H5Type::uint8:
      return 1;
    case H5Type::text:
      return 16;
    default:
      return 8;
  }
}

std::string encode_dataset(H5Type type, const std::vector<std::uint64_t>& shape, const H5Layout& layout,
                           const std::vector<H5Attribute>& attributes) {
  Header header;
  header.add(kDataspace, encode_space(shape, layout.chunk_rows > 0));
  header.add(kDatatype, encode_type(type));
  // Space is given out late; the value is the default and written where one is set.
  header.add(kFillValue, H5Bytes().u8(3).u8(layout.chunk_rows > 0 ? 0x0B : 0x0A).bytes());
  header.add(kLayout, encode_layout(type, shape, layout));
  header.add(attributes);
  return header.finish();
}

std::string encode_group(const std::vector<std::pair<std::string, std::uint64_t>>& members,
                         const std::vector<H5Attribute>& attributes) {
  Header header;
  header.add(kLinkInfo, H5Bytes().u8(0).u8(0).u64(kNoAddress).u64(kNoAddress).bytes());
  header.add(kGroupInfo, H5Bytes().u8(0).u8(0).bytes());
  for (const auto& [name, address] : members) {
    ABUT_REQUIRE(name.size() < 256, "a name of {} letters", name.size());
    header.add(kLink, H5Bytes().u8(1).u8(0).u8(static_cast<unsigned>(name.size())).text(name).u64(address).bytes());
  }
  header.add(attributes);
  return header.finish();
}

}  // namespace abut
