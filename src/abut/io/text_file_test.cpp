#include "abut/io/text_file.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

class TextFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "abut_text_file_" + std::to_string(::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    path_ = folder_ + "/a.txt";
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write_raw(const std::string& bytes) { std::ofstream(path_, std::ios::binary) << bytes; }

  template <class Error>
  std::string read_error() {
    try {
      read_text_file(path_);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  std::string folder_, path_;
};

TEST_F(TextFile, ReadsWhatWasWritten) {
  const std::string text = "a = 1\r\n# \xC3\xA9\n\ttab";
  write_text_file_atomically(path_, text);
  EXPECT_EQ(read_text_file(path_), text);
  EXPECT_FALSE(fs::exists(path_ + ".part"));
}

TEST_F(TextFile, ReplacesAnOlderFile) {
  write_text_file_atomically(path_, "a long first version");
  write_text_file_atomically(path_, "short");
  EXPECT_EQ(read_text_file(path_), "short");
}

TEST_F(TextFile, MissingFileAndDirectoryAreSystemErrors) {
  EXPECT_EQ(read_error<SystemError>(), path_ + ": there is no such file");
  fs::create_directory(path_);
  EXPECT_EQ(read_error<SystemError>(), path_ + ": is a directory, not a file");
}

TEST_F(TextFile, EmptyAndBinaryAreInputErrors) {
  write_raw("");
  EXPECT_EQ(read_error<InputError>(), path_ + ": the file is empty.\nNothing was run.");
  write_raw(" \n\t\r\n");
  EXPECT_EQ(read_error<InputError>(), path_ + ": the file is empty.\nNothing was run.");
  write_raw(std::string("ab\0c", 4));
  EXPECT_EQ(read_error<InputError>(), path_ + ":1:3: this is not a text file (byte 0x00).\nNothing was run.");
  write_raw("title = \"\xFF\xFE\"");
  EXPECT_EQ(read_error<InputError>(), path_ + ":1:10: this is not a text file (byte 0xff).\nNothing was run.");
  write_raw("a = 1\nb = \"\xC3\xA9\xFF");
  EXPECT_EQ(read_error<InputError>(), path_ + ":2:7: this is not a text file (byte 0xff).\nNothing was run.");
  write_raw("cut \xE2\x82");
  EXPECT_EQ(read_error<InputError>(), path_ + ":1:5: this is not a text file (byte 0xe2).\nNothing was run.");
}

TEST_F(TextFile, TooLargeIsAnInputError) {
  write_raw("#");
  fs::resize_file(path_, kMaxSceneBytes + 2);  // sparse: no disk is used
  EXPECT_EQ(read_error<InputError>(), path_ + ": larger than 64 MB, too large for a scene.\nNothing was run.");
}

TEST_F(TextFile, UnwritableTargetNamesThePath) {
  write_raw("x");
  const std::string below_a_file = path_ + "/b.txt";
  try {
    write_text_file_atomically(below_a_file, "text");
    FAIL();
  } catch (const SystemError& error) {
    EXPECT_EQ(std::string(error.what()), below_a_file + ": cannot be written: Not a directory");
  }
}

TEST_F(TextFile, FullDiskLeavesNothingBehind) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full on this system";
  fs::create_symlink("/dev/full", path_ + ".part");
  try {
    write_text_file_atomically(path_, "text");
    FAIL();
  } catch (const SystemError& error) {
    EXPECT_EQ(std::string(error.what()), path_ + ": cannot be written: No space left on device");
  }
  EXPECT_FALSE(fs::exists(path_));
}

}  // namespace
}  // namespace abut
