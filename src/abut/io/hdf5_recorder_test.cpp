#include "abut/io/hdf5_recorder.hpp"

#include <csignal>
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abut/base/error.hpp"
#include "abut/io/record_fixture_test.hpp"
#include "abut/io/text_file.hpp"

namespace abut {
namespace {

/// Independent reader: the C interface used directly.
struct ReadBack {
  explicit ReadBack(const std::string& path) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_file_locking(access, false, true);
    file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
    H5Pclose(access);
  }
  ~ReadBack() {
    if (file >= 0) H5Fclose(file);
  }

  std::vector<hsize_t> shape(const char* name) const {
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(dataset);
    std::vector<hsize_t> dimensions(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, dimensions.data(), nullptr);
    H5Sclose(space);
    H5Dclose(dataset);
    return dimensions;
  }
  std::vector<double> numbers(const char* name) const {
    std::size_t count = 1;
    for (const hsize_t size : shape(name)) count *= size;
    std::vector<double> values(count);
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    EXPECT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << name;
    H5Dclose(dataset);
    return values;
  }
  std::string attribute(const char* object, const char* name) const {
    const hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    char* text = nullptr;
    EXPECT_GE(H5Aread(attribute, type, &text), 0) << object << " " << name;
    const std::string value = text == nullptr ? "" : text;
    std::free(text);
    H5Tclose(type);
    H5Aclose(attribute);
    return value;
  }
  hid_t file = -1;
};

void record_run(const std::string& path, int num_samples) {
  Hdf5Recorder recorder(path);
  recorder.begin(make_test_layout());
  for (int i = 0; i < num_samples; ++i) {
    recorder.sample(make_test_sample(i));
    if (i % 3 == 0) recorder.event({0.1 * i, ContactEventKind::slip, 0, 1, i, -0.5});
  }
  recorder.finish("{\"steps\": 7}");
}

TEST(Hdf5Recorder, ReadsBackWhatWasRecorded) {
  const TestFolder folder(testing::TempDir() + "abut_hdf5");
  record_run(folder / "r.h5", 5);
  const ReadBack file(folder / "r.h5");
  ASSERT_GE(file.file, 0);
  EXPECT_EQ(file.numbers("/time"), (std::vector<double>{0.0, 0.1, 0.1 * 2, 0.1 * 3, 0.1 * 4}));
  EXPECT_EQ(file.shape("/body/position"), (std::vector<hsize_t>{5, 2, 3}));
  EXPECT_EQ(file.shape("/body/orientation"), (std::vector<hsize_t>{5, 2, 4}));
  const std::vector<double> position = file.numbers("/body/position");
  EXPECT_EQ(position[3 * 6 + 1], make_test_sample(3).bodies[0].position.y());
  const std::vector<double> orientation = file.numbers("/body/orientation");
  EXPECT_EQ(std::vector<double>(orientation.begin(), orientation.begin() + 8),
            (std::vector<double>{0.6, 0.8, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(file.numbers("/body/angular_velocity")[4 * 6 + 5], 0.1 * 4);
  EXPECT_EQ(file.shape("/joint/q"), (std::vector<hsize_t>{5, 3}));
  EXPECT_EQ(file.numbers("/joint/v")[9], 10.0 * (0.1 * 4) + 1.0);
  EXPECT_EQ(file.numbers("/joint/q_start"), std::vector<double>{1});
  EXPECT_EQ(file.numbers("/energy/damping")[2], -0.1 * 2);
  EXPECT_EQ(file.numbers("/contact/row_start"), (std::vector<double>{0, 0, 2, 2, 4, 4}));
  EXPECT_EQ(file.numbers("/contact/patch"), (std::vector<double>{1, 1, 3, 3}));
  EXPECT_EQ(file.numbers("/contact/body_a"), (std::vector<double>{0, 1, 0, 1}));
  EXPECT_EQ(file.shape("/contact/force"), (std::vector<hsize_t>{4, 3}));
  EXPECT_EQ(file.numbers("/contact/sticking"), (std::vector<double>{1, 1, 1, 1}));
  EXPECT_EQ(file.numbers("/contact/volume"), (std::vector<double>{2e-6, 2e-6, 6e-6, 6e-6}));
  EXPECT_EQ(file.numbers("/contact/inertia").size(), 4u * 6u);
  EXPECT_EQ(file.numbers("/contact/perimeter"), (std::vector<double>{0.25, 0.25, 0.75, 0.75}));
  EXPECT_EQ(file.numbers("/curve/segment_start"), (std::vector<double>{0, 0, 2, 2, 4}));
  EXPECT_EQ(file.shape("/curve/segment"), (std::vector<hsize_t>{4, 2, 3}));
  EXPECT_EQ(file.numbers("/curve/segment")[4], 2.0);
  EXPECT_EQ(file.numbers("/mesh/0/vertices"), (std::vector<double>{0, 0, 0, 1, 0, 0, 0, 2, 0}));
  EXPECT_EQ(file.numbers("/mesh/0/triangles"), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(file.numbers("/event/kind"), (std::vector<double>{3, 3}));
  EXPECT_EQ(file.numbers("/event/time"), (std::vector<double>{0.0, 0.1 * 3}));
  EXPECT_EQ(file.attribute("/", "title"), "caf\xC3\xA9");
  EXPECT_EQ(file.attribute("/", "scene"), "title = \"x\"\n");
  EXPECT_EQ(file.attribute("/", "summary"), "{\"steps\": 7}");
}

herr_t require_unit(hid_t file, const char* name, const H5O_info_t* info, void* count) {
  if (info->type != H5O_TYPE_DATASET) return 0;
  ++*static_cast<int*>(count);
  EXPECT_GT(H5Aexists_by_name(file, name, "unit", H5P_DEFAULT), 0) << name;
  return 0;
}

TEST(Hdf5Recorder, EveryDatasetHasAUnit) {
  const TestFolder folder(testing::TempDir() + "abut_hdf5");
  record_run(folder / "r.h5", 2);
  const ReadBack file(folder / "r.h5");
  int num_datasets = 0;
  H5Ovisit2(file.file, H5_INDEX_NAME, H5_ITER_INC, require_unit, &num_datasets, H5O_INFO_BASIC);
  EXPECT_EQ(num_datasets, 48);
  EXPECT_EQ(file.attribute("/body/velocity", "unit"), "m/s");
}

TEST(Hdf5Recorder, HoldsLargeScenesAndManyRows) {
  const TestFolder folder(testing::TempDir() + "abut_hdf5");
  Hdf5Recorder recorder(folder / "r.h5", 0.001);
  RecordLayout layout = make_test_layout();
  layout.scene_text.assign(3'000'000, 'x');  // far above the 64 KiB of an ordinary attribute
  recorder.begin(layout);
  for (int i = 0; i < 5000; ++i) recorder.sample(make_test_sample(i));
  recorder.finish("{}");
  const ReadBack file(folder / "r.h5");
  EXPECT_EQ(file.attribute("/", "scene").size(), 3'000'000u);
  const std::vector<double> time = file.numbers("/time");
  ASSERT_EQ(time.size(), 5000u);
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(time[static_cast<std::size_t>(i)], 0.1 * i);
  EXPECT_EQ(file.numbers("/contact/row_start").back(), 5000.0);
}

TEST(Hdf5Recorder, EmptyRunIsComplete) {
  const TestFolder folder(testing::TempDir() + "abut_hdf5");
  record_run(folder / "r.h5", 0);
  const ReadBack file(folder / "r.h5");
  EXPECT_EQ(file.shape("/time"), std::vector<hsize_t>{0});
  EXPECT_EQ(file.numbers("/contact/row_start"), std::vector<double>{0});
}

/// Writes some samples, says so through the pipe, gathers one more in memory and waits to be killed.
[[noreturn]] void write_and_wait(const std::string& path, int pipe_end) {
  Hdf5Recorder recorder(path, 0.0);
  recorder.begin(make_test_layout());
  for (int i = 0; i < 300; ++i) recorder.sample(make_test_sample(i));
  recorder.event({1.0, ContactEventKind::lift, 0, 1, 0, 0.5});
  const char done = 'x';
  if (::write(pipe_end, &done, 1) != 1) ::_exit(1);
  while (true) ::pause();
}

TEST(Hdf5Recorder, CanBeReadWhileWrittenAndAfterAKill) {
  const TestFolder folder(testing::TempDir() + "abut_hdf5");
  const std::string path = folder / "r.h5";
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) write_and_wait(path, ends[1]);
  ::close(ends[1]);
  char done = 0;
  ASSERT_EQ(::read(ends[0], &done, 1), 1);
  ::close(ends[0]);
  const auto check = [&](const char* when) {
    const ReadBack file(path);
    ASSERT_GE(file.file, 0) << when;
    EXPECT_EQ(file.numbers("/time").size(), 300u) << when;
    EXPECT_EQ(file.numbers("/time").back(), 0.1 * 299) << when;
    EXPECT_EQ(file.numbers("/contact/depth").size(), 300u) << when;
    EXPECT_EQ(file.attribute("/", "title"), "caf\xC3\xA9") << when;
  };
  check("while the writer lives");
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  check("after the kill");
  const std::string script =
      "import h5py, sys\n"
      "f = h5py.File(sys.argv[1], 'r')\n"
      "assert f['time'].shape == (300,) and f['body/position'].shape == (300, 2, 3)\n"
      "assert f['body/name'].asstr()[1] == 'floor' and f.attrs['complete'] == 0\n"
      "assert f['joint/force'].attrs['unit'] == 'N or N m'\n";
  if (std::system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0) GTEST_SKIP() << "h5py is not installed";
  write_text_file_atomically(folder / "read.py", script);
  EXPECT_EQ(std::system(fmt::format("/usr/bin/python3 {} {}", folder / "read.py", path).c_str()), 0);
}

TEST(Hdf5Recorder, UnwritableFolderIsASystemErrorAndLeavesNothing) {
  const TestFolder folder(testing::TempDir() + "abut_hdf5");
  const std::string path = folder / "missing/r.h5";
  Hdf5Recorder recorder(path);
  try {
    recorder.begin(make_test_layout());
    FAIL();
  } catch (const SystemError& error) {
    EXPECT_EQ(std::string(error.what()), path + ": cannot be written: No such file or directory");
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "missing"));
  EXPECT_NO_THROW(recorder.finish("{}"));
}

/// A limit on the size of files stands in for a full disk.
[[noreturn]] void record_beyond_limit(const std::string& path) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{300'000, 300'000};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  Hdf5Recorder recorder(path, 0.0);
  try {
    recorder.begin(make_test_layout());
    for (int i = 0; i < 20000; ++i) recorder.sample(make_test_sample(i));
  } catch (const SystemError& error) {
    std::fputs(error.what(), stderr);
    recorder.finish("{}");  // must neither throw a second time nor crash
    std::exit(3);
  }
  std::exit(0);
}

TEST(Hdf5Recorder, FullDiskIsASystemError) {
  const TestFolder folder(testing::TempDir() + "abut_hdf5");
  const std::string path = folder / "r.h5";
  // A fresh process, in which the recorder is the first to use HDF5, as in the program.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(record_beyond_limit(path), testing::ExitedWithCode(3), "r.h5: cannot be written: File too large");
}

}  // namespace
}  // namespace abut
