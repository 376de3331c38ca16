#include "abut/io/result_file.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/io/hdf5_recorder.hpp"
#include "abut/io/record_fixture_test.hpp"
#include "abut/scene/realtime_report.hpp"

namespace abut {
namespace {

TEST(ResultFile, ReadsWhatTheRecorderWrote) {
  const TestFolder folder(testing::TempDir() + "abut_result");
  Hdf5Recorder recorder(folder / "result.h5");
  recorder.begin(make_test_layout());
  for (int i = 0; i < 5; ++i) recorder.sample(make_test_sample(i));
  recorder.event({0.25, ContactEventKind::stick, 0, 1, 3, -0.5});
  recorder.finish("{\"steps\": 7}");
  const ResultFile file = read_result_file(folder / "");
  EXPECT_EQ(file.title, make_test_layout().title);
  EXPECT_EQ(file.summary_json, "{\"steps\": 7}");
  EXPECT_TRUE(file.is_complete);
  EXPECT_EQ(file.body_names, make_test_layout().body_names);
  EXPECT_EQ(file.joint_num_q, make_test_layout().joint_num_q);
  EXPECT_EQ(file.find("time")->values, (std::vector<double>{0.0, 0.1, 0.1 * 2, 0.1 * 3, 0.1 * 4}));
  EXPECT_EQ(file.find("body/position")->width, 6u);
  EXPECT_EQ(file.find("body/position")->values[3 * 6 + 1], make_test_sample(3).bodies[0].position.y());
  EXPECT_EQ(file.find("contact/row_start")->num_rows(), 6u);
  EXPECT_EQ(file.find("contact/force")->unit, "N");
  EXPECT_EQ(file.find("curve/segment_start")->values, (std::vector<double>{0, 0, 2, 2, 4}));
  EXPECT_EQ(file.find("curve/segment")->width, 6u);
  EXPECT_EQ(file.find("curve/segment")->num_rows(), 4u);
  EXPECT_TRUE(file.find("event/kind")->is_integer);
  EXPECT_EQ(file.find("event/kind")->values, std::vector<double>{2});
  EXPECT_EQ(file.find("no/such"), nullptr);
}

TEST(ResultFile, MeshesAreNoColumns) {
  const TestFolder folder(testing::TempDir() + "abut_meshes");
  RecordLayout layout = make_test_layout();
  MeshData data;
  data.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  data.triangles = {{0, 2, 1}, {0, 1, 3}};
  layout.meshes = {{"part.obj", 0.001, std::make_shared<const MeshData>(data)}};
  Hdf5Recorder recorder(folder / "r.h5");
  recorder.begin(layout);
  for (int i = 0; i < 9; ++i) recorder.sample(make_test_sample(i));
  recorder.finish("{}");
  const ResultFile file = read_result_file(folder / "r.h5");
  EXPECT_EQ(file.find("time")->num_rows(), 9u);
  ASSERT_EQ(file.meshes.size(), 1u);
  EXPECT_EQ(file.meshes[0].file, "part.obj");
  EXPECT_EQ(file.meshes[0].scale, 0.001);
  EXPECT_EQ(file.meshes[0].data->vertices, data.vertices);
  EXPECT_EQ(file.meshes[0].data->triangles, data.triangles);
}

TEST(ResultFile, DeadlinesAreNoColumns) {
  const TestFolder folder(testing::TempDir() + "abut_deadlines");
  Hdf5Recorder recorder(folder / "r.h5");
  recorder.begin(make_test_layout());
  const int num_samples = static_cast<int>(RealtimeReport::kNumBins) + 6;  // more than the histogram has bins
  for (int i = 0; i < num_samples; ++i) recorder.sample(make_test_sample(i));
  recorder.realtime(RealtimeReport{});
  recorder.finish("{}");
  EXPECT_EQ(read_result_file(folder / "r.h5").find("time")->num_rows(), static_cast<std::size_t>(num_samples));
}

TEST(ResultFile, RunningRecordIsConsistent) {
  const TestFolder folder(testing::TempDir() + "abut_growing");
  Hdf5Recorder recorder(folder / "r.h5", 0.0);
  recorder.begin(make_test_layout());
  for (int i = 0; i < 4; ++i) recorder.sample(make_test_sample(i));
  const ResultFile file = read_result_file(folder / "r.h5");
  EXPECT_FALSE(file.is_complete);
  EXPECT_TRUE(file.summary_json.empty());
  EXPECT_EQ(file.find("time")->num_rows() + 1, file.find("contact/row_start")->num_rows());
  EXPECT_EQ(file.find("contact/row_start")->values.back(), static_cast<double>(file.find("contact/depth")->num_rows()));
  EXPECT_EQ(file.find("curve/segment_start")->num_rows(), file.find("contact/depth")->num_rows() + 1);
  EXPECT_EQ(file.find("curve/segment_start")->values.back(),
            static_cast<double>(file.find("curve/segment")->num_rows()));
  recorder.finish("{}");
}

TEST(ResultFile, SaysWhatIsWrong) {
  const TestFolder folder(testing::TempDir() + "abut_wrong");
  const auto message_of = [](const std::string& path) {
    try {
      read_result_file(path);
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message_of(folder / "none.h5"), folder / "none.h5" + ": there is no such file");
  EXPECT_EQ(message_of(folder / ""), folder / "" + ": there is no result.h5 in this folder");
  std::ofstream(folder / "text.h5") << "not HDF5";
  EXPECT_EQ(message_of(folder / "text.h5"), folder / "text.h5" + ": this is not an HDF5 file");
}

}  // namespace
}  // namespace abut
