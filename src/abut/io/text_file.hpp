#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace abut {

/// Largest scene accepted [bytes]; a scene of ten thousand bodies has about two million.
inline constexpr std::size_t kMaxSceneBytes = std::size_t{64} * 1024 * 1024;

/// Whole content of a text file. SystemError when it is missing, a directory or unreadable; InputError when it is
/// empty, too large or not UTF-8 text.
std::string read_text_file(const std::string& path);

/// All of it to an open file; false, with errno, when it refuses.
bool write_all(int file, std::string_view bytes);

/// Writes beside the target and renames, so that a reader sees the old content or the new one, never a part.
/// SystemError with the path when the folder or the disk refuses.
void write_text_file_atomically(const std::string& path, const std::string& text);

}  // namespace abut
