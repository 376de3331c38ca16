#include "abut/io/detail/h5_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include "abut/base/error.hpp"
#include "abut/io/detail/h5_reader.hpp"
#include "abut/io/record_fixture_test.hpp"

namespace abut {
namespace {

/// By HDF5's own library.
std::vector<double> read_by_hdf5(const std::string& path, const char* name) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_file_locking(access, false, true);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
  H5Pclose(access);
  if (file < 0) return {};
  const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  return values;
}

TEST(H5Bytes, SumsAreThoseOfTheirSources) {
  // The check value of every table of cyclic redundancy checks, and the one of the author of the other.
  EXPECT_EQ(calc_crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(calc_crc32c("6789", calc_crc32c("12345")), 0xE3069283u);
  EXPECT_EQ(calc_header_sum("Four score and seven years ago"), 0x17770551u);
  EXPECT_EQ(calc_header_sum(""), 0xDEADBEEFu);
}

TEST(H5ChunkTree, HDF5FindsEveryChunkOfThreeLevels) {
  const TestFolder folder(testing::TempDir() + "abut_tree");
  const std::string path = folder / "t.h5";
  H5Store store(path);
  H5ChunkTree tree(1, 1, 8);
  std::uint64_t header = 0;
  constexpr int kCount = 64 * 64 + 70;
  for (int i = 0; i < kCount; ++i) {
    tree.add(store.add(H5Bytes().put(0.5 * i).bytes()));
    // Now and then, so that nodes of all levels are written anew.
    if (i % 97 != 0 && i + 1 != kCount) continue;
    header =
        store.add(encode_dataset(H5Type::float64, {static_cast<std::uint64_t>(i) + 1}, {tree.write(store), 0, 1}, {}));
  }
  store.commit(store.add(encode_group({{"x", header}}, {})));
  store.put_in_place();
  std::vector<double> expected(kCount);
  for (int i = 0; i < kCount; ++i) expected[static_cast<std::size_t>(i)] = 0.5 * i;
  EXPECT_EQ(read_by_hdf5(path, "/x"), expected);
  EXPECT_EQ(H5Reader(path).read_numbers("x"), expected);
}

TEST(H5File, AnOlderStateStaysWholeBehindALaterOne) {
  const TestFolder folder(testing::TempDir() + "abut_states");
  const std::string path = folder / "t.h5";
  H5File file(path);
  H5Column& column = file.add_column("x", H5Type::float64, {}, "m");
  file.commit();
  file.store().put_in_place();
  std::string front;  // leads to the state after row 20000
  for (int i = 0; i < 30000; ++i) {
    column.push(1.0 * i);
    if (i % 5000 != 4999) continue;
    file.commit();
    if (i == 19999) front = file.store().read(0, 48);
  }
  EXPECT_EQ(read_by_hdf5(path, "/x").size(), 30000u);
  file.store().write(0, front);
  const std::vector<double> values = H5Reader(path).read_numbers("x");
  ASSERT_EQ(values.size(), 20000u);
  EXPECT_EQ(values.back(), 19999.0);
}

TEST(H5File, ManyTextsAreFound) {
  const TestFolder folder(testing::TempDir() + "abut_texts");
  std::vector<std::string> names(20000);
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = fmt::format("body {}", i);
  names[7] = "";
  H5File file(folder / "t.h5");
  file.add_texts("name", names, "name");
  file.commit();
  file.store().put_in_place();
  EXPECT_EQ(H5Reader(folder / "t.h5").read_texts("name"), names);
}

TEST(H5Store, ASecondWriterIsRefused) {
  const TestFolder folder(testing::TempDir() + "abut_locked");
  H5File first(folder / "t.h5");
  EXPECT_THROW(H5Store(folder / "t.h5"), SystemError);
  first.commit();
  first.store().put_in_place();
  EXPECT_THROW(H5Store(folder / "t.h5"), SystemError);
}

TEST(H5Store, TellsThatItsFileHasGone) {
  const TestFolder folder(testing::TempDir() + "abut_gone");
  H5File file(folder / "t.h5");
  file.commit();
  file.store().put_in_place();
  EXPECT_NO_THROW(file.store().require_in_place());
  std::filesystem::remove(folder / "t.h5");
  EXPECT_THROW(file.store().require_in_place(), SystemError);
}

}  // namespace
}  // namespace abut
