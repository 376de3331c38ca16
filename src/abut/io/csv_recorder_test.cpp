#include "abut/io/csv_recorder.hpp"

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/io/multi_sink.hpp"
#include "abut/io/record_fixture_test.hpp"
#include "abut/io/text_file.hpp"

namespace abut {
namespace {

TEST(CsvRecorder, WritesTablesWithUnits) {
  const TestFolder folder(testing::TempDir() + "abut_csv");
  CsvRecorder recorder(folder / "deep/er");
  recorder.begin(make_test_layout());
  recorder.sample(make_test_sample(0));
  recorder.event({0.05, ContactEventKind::touch, 0, 1, 3, -2.5});
  recorder.sample(make_test_sample(1));
  recorder.finish("{}");
  EXPECT_EQ(read_text_file(folder / "deep/er/energy.csv"),
            "time [s],kinetic [J],damping [J]\n0,0,-0\n0.1,0.010000000000000002,-0.1\n");
  EXPECT_EQ(read_text_file(folder / "deep/er/event.csv"),
            "time [s],kind,body_a,body_b,patch,normal_speed [m/s]\n0.05,touch,\"ball, \"\"big\"\"\",floor,3,-2.5\n");
  EXPECT_EQ(read_text_file(folder / "deep/er/joint.csv"),
            "time [s],joint,index,q [m or rad],v [m/s or rad/s],force [N or N m]\n"
            "0,hinge,0,1,1,-0\n0,hinge,1,2,,\n"
            "0.1,hinge,0,1.1,2,-0.1\n0.1,hinge,1,2.1,,\n");
  const std::string body = read_text_file(folder / "deep/er/body.csv");
  EXPECT_TRUE(body.starts_with("time [s],body,position_x [m],position_y [m],position_z [m],orientation_w,")) << body;
  EXPECT_NE(body.find("\n0.1,\"ball, \"\"big\"\"\",0.1,0.2,0.30000000000000004,0.6,0.8,0,0,1,2,3,0,0,0\n"),
            std::string::npos)
      << body;
  const std::string contact = read_text_file(folder / "deep/er/contact.csv");
  EXPECT_NE(
      contact.find(
          "\n0.1,floor,\"ball, "
          "\"\"big\"\"\",1,0.001,0,0,0,0,0,0,0,0.5,0,9,0,0,0,0,0,0,0,0,1,0,0,-0.1,0.25,0,0,2e-06,0,0,0,0,0,0,0,0\n"),
      std::string::npos)
      << contact;
}

TEST(CsvRecorder, GoesOnWithWhatIsThere) {
  const TestFolder folder(testing::TempDir() + "abut_csv");
  CsvRecorder::Sizes sizes;
  {
    CsvRecorder recorder(folder / "cut");
    recorder.begin(make_test_layout());
    recorder.sample(make_test_sample(0));
    sizes = recorder.count_bytes();
    recorder.sample(make_test_sample(2));  // dropped
    recorder.finish("{}");
  }
  CsvRecorder resumed(folder / "cut"), whole(folder / "whole");
  resumed.resume_after(sizes);
  for (CsvRecorder* recorder : {&resumed, &whole}) {
    recorder->begin(make_test_layout());
    if (recorder == &whole) recorder->sample(make_test_sample(0));
    recorder->sample(make_test_sample(1));
    recorder->finish("{}");
  }
  for (const auto& [name, size] : sizes)
    EXPECT_EQ(read_text_file(folder / ("cut/" + name)), read_text_file(folder / ("whole/" + name))) << name;
  CsvRecorder::require_files(folder / "cut", sizes);
  sizes["body.csv"] += 1000000;
  EXPECT_THROW(CsvRecorder::require_files(folder / "cut", sizes), SystemError);
}

TEST(CsvRecorder, UnwritableFolderIsASystemError) {
  const TestFolder folder(testing::TempDir() + "abut_csv");
  write_text_file_atomically(folder / "file", "x");
  CsvRecorder recorder(folder / "file/sub");
  try {
    recorder.begin(make_test_layout());
    FAIL();
  } catch (const SystemError& error) {
    EXPECT_EQ(std::string(error.what()), folder / "file/sub" + ": cannot be created: Not a directory");
  }
}

class CountingSink : public RecordSink {
 public:
  CountingSink(int& calls, bool fails) : calls_(calls), fails_(fails) {}
  void begin(const RecordLayout&) override { ++calls_; }
  void sample(const Sample&) override { ++calls_; }
  void event(const ContactEvent&) override { ++calls_; }
  void finish(const std::string&) override {
    ++calls_;
    if (fails_) throw SystemError("disk full");
  }

 private:
  int& calls_;
  bool fails_;
};

TEST(MultiSink, ReachesAllAndThrowsTheFirstFailureAtTheEnd) {
  int first = 0, second = 0;
  MultiSink sink;
  sink.add(std::make_unique<CountingSink>(first, true));
  sink.add(std::make_unique<CountingSink>(second, false));
  sink.begin({});
  sink.sample({});
  sink.event({});
  EXPECT_THROW(sink.finish(""), SystemError);
  EXPECT_EQ(first, 4);
  EXPECT_EQ(second, 4);
}

}  // namespace
}  // namespace abut
