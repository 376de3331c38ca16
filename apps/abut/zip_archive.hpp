#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// Files in one ZIP archive [PKWARE 2022], as functional mock-up units have to be: stored or deflated, no encryption,
/// no ZIP64, no data descriptors. The same files give the same bytes: the date is always the first that the format
/// knows.
class ZipArchive {
 public:
  /// `name`: relative, with forward slashes. InputError where it is there already, or where sizes need ZIP64.
  void add(std::string name, std::string_view content, bool is_executable = false);
  /// The whole archive. No files may be added afterwards.
  std::string finish();

 private:
  struct Entry {
    std::string name;
    std::uint32_t crc = 0, packed_size = 0, size = 0, offset = 0;
    std::uint16_t method = 0;
    bool is_executable = false;
  };

  std::string bytes_;
  std::vector<Entry> entries_;
};

}  // namespace abut
