#!/usr/bin/python3
"""Worlds in Python: steps, looks, acts, states, threads, Ctrl-C, forks."""

import pickle
import signal
import subprocess
import sys
import threading
import time

from abut_testing import CommandTest, SCENE, main
from python_testing import ARM, MODULE, abut, make_scene

import numpy as np


class WorldTest(CommandTest):
    def test_advances_looks_and_goes_back_to_the_same_bits(self):
        world = abut.World(make_scene())
        self.assertEqual(world.advance(0.1), 0.1)
        before = world.save()
        world.advance(0.2)
        first = bytes(world.save())
        world.load(before)
        self.assertEqual(world.time, 0.1)
        world.advance(0.2)
        self.assertEqual(bytes(world.save()), first)
        again = abut.State(bytes(before))
        self.assertEqual((again, hash(again), again.time), (before, hash(before), 0.1))
        self.assertEqual(pickle.loads(pickle.dumps(before)), before)
        other = world.copy()
        other.advance(0.25)
        self.assertEqual(bytes(world.state), first)
        world.state = before
        self.assertEqual(world.time, 0.1)

    def test_arrays_are_over_memory_that_stays(self):
        world = abut.World(make_scene())
        rows, q = world.bodies, world.coordinates
        self.assertEqual(rows["position"].shape, (2, 3))
        np.testing.assert_array_equal(rows["position"][0], [0, 0, 0.2])
        world.advance(0.05)
        again = world.bodies
        self.assertEqual(again.__array_interface__["data"], rows.__array_interface__["data"])
        self.assertEqual(world.coordinates.__array_interface__["data"], q.__array_interface__["data"])
        # Free fall, exact but for the tolerance of the run.
        self.assertAlmostEqual(rows["position"][0, 2], 0.2 - 9.81 * 0.05**2 / 2, delta=1e-9)
        with self.assertRaises(ValueError):
            rows["position"][0, 2] = 1.0
        kept = world.coordinates
        del world
        self.assertEqual(len(kept), 7)  # the array keeps the world

    def test_shows_contacts_events_and_energy(self):
        world = abut.World(make_scene())
        world.advance(0.3)
        events = world.take_events()
        self.assertEqual(abut.EventKind(events["kind"][0]), abut.EventKind.touch)
        # Touch after falling 0.1 m.
        self.assertAlmostEqual(events["time"][0], (2 * 0.1 / 9.81) ** 0.5, delta=1e-7)
        self.assertEqual(len(world.take_events()), 0)
        energy = world.energy
        start = 2 * 9.81 * 0.2
        self.assertAlmostEqual(energy.stored + energy.dissipated - start, energy.residual, delta=1e-9)
        self.assertLess(abs(energy.residual), 1e-4 * start)
        self.assertEqual(set(energy.to_dict()) >= {"kinetic", "damping", "residual"}, True)
        self.assertEqual(world.contacts.dtype.names[:2], ("body_a", "body_b"))

    def test_forces_and_commands_act_in_the_loop(self):
        world = abut.World(make_scene())
        world.set_force("ball", force=(0, 0, 2 * 9.81))
        world.advance(0.1)
        np.testing.assert_allclose(world.body("ball").position, [0, 0, 0.2], atol=1e-9)
        with self.assertRaises(abut.InputError) as caught:
            world.set_force("bal", force=(0, 0, 1))
        self.assertIn("did you mean 'ball'", str(caught.exception))
        with self.assertRaises(abut.InputError):
            world.set_force("ball", force=(0, 1))
        arm = abut.World(abut.Scene.read_text(ARM))
        arm.set_command("shoulder", 0.2)
        arm.advance(1.0)
        # 0.2 N m on 0.1 kg m^2; the body's mass lies in the axis.
        self.assertAlmostEqual(arm.joint_velocity("shoulder"), 2.0, delta=1e-9)
        self.assertAlmostEqual(arm.velocities[0], 2.0, delta=1e-9)

    def test_prescribed_motion_is_sent(self):
        scene = abut.Scene.read_text(ARM.replace('motor = { mode = "torque", value = 0.0 }',
                                                 'motion = { kind = "rate", rate = 0.0 }'))
        world = abut.World(scene)
        world.set_motion("shoulder", time=0.5, position=0.3)
        world.advance(0.5)
        self.assertAlmostEqual(world.joint_position("shoulder"), 0.3, delta=1e-12)

    def test_a_world_that_cannot_go_on_says_so(self):
        # A step far too long for the spring: the energy grows until the run stops.
        scene = make_scene(method="explicit", step=0.01, integrator="euler", duration=50.0)
        scene["contact[0].normal.restitution"] = 1.0
        world = abut.World(scene)
        with self.assertRaises(abut.StepError) as caught:
            world.advance(50.0)
        self.assertEqual(caught.exception.time, world.time)
        self.assertTrue(caught.exception.message)
        self.assertEqual(pickle.loads(pickle.dumps(caught.exception)).message, caught.exception.message)

    def test_threads_of_a_world_make_no_difference(self):
        ends = []
        for threads in (1, 3):
            world = abut.World(make_scene(), threads=threads)
            world.advance(0.3)
            ends.append(bytes(world.save()))
        self.assertEqual(*ends)

    def test_records_while_stepping(self):
        world = abut.World(make_scene())
        with world.recording(self.folder / "out"):
            world.advance(0.2)
        record = abut.Record.read(self.folder / "out")
        self.assertEqual(record.time[-1], 0.2)
        self.assertEqual(record.body("ball")["position"][-1, 2], world.body("ball").position[2])

    def test_worlds_in_threads_do_not_hold_each_other_up(self):
        """Python's lock is given back: the main thread counts on while another steps."""
        world = abut.World(make_scene(method="explicit", step=1e-6))
        thread = threading.Thread(target=world.advance, args=(0.3,))
        counted, start = 0, time.monotonic()
        thread.start()
        while thread.is_alive():
            counted += 1
            if counted == 1:
                with self.assertRaises(abut.InputError) as caught:
                    world.step()
                self.assertIn("another thread", str(caught.exception))
        thread.join()
        took = time.monotonic() - start
        # Under the lock there would be a turn every switch interval (5 ms) at best, and none at all inside one call.
        self.assertGreater(counted, 1000 * took)

    def test_contact_pair_for_an_integrator_of_ones_own(self):
        pair = abut.ContactPair(make_scene(), "ball", "floor")
        state = pair.start()
        mass, h, z, v = 2.0, 1e-4, 0.12, 0.0
        floor = abut.Motion()
        events = []
        for i in range(4000):
            t = i * h
            here = abut.Motion(position=(0, 0, z), velocity=(0, 0, v))
            events += pair.begin_step(state, t, h, here, floor)
            force = pair.evaluate(state, t, here, floor)
            v += h * (force.force_on_a[2] / mass - 9.81)
            z += h * v
            state.numbers = state.numbers + h * force.rates
            self.assertTrue(pair.end_step(state, t + h))
        self.assertEqual(events[0]["kind"], "touch")
        # Hertz's law under the weight: (m g / k)^(2/3).
        self.assertAlmostEqual(z, 0.1 - (2 * 9.81 / 1e6) ** (2 / 3), delta=2e-5)
        # Its slope at rest: 3/2 k^(2/3) (m g)^(1/3).
        jacobian = pair.jacobian(state, t, here, floor)
        slope = 1.5 * 1e6 ** (2 / 3) * (2 * 9.81) ** (1 / 3)
        self.assertAlmostEqual(jacobian["by_a"][2, 2] / -slope, 1.0, delta=0.05)
        self.assertLess(jacobian["error_by_a"][2, 2], 1e-4 * slope)
        with self.assertRaises(abut.InputError) as caught:
            abut.ContactPair(make_scene(), "bal", "floor")
        self.assertIn("did you mean 'ball'", str(caught.exception))
        self.assertRegex(repr(abut.World(make_scene()).energy), r"^Energy\(gravitational=3\.92\d*, .*stored=")
        self.assertRegex(repr(floor), r"^Motion\(position=\(0, 0, 0\), orientation=\(1, 0, 0, 0\), ")
        self.assertRegex(repr(abut.World(make_scene()).save()), r"^<abut.State at 0 s, \d+ bytes>$")


class InterruptTest(CommandTest):
    """Ctrl-C, in a process of its own."""

    CODE = """
import sys, time
sys.path[:0] = [{build!r}]
import abut
scene = abut.Scene.read_text({scene!r}, "scene", ["run.method=\\"explicit\\"", "run.step=1e-6", "run.duration=10000"])
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", time.time(), flush=True)
{after}
"""

    def interrupt(self, call, after=""):
        """Seconds from the signal to KeyboardInterrupt, and what was printed afterwards."""
        code = self.CODE.format(build=MODULE, scene=SCENE, call=call, after=after)
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   cwd=self.folder)
        self.addCleanup(self.stop, process)
        self.assertEqual(process.stdout.readline(), "ready\n")
        time.sleep(0.5)
        sent = time.time()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0, errors)
        words = output.split()
        self.assertEqual(words[0], "interrupted", errors)
        return float(words[1]) - sent, words[2:]

    def test_advance(self):
        seconds, words = self.interrupt("world = abut.World(scene); world.advance(1e4)",
                                        "t = world.time; world.advance(t + 1e-3); print(t > 0, world.time > t)")
        self.assertLess(seconds, 1.0)  # a tenth, on a machine with nothing else to do
        self.assertEqual(words, ["True", "True"])

    def test_run_keeps_its_record(self):
        seconds, words = self.interrupt("abut.run(scene, out='out')",
                                        "r = abut.Record.read('out'); print(r.summary['status'], len(r.time) > 1)")
        self.assertLess(seconds, 1.0)
        self.assertEqual(words, ["interrupted", "True"])

    def test_run_many(self):
        seconds, _ = self.interrupt("abut.run_many(scene, {'body.ball.mass': [1.0, 2.0, 3.0]}, threads=2)")
        self.assertLess(seconds, 1.0)


class ProcessTest(CommandTest):
    def python(self, code):
        done = subprocess.run([sys.executable, "-c", f"import sys; sys.path[:0] = [{MODULE!r}]\n{code}"],
                              capture_output=True, text=True, cwd=self.folder, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_world_survives_a_fork_or_says_that_it_cannot(self):
        code = f"""
import abut, os
one, three = (abut.World(abut.Scene.read_text({SCENE!r}), threads=n) for n in (1, 3))
for world in (one, three): world.advance(0.1)
state = three.save()
sys.stdout.flush()
child = os.fork()
if child == 0:
    one.advance(0.2)
    try: three.advance(0.2)
    except abut.InputError as error: print("fork" in str(error))
    new = abut.World(abut.Scene.read_text({SCENE!r}), threads=3)
    new.load(state)
    new.advance(0.2)
    print(bytes(new.save()) == bytes(one.save()), flush=True)
    os._exit(0)
print(os.waitpid(child, 0)[1], three.advance(0.2))
"""
        self.assertEqual(self.python(code).split(), ["True", "True", "0", "0.2"])

    def test_a_subinterpreter_is_refused(self):
        code = f"""
import _xxsubinterpreters as sub
try:
    sub.run_string(sub.create(), "import sys; sys.path[:0] = [{MODULE + '/abut'!r}]; import _abut")
except sub.RunFailedError as error:
    print(error)
"""
        self.assertIn("main interpreter", self.python(code))
        self.assertIn("main interpreter", self.python("import abut" + code))


if __name__ == "__main__":
    main()
