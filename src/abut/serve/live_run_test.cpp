#include "abut/serve/live_run.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "abut/base/error.hpp"

namespace abut {
namespace {

using Json = nlohmann::json;

LiveSource make_source() {
  LiveSource source;
  source.name = "ball";
  source.path = "ball.toml";
  source.version = "1";
  source.scene_text =
      "[run]\nduration = 0.2\n[[body]]\nname = \"ball\"\nmass = 2.0\nshape = { type = \"sphere\", radius = 0.1 }\n"
      "position = [0, 0, 0.2]\n[[body]]\nname = \"floor\"\nfixed = true\n"
      "shape = { type = \"half-space\", normal = [0, 0, 1] }\n[[contact]]\nbetween = [\"ball\", \"floor\"]\n"
      "normal = { law = \"gonthier\", stiffness = 1e6, restitution = 0.5 }\n";
  source.describe = [](const Model&) { return std::string("a ball"); };
  source.summarize = [](const RunSummary& s, const Model&) {
    return "{\"status\":\"done\",\n\"time_reached\":" + std::to_string(s.time_reached) + "}";
  };
  return source;
}

struct Event {
  std::string name;
  Json data;
};

/// Listens until the predicate holds for the events so far, at most ten seconds.
template <class Predicate>
std::vector<Event> listen(LiveRun& run, LiveRun::Cursor& cursor, Predicate is_enough) {
  std::vector<Event> events;
  for (int i = 0; i < 500 && !is_enough(events); ++i) {
    std::string text;
    if (!run.wait_for_messages(cursor, 0.02, text)) break;
    for (std::size_t at = 0; (at = text.find("event: ", at)) != std::string::npos; ++at) {
      const std::size_t line = text.find('\n', at), end = text.find("\n\n", at);
      events.push_back({text.substr(at + 7, line - at - 7), Json::parse(text.substr(line + 7, end - line - 7))});
    }
  }
  return events;
}

bool has(const std::vector<Event>& events, const std::string& name) {
  for (const Event& event : events) {
    if (event.name == name) return true;
  }
  return false;
}

int count_samples(const std::vector<Event>& events) {
  int rows = 0;
  for (const Event& event : events) {
    if (event.name != "rows") continue;
    for (const Json& column : event.data["chunk"]["columns"]) {
      if (column["name"] == "time") rows += column["rows"].get<int>();
    }
  }
  return rows;
}

TEST(LiveRun, SendsWholeRunInOrder) {
  LiveRun run(make_source(), 1000.0);
  LiveRun::Cursor cursor;
  const std::vector<Event> events = listen(run, cursor, [](const auto& e) { return has(e, "end"); });
  ASSERT_TRUE(has(events, "end"));
  EXPECT_EQ(events.front().name, "begin");
  EXPECT_EQ(events.front().data["info"]["bodies"][0]["shapes"][0]["radius"], 0.1);
  EXPECT_EQ(count_samples(events), 1001);
  LiveRun::Cursor late;
  EXPECT_EQ(count_samples(listen(run, late, [](const auto& e) { return has(e, "end"); })), 1001);
}

TEST(LiveRun, PausesAndSteps) {
  LiveRun run(make_source(), 1.0);
  run.pause();
  LiveRun::Cursor cursor;
  int before = count_samples(listen(run, cursor, [](const auto& e) { return count_samples(e) > 0; }));
  before += count_samples(listen(run, cursor, [n = 0](const auto&) mutable { return n++ > 10; }));
  run.step(5);
  const int stepped = count_samples(listen(run, cursor, [n = 0](const auto&) mutable { return n++ > 15; }));
  EXPECT_GE(before, 1);
  EXPECT_EQ(stepped, 5);
}

TEST(LiveRun, StartsAgainWithOtherNumbers) {
  LiveRun run(make_source(), 1000.0);
  run.set_numbers({{"body.ball.mass", 7.5}, {"gravity[2]", -1.62}});
  LiveRun::Cursor cursor;
  const std::vector<Event> events = listen(run, cursor, [](const auto& e) { return has(e, "end"); });
  const std::string scene = events.front().data["info"]["scene"];
  EXPECT_NE(scene.find("mass = 7.5"), std::string::npos);
  EXPECT_NE(scene.find("gravity = [0.0, 0.0, -1.62]"), std::string::npos);
}

TEST(LiveRun, RefusesWrongNumbersAndGoesOn) {
  LiveRun run(make_source(), 1000.0);
  EXPECT_THROW(run.set_numbers({{"body.ball.mas", 1.0}}), InputError);
  EXPECT_THROW(run.set_numbers({{"gravity", 1.0}}), InputError);
  try {
    run.set_numbers({{"body.ball.mass", -1.0}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("mass must be > 0 kg, found -1"), std::string::npos);
  }
  LiveRun::Cursor cursor;
  EXPECT_TRUE(has(listen(run, cursor, [](const auto& e) { return has(e, "end"); }), "end"));
}

TEST(LiveRun, WrongSceneIsRefusedAtOnce) {
  LiveSource source = make_source();
  source.scene_text = "[run]\n";
  EXPECT_THROW(LiveRun(source, 1.0), InputError);
}

}  // namespace
}  // namespace abut
