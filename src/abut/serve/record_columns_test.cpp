#include "abut/serve/record_columns.hpp"

#include <gtest/gtest.h>

#include "abut/io/hdf5_recorder.hpp"
#include "abut/io/record_fixture_test.hpp"

namespace abut {
namespace {

RecordLayout make_layout(unsigned contact_kinds) {
  RecordLayout layout;
  layout.body_names = {"a", "b"};
  layout.energy_names = {"kinetic", "residual"};
  layout.contact_kinds = contact_kinds;
  return layout;
}

/// Two contacts with one and two pieces of curve, of which every number is known by its place.
Sample make_sample(double time) {
  Sample sample;
  sample.time = time;
  sample.bodies.resize(2);
  sample.energy = {time + 1.0, 0.0};
  for (int i = 0; i < 2; ++i) {
    ContactSample contact;
    contact.body_a = 0;
    contact.body_b = 1;
    contact.patch = i;
    contact.torque = Vec3(time, i, 7.0);
    contact.area = 0.5 + i;
    contact.inertia = {1, 2, 3, 4, 5, 6.0 + i};
    contact.perimeter = 10.0 + i;
    for (int k = 0; k <= i; ++k) contact.curve.push_back({Vec3(time, i, k), Vec3(time, i, k + 0.5)});
    sample.contacts.push_back(contact);
  }
  return sample;
}

TEST(RecordColumns, CurvesHaveRowsOfTheirOwn) {
  RecordColumns columns;
  columns.begin(make_layout(kPerimetric));
  columns.sample(make_sample(0.0));
  columns.sample(make_sample(2.0));
  const ResultFile& file = columns.file();
  EXPECT_EQ(file.find("curve/segment_start")->values, (std::vector<double>{0, 1, 3, 4, 6}));
  EXPECT_EQ(file.find("curve/segment")->num_rows(), 6u);
  const std::vector<double> last(file.find("curve/segment")->values.end() - 6,
                                 file.find("curve/segment")->values.end());
  EXPECT_EQ(last, (std::vector<double>{2, 1, 1, 2, 1, 1.5}));
  EXPECT_EQ(file.find("contact/perimeter")->values, (std::vector<double>{10, 11, 10, 11}));
  EXPECT_EQ(file.find("contact/torque")->values[9], 2.0);
  EXPECT_EQ(file.find("contact/area"), nullptr);
  EXPECT_EQ(file.find("energy/kinetic")->values, (std::vector<double>{1, 3}));
}

TEST(RecordColumns, VolumesAndCurvesStandSideBySide) {
  RecordColumns columns;
  columns.begin(make_layout(kVolumetric | kPerimetric));
  columns.sample(make_sample(1.0));
  const ResultFile& file = columns.file();
  EXPECT_EQ(file.find("contact/area")->values, (std::vector<double>{0.5, 1.5}));
  EXPECT_EQ(file.find("contact/inertia")->values.back(), 7.0);
  EXPECT_EQ(file.find("contact/perimeter")->values, (std::vector<double>{10, 11}));
  EXPECT_EQ(file.find("energy/kinetic")->values, (std::vector<double>{2}));
}

TEST(RecordColumns, AreThoseOfTheFile) {
  const TestFolder folder(testing::TempDir() + "abut_columns");
  const std::string path = folder / "result.h5";
  RecordColumns columns;
  Hdf5Recorder recorder(path, 0.0);
  RecordLayout layout = make_test_layout();
  layout.contact_kinds = kVolumetric | kPerimetric | kHertzian;
  for (RecordSink* sink : {static_cast<RecordSink*>(&columns), static_cast<RecordSink*>(&recorder)}) {
    sink->begin(layout);
    for (int i = 0; i < 4; ++i) sink->sample(make_test_sample(i));
    sink->event({0.05, ContactEventKind::slip, 0, 1, 3, -2.5});
    sink->finish("{}");
  }
  const ResultFile file = read_result_file(path);
  EXPECT_EQ(columns.file().columns.size(), file.columns.size());
  for (const ResultColumn& written : file.columns) {
    const ResultColumn* kept = columns.file().find(written.name);
    ASSERT_NE(kept, nullptr) << written.name;
    EXPECT_EQ(kept->unit, written.unit) << written.name;
    EXPECT_EQ(kept->width, written.width) << written.name;
    EXPECT_EQ(kept->is_integer, written.is_integer) << written.name;
    EXPECT_EQ(kept->values, written.values) << written.name;
  }
}

TEST(RecordColumns, CountsGoOnWhenRowsAreTaken) {
  RecordColumns columns;
  columns.begin(make_layout(kPerimetric));
  columns.sample(make_sample(0.0));
  columns.take_rows();
  columns.sample(make_sample(1.0));
  const auto find = [rows = columns.take_rows()](const std::string& name) {
    for (const ResultColumn& column : rows) {
      if (column.name == name) return column.values;
    }
    return std::vector<double>();
  };
  EXPECT_EQ(find("contact/row_start"), std::vector<double>{4});
  EXPECT_EQ(find("curve/segment_start"), (std::vector<double>{4, 6}));
  EXPECT_EQ(find("curve/segment").size(), 18u);
}

}  // namespace
}  // namespace abut
