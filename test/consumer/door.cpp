// What docs/library.md promises and the examples do not show. Prints what is not so; exit status 1 then.
#include <cmath>
#include <cstdio>
#include <string>
#include <unordered_set>

#include <abut/abut.hpp>

namespace {

int failures = 0;

void require(bool is_so, const std::string& what) {
  if (is_so) return;
  std::printf("not so: %s\n", what.c_str());
  ++failures;
}

template <class Error, class Act>
void require_thrown(const Act& act, const std::string& words) {
  try {
    act();
  } catch (const Error& error) {
    require(std::string(error.what()).find(words) != std::string::npos, words + " in: " + error.what());
    return;
  } catch (const std::exception& error) {
    return require(false, "another error than was promised: " + std::string(error.what()));
  }
  require(false, "nothing was thrown where '" + words + "' was expected");
}

const std::string kScene = R"(title = "drop"
[run]
duration = 0.3
record_interval = 0.01
[[body]]
name = "ball"
mass = 2.0
shape = { type = "sphere", radius = 0.1 }
position = [0, 0, 0.2]
[[body]]
name = "floor"
fixed = true
shape = { type = "half-space", normal = [0, 0, 1] }
[[contact]]
between = ["ball", "floor"]
normal = { law = "gonthier", stiffness = 1e6, restitution = 0.5 }
friction = { law = "bristle", mu_s = 0.45, mu_c = 0.4 }
)";

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = kScene;
  return text.replace(text.find(from), from.size(), to);
}

void check_mistakes() {
  try {
    abut::Scene::read_text(replaced("radius", "radios"), "drop.toml");
    require(false, "a misspelled key is refused");
  } catch (const abut::InputError& error) {
    const abut::Mistake& mistake = error.mistakes().front();
    require(mistake.file == "drop.toml" && mistake.line == 8 && mistake.column > 0, "a mistake has its place");
    require(std::string(error.what()).find("drop.toml:8:") != std::string::npos, "what() says where");
  }
  require_thrown<abut::SystemError>([] { abut::Scene::read_file("nowhere.toml"); }, "nowhere.toml");
  abut::World world(abut::Scene::read_text(kScene));
  require_thrown<abut::InputError>([&] { world.body("bell"); }, "did you mean 'ball'");
  require_thrown<abut::InputError>([&] { world.set_command("ball", 1.0); }, "there is no joint 'ball'");
  require_thrown<abut::InputError>([&] { world.advance(-1.0); }, "cannot advance");
  require_thrown<abut::InputError>([&] { world.set_state(abut::State::from_bytes({})); }, "end too early");
}

void check_states() {
  const abut::Model model(abut::Scene::read_text(kScene));
  abut::World world(model), other(model);
  world.advance(0.145);
  require(!world.contacts().empty(), "the ball touches the floor at 0.145 s");
  const abut::State state = world.state();
  require(state.time() == world.time(), "a state knows its time");
  world.body("ball"), world.energy(), world.contacts();
  require(world.state() == state, "looks change nothing");
  other.set_state(abut::State::from_bytes(state.bytes()));
  require(other.state() == state && other.state().hash() == state.hash(), "bytes carry the whole state");
  abut::World copy = world;
  world.advance(0.3), other.advance(0.3), copy.advance(0.3);
  require(world.state() == other.state() && world.state() == copy.state(), "from equal states to the same bits");
  require(!(world.state() == state), "states of two instants differ");
  require(std::unordered_set<abut::State>{state, world.state(), other.state()}.size() == 2,
          "states can be kept in sets");
  const abut::Scene heavier = abut::Scene::read_text(kScene, "scene", {"contact[0].friction.mu_c=0.3"});
  abut::World foreign{heavier};
  require_thrown<abut::InputError>([&] { foreign.set_state(state); }, "another model");
  require(abut::Model(abut::Scene::read_text(kScene, "scene", {"run.duration=9"})).fingerprint() == model.fingerprint(),
          "a longer run is one of the same model");
}

/// Set and read are two ways to the same model.
void check_changes() {
  const abut::Model model(abut::Scene::read_text(kScene));
  const std::vector<abut::Change> changes = {{"contact.ball-floor.friction.mu_c", 0.3},
                                             {"gravity", abut::Vector3{0, 0, -1.62}},
                                             {"body.ball.position[2]", 0.15},
                                             {"run.method", "explicit"},
                                             {"run.step", 1e-5}};
  const abut::Scene read =
      abut::Scene::read_text(kScene, "scene",
                             {"contact.ball-floor.friction.mu_c=0.3", "gravity=[0, 0, -1.62]",
                              "body.ball.position[2]=0.15", "run.method=explicit", "run.step=1e-5"});
  abut::Scene scene = model.scene();
  for (const abut::Change& change : changes) scene.set(change.path, change.value);
  const abut::Model varied = model.with(changes), anew(read), set(scene);
  require(scene.to_toml() == read.to_toml() && varied.scene().to_toml() == read.to_toml(), "a set scene says so");
  require(varied.fingerprint() == anew.fingerprint() && set.fingerprint() == anew.fingerprint() &&
              varied.fingerprint() != model.fingerprint(),
          "values are part of the fingerprint");
  abut::World worlds[] = {abut::World(varied), abut::World(anew), abut::World(set)};
  for (abut::World& world : worlds) require(world.advance(0.3).is_ok(), "a varied world goes on");
  require(worlds[0].state() == worlds[1].state() && worlds[0].state() == worlds[2].state(),
          "a varied world has the bits of one that was read");

  const std::string before = scene.to_toml();
  require_thrown<abut::InputError>([&] { scene.set("body.bal.mass", 1.0); }, "Did you mean 'ball'");
  require_thrown<abut::InputError>([&] { scene.set("body.ball.mass", "much"); }, "mass");
  require_thrown<abut::InputError>([&] { scene.set("body.ball.mass", -1.0); }, "mass");
  require(scene.to_toml() == before, "what is refused changes nothing");
  // Each by itself may be: that mu_s is below mu_c shows when a model is made.
  scene.set("contact.ball-floor.friction.mu_s", 0.1);
  require_thrown<abut::InputError>([&] { abut::Model{scene}; }, "mu_s");
  require_thrown<abut::InputError>([&] { model.with({{"contact.ball-floor.friction.mu_s", 0.1}}); }, "mu_s");
}

void check_records() {
  abut::World world(abut::Scene::read_text(kScene));
  abut::World unseen = world;
  {
    abut::Recorder recorder(world, "record");
    require_thrown<abut::InputError>([&] { abut::Recorder(world, "other"); }, "is being recorded already");
    const abut::State start = unseen.state();
    require_thrown<abut::InputError>([&] { world.set_state(start); }, "close its recorder first");
    world.advance(0.3);
    recorder.close();
  }
  unseen.advance(0.3);
  require(world.state() == unseen.state(), "recording changes nothing");
  const abut::Record record = abut::Record::read("record");
  const abut::RecordColumn& time = record.column("time");
  require(record.is_complete && time.num_rows() == 31 && time.at(30) == 0.3, "a record has all samples");
  require(record.column("body/position").at(0, 2) == 0.2, "rows are in the order of bodies");
  require(record.column("event/time").num_rows() > 0, "events are recorded");
  require_thrown<abut::InputError>([&] { record.column("body/positions"); }, "did you mean 'body/position'");
  require(abut::Scene::read_text(record.scene).duration() == 0.3, "a record holds its scene");
}

void check_measures() {
  const abut::Model model(abut::Scene::read_text(kScene));
  const abut::MeasuredRun run(model), softer(model.with({{"contact[0].normal.stiffness", 1e5}}));
  require(run.report().is_ok() && run.report().time == 0.3, "a run goes to its end");
  // A fall of 0.1 m, to the tolerance of the run, which is 1e-6.
  require(std::abs(run.measure("touch_time(ball, floor, 1)") - std::sqrt(0.2 / 9.81)) < 1e-7, "touches are measured");
  require(run.measure("max_over(0, duration, depth(ball, floor))") <
              softer.measure("max_over(0, duration, depth(ball, floor))"),
          "a softer contact is deeper");
  require(run.measure("at(0.1, position(ball, z) - reference(position(ball, z)))", softer) == 0.0,
          "before the touch two runs are one");
  require(run.summary().find("\"contacts\"") != std::string::npos, "a run has a summary");
  require_thrown<abut::InputError>([&] { run.measure("touch_tme(ball, floor, 1)"); }, "measure:1:1");
  require_thrown<abut::InputError>([&] { run.measure("touch_time(ball, flor, 1)"); }, "floor");
  require_thrown<abut::InputError>([&] { run.measure("touch_time(ball, floor, 99)"); }, "99");
  require_thrown<abut::InputError>([&] { run.measure("reference(speed(ball))"); }, "needs the run");
}

/// A box, or what is given, on a slab.
abut::Scene make_box_scene(const std::string& contact, const std::string& run,
                           const std::string& shape = "{ type = \"box\", size = [0.2, 0.2, 0.2] }") {
  return abut::Scene::read_text("run = { duration = 1, " + run + R"( }
[[body]]
name = "box"
mass = 2
shape = )" + shape + R"(
position = [0, 0, 0.0999]
[[body]]
name = "slab"
fixed = true
shape = { type = "box", size = [1, 1, 0.2] }
position = [0, 0, -0.1]
[[contact]]
between = ["box", "slab"]
)" + contact);
}

const std::string kSteps = R"(method = "explicit", step = 1e-4)";

/// A box that falls flat, under perimeter contact, by a host with velocity steps: it comes to rest, and what it loses
/// is accounted for but for what such steps make of free fall.
void check_perimeter_drop() {
  const abut::Scene scene = make_box_scene(R"(region = "perimeter"
normal = { law = "gonthier", stiffness = 1e6, restitution = 0.3 })",
                                           kSteps);
  abut::ContactPair pair(scene, "box", "slab");
  abut::PairState state = pair.start();
  const double h = 1e-4, mass = 2.0, gravity = 9.81;
  const abut::Motion slab{.position = {0, 0, -0.1}};
  double z = 0.12, v = 0.0, worst = 0.0;
  const double total = mass * gravity * z;
  for (int k = 0; k < 10000; ++k) {
    const auto box = [](double height, double rate) {
      return abut::Motion{.position = {0, 0, height}, .velocity = {0, 0, rate}};
    };
    pair.begin_step(state, k * h, h, box(z, v), slab);
    double end = 0.0, rate = 0.0;
    do {
      // Forces are held, so that a parabola is exact; the works follow the mean speed.
      const double acceleration = pair.evaluate(state, k * h, box(z, v), slab).on_a.force[2] / mass - gravity;
      end = z + h * v + 0.5 * h * h * acceleration, rate = v + h * acceleration;
      const abut::PairForce middle = pair.evaluate(state, k * h + h / 2, box(z, 0.5 * (v + rate)), slab);
      for (std::size_t i = 0; i < state.numbers.size(); ++i) state.numbers[i] += h * middle.rates[i];
    } while (!pair.end_step(state, (k + 1) * h));
    z = end, v = rate;
    const abut::Energy e = pair.energy(state, (k + 1) * h, box(z, v), slab);
    worst = std::max(worst, mass * (v * v / 2 + gravity * z) + e.stored() + e.dissipated() - e.supplied() - total);
  }
  std::printf("perimeter: at %.6f m, %.1e m/s; made at most %.1e of %.3f J\n", z, v, worst, total);
  require(std::abs(v) < 1e-3 && z < 0.1 && z > 0.099, "a box rests on its perimeter");
  require(worst < 1e-6 * total, "a guarded contact makes no energy");
}

/// Signed, in every region, with no trace in what is evaluated.
void check_gaps() {
  const std::string round = R"({ type = "sphere", radius = 0.1 })",
                    flat = R"({ type = "box", size = [0.2, 0.2, 0.2] })";
  const std::string point = R"(normal = { law = "gonthier", stiffness = 1e6, restitution = 0.5 })";
  for (const auto& [contact, shape] :
       {std::pair(point, round), {"region = \"volume\"\n" + point, flat}, {"region = \"volume\"\n" + point, round}}) {
    abut::ContactPair pair(make_box_scene(contact, kSteps, shape), "box", "slab");
    const abut::Motion slab{.position = {0, 0, -0.1}};
    for (const double gap : {1e-2, 1e-4, 1e-7}) {
      const double found = pair.gap({.position = {0, 0, 0.1 + gap}}, slab);
      require(std::abs(found - gap) < 1e-9, "a gap is the distance between surfaces");
      require(pair.gap({.position = {0, 0, 0.1 - gap}}, slab) < 0.0, "an overlap has a negative gap");
    }
    // A touch that is located hides nothing: the force is that of a fall from nowhere, however long the steps are.
    abut::PairState late = pair.start(), located = pair.start();
    const auto box = [](double z) { return abut::Motion{.position = {0, 0, z}, .velocity = {0, 0, -0.1}}; };
    pair.begin_step(late, 0.0, 1e-3, box(0.10005), slab);
    pair.begin_step(late, 1e-3, 1e-3, box(0.09995), slab);
    pair.begin_step(located, 0.0, 5e-4, box(0.10005), slab);
    pair.gap(box(0.3), slab);
    pair.begin_step(located, 5e-4, 5e-4, box(0.1 - 1e-12), slab);
    pair.begin_step(located, 1e-3, 1e-3, box(0.09995), slab);
    const double hidden = pair.evaluate(late, 1e-3, box(0.09995), slab).on_a.force[2];
    const double whole = pair.evaluate(located, 1e-3, box(0.09995), slab).on_a.force[2];
    require(whole > 0.0 && hidden < 0.01 * whole, "a touch that is located hides no depth");
  }
}

/// Boxes, also carried and turned by the host; forces against those of a world at the same instant.
void check_pairs() {
  const std::string round = R"({ type = "sphere", radius = 0.1 })",
                    flat = R"({ type = "box", size = [0.2, 0.2, 0.2] })";
  const std::string point = R"(normal = { law = "gonthier", stiffness = 1e6, restitution = 0.5 })";
  const std::string volume = R"(region = "volume"
normal = { law = "gonthier", stiffness = 1e8, restitution = 0.5 })";
  for (const auto& [contact, shape] : {std::pair(point, round), {volume, flat}, {volume, round}}) {
    abut::ContactPair pair(make_box_scene(contact, kSteps, shape), "box", "slab");
    const abut::Motion box{.position = {0, 0, 0.0999}}, slab{.position = {0, 0, -0.1}};
    abut::PairState state = pair.start();
    require(!pair.begin_step(state, 5.0, 1e-4, box, slab).empty(), "what overlaps touches");
    const abut::PairForce straight = pair.evaluate(state, 5.0, box, slab);
    abut::World world(make_box_scene(contact, kSteps, shape));
    double force = 0.0;
    for (const abut::Contact& touch : world.contacts()) force += touch.force[2];
    require(force > 0.1 && std::abs(straight.on_a.force[2] - force) < 1e-9 * force, "a pair acts as in a world");
    require(straight.on_a.force[2] == -straight.on_b.force[2], "action is reaction");
    // The whole scene turned by a right angle about x, and carried along: the same wrench, turned.
    const double s = std::sqrt(0.5);
    const abut::Motion tipped{.position = {3, -0.0999, 0}, .orientation = {s, s, 0, 0}, .velocity = {1, 2, 3}};
    const abut::Motion wall{.position = {3, 0.1, 0}, .orientation = {s, s, 0, 0}, .velocity = {1, 2, 3}};
    abut::PairState turned = pair.start();
    pair.begin_step(turned, 0.0, 1e-4, tipped, wall);
    const abut::PairForce f = pair.evaluate(turned, 0.0, tipped, wall);
    const double scale = 1e-9 * straight.on_a.force[2];
    require(std::abs(f.on_a.force[1] + straight.on_a.force[2]) < scale && std::abs(f.on_a.force[2]) < scale,
            "forces turn with the bodies");
  }
  require_thrown<abut::InputError>([&] { abut::ContactPair(abut::Scene::read_text(kScene), "ball", "flor"); },
                                   "there is no body 'flor'");
  require_thrown<abut::InputError>(
      [&] {
        abut::ContactPair(
            make_box_scene(R"(friction = { law = "coulomb", mu = 0.3 })", R"(method = "lcp", step = 1e-3)"), "box",
            "slab");
      },
      "finds the forces of contacts with the motion");
}

}  // namespace

int main() try {
  require(std::string(abut::library_version()) == ABUT_VERSION, "headers and library are of one version");
  check_mistakes();
  check_states();
  check_changes();
  check_records();
  check_measures();
  check_pairs();
  check_gaps();
  check_perimeter_drop();
  std::printf("%s: %d not so\n", abut::library_version(), failures);
  return failures == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::printf("unexpected: %s\n", error.what());
  return 1;
}
