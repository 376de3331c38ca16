#!/usr/bin/python3
"""Functional mock-up units and their importers: what may be called when, events, early return, updates within a step,
steps that cannot be done. Units of abut export-fmu, driven as in fmu_test.py."""

import ctypes
import math
import sys
import unittest

from abut_testing import ROOT, SCENE, main
from fmu_test import FORCE, FmuTest, PORTS, POSITION, TOUCHING, VERSIONS

sys.path.insert(0, str(ROOT / "examples/fmu"))
from importer import DISCARD, ERROR, Instance3, OK, UnitError  # noqa: E402

TOUCH = math.sqrt(2 * 0.1 / 9.81)  # of a fall through 0.1 m [s]
NAN, INF = float("nan"), float("inf")


class Instances(FmuTest):
    def test_what_is_no_instance(self):
        for version in VERSIONS:
            unit = self.load(version=version)
            self.refuses("is not that of this unit", lambda: unit.instantiate(token="{0}"))
            self.refuses("needs a name", lambda: unit.instantiate(" "))
            self.refuses("there is no such file", lambda: unit.instantiate(
                resources="file:///nowhere" if version == "2.0" else "/nowhere/"))
            with self.assertRaises(UnitError) as caught:
                unit.instantiate(token="{0}", logs=False)
            self.assertEqual(caught.exception.messages, [])
            # Nothing is done to, or by, what is not there.
            prefix = f"fmi{version[0]}"
            for function in ("Terminate", "Reset", "ExitInitializationMode"):
                self.assertEqual(getattr(unit.library, prefix + function)(None), ERROR)
            getattr(unit.library, prefix + "FreeInstance")(None)

    def test_other_kinds_are_refused(self):
        unit = self.load(version="2.0")
        self.refuses("co-simulation only", lambda: unit.instantiate(kind=0))
        library = self.load().library
        for name in ("ModelExchange", "ScheduledExecution"):
            make = getattr(library, f"fmi3Instantiate{name}")
            make.restype = ctypes.c_void_p
            self.assertIsNone(make(b"one", b"{0}", b"/", False, False, None, None, None, None, None))

    def test_resources_in_all_spellings(self):
        unit = self.load(version="2.0")
        path = str(unit.folder / "resources")
        self.assertIn(" ", path)  # which has to be written %20
        quoted = path.replace(" ", "%20")
        for spelling in (f"file://{quoted}", f"file:{quoted}/", f"file://localhost{quoted}", path):
            run = unit.instantiate(resources=spelling)
            run.initialize()
            run.free()
        for wrong in ("http://x/y", "file://elsewhere/x", f"file://{quoted}%2", "file:x"):
            with self.assertRaises(UnitError):
                unit.instantiate(resources=wrong)

    def test_no_logger_no_environment(self):
        library = self.load().library
        unit = self.load()
        make = unit.library.fmi3InstantiateCoSimulation
        make.restype = ctypes.c_void_p
        pointer = ctypes.c_void_p(make(b"one", unit.token.encode(), unit.resources().encode(), False, True, False, False,
                                       None, ctypes.c_size_t(0), None, None, None))
        self.assertTrue(pointer)
        self.assertEqual(unit.library.fmi3Terminate(pointer), ERROR)  # with nobody to tell
        unit.library.fmi3FreeInstance(pointer)
        self.assertEqual(library.fmi3GetVersion.restype, ctypes.c_int)
        library.fmi3GetVersion.restype = library.fmi2GetVersion.restype = ctypes.c_char_p
        library.fmi2GetTypesPlatform.restype = ctypes.c_char_p
        self.assertEqual((library.fmi3GetVersion(), library.fmi2GetVersion(), library.fmi2GetTypesPlatform()),
                         (b"3.0", b"2.0", b"default"))


class Calls(FmuTest):
    def test_order(self):
        """Each in an instance of its own, as an error ends it."""
        early = ("ExitInitializationMode", "Terminate")
        for version in VERSIONS:
            unit = self.load(version=version)
            for function in early:
                run = unit.instantiate()
                self.addCleanup(run.free)
                self.refuses("is not allowed before initialization", run.call, function)
                run.reset()
                run.initialize()
            run = unit.instantiate()
            self.addCleanup(run.free)
            self.refuses("is not allowed before initialization", run.step, 0.1)
            self.refuses("after an error" if version == "2.0" else "after it was terminated", run.step, 0.1)
            run = self.start(unit)
            run.terminate()
            self.refuses("after it was terminated", run.step, 0.1)
            self.assertEqual(run.get(POSITION), [0.0, 0.0, 0.2])
        self.refuses("without event mode", self.start(unit).call, "EnterEventMode")
        run = unit.instantiate()
        self.addCleanup(run.free)
        self.refuses("is not allowed before initialization", run.call, "EnterStepMode")
        old = self.load(version="2.0").instantiate()
        self.addCleanup(old.free)
        self.refuses("before fmi2SetupExperiment", old.call, "EnterInitializationMode")

    def test_steps_that_cannot_be(self):
        for version in VERSIONS:
            unit = self.load(version=version)
            for size in (0.0, -0.1, NAN, INF):
                self.refuses("cannot be taken", self.start(unit).step, size)
            run = self.start(unit, stop=0.2)
            run.step(0.1)
            run.step(0.1 + 1e-12)  # rounding
            run = self.start(unit, stop=0.2)
            self.refuses("after the stop time", run.step, 0.25)
            run = self.start(unit)
            run.step(0.1)
            run.time = 0.05
            self.refuses("but the unit is at 0.1 s", run.step, 0.1)
            for options in ({"start": NAN}, {"start": 1.0, "stop": 0.5}, {"tolerance": -1.0}):
                with self.assertRaises(UnitError):
                    self.start(unit, **options)

    def test_values_that_cannot_be(self):
        for version in VERSIONS:
            unit = self.load(version=version)
            self.refuses("cannot be nan", self.start(unit).set, FORCE, [0.0, NAN, 0.0])
            self.refuses("cannot be set", self.start(unit).set, POSITION, [0.0, 0.0, 0.0])
            self.refuses("cannot be set", self.start(unit).set, "time", 1.0)
            self.refuses("restitution must be", lambda: self.start(
                unit, before=lambda run: (run.set("contact.'ball-floor'.normal.restitution", 7.0), run.get(POSITION))))
            run = self.start(unit)
            kind = "Real" if version == "2.0" else "Float64"
            tail = () if version == "2.0" else (ctypes.c_size_t(1),)
            one, value = (ctypes.c_uint32 * 1)(9999), (ctypes.c_double * 1)()
            with self.assertRaises(UnitError):
                run.call(f"Get{kind}", one, ctypes.c_size_t(1), value, *tail)
            run.reset()
            run.initialize()
            none = (None, ctypes.c_size_t(0), None) + (() if version == "2.0" else (ctypes.c_size_t(0),))
            for name in (kind, "Boolean", "String"):
                self.assertEqual(run.call(f"Get{name}", *none), OK)
                self.assertEqual(run.call(f"Set{name}", *none), OK)
        references, _ = run.references([POSITION])
        self.refuses("more numbers in these variables than values", run.call, "GetFloat64", references, ctypes.c_size_t(1),
                     (ctypes.c_double * 2)(), ctypes.c_size_t(2))

    def test_what_is_absent_says_so(self):
        for version, functions in (("2.0", ("GetDirectionalDerivative", "SetRealInputDerivatives", "NewDiscreteStates")),
                                   ("3.0", ("GetDirectionalDerivative", "GetAdjointDerivative", "GetClock", "SetTime",
                                            "EnterConfigurationMode", "ActivateModelPartition"))):
            unit = self.load(version=version)
            for function in functions:
                self.refuses(f"fmi{version[0]}{function}: it", self.start(unit).call, function, *[None] * 8)

    def test_logging(self):
        for version in VERSIONS:
            run = self.start(self.load(version=version))
            run.step(0.2)
            self.assertIn("a contact began or ended", run.messages[-1])
            flag = ctypes.c_int if version == "2.0" else ctypes.c_bool
            run.call("SetDebugLogging", flag(0), ctypes.c_size_t(1), (ctypes.c_char_p * 1)(b"logEvents"))
            size = len(run.messages)
            run.step(0.1)
            self.assertEqual(len(run.messages), size)
            self.refuses("there is no such category", run.call, "SetDebugLogging", flag(1), ctypes.c_size_t(1),
                         (ctypes.c_char_p * 1)(b"all"))


class Failure(FmuTest):
    """A run that cannot go on: more steps than the scene allows."""

    OPTIONS = ("--set", "run.max_steps=40", "--set", "run.method=explicit", "--set", "run.step=1e-3")

    def test_version_3_says_error_and_how_far(self):
        unit = self.load(SCENE + PORTS, "3.0", *self.OPTIONS)
        run = self.start(unit)
        run.step(0.02)
        state = run.get_state()
        reached = ctypes.c_double()
        flags = [ctypes.c_bool() for _ in range(3)]
        status = unit.library.fmi3DoStep(run.pointer, ctypes.c_double(0.02), ctypes.c_double(0.1), True,
                                         *map(ctypes.byref, flags), ctypes.byref(reached))
        self.assertEqual(status, ERROR)
        self.assertAlmostEqual(reached.value, 0.04, delta=1e-12)
        self.assertIn("max_steps", run.messages[-1])
        self.assertAlmostEqual(run.get("time"), 0.04, delta=1e-12)
        run.set_state(state)
        run.time = 0.02
        run.step(0.02)
        self.assertAlmostEqual(run.get("time"), 0.04, delta=1e-12)

    def test_version_2_discards_the_rest(self):
        unit = self.load(SCENE + PORTS, "2.0", *self.OPTIONS)
        run = self.start(unit)
        self.refuses("max_steps", run.step, 0.1, status=DISCARD)
        time, ended = ctypes.c_double(), ctypes.c_int()
        run.call("GetRealStatus", 2, ctypes.byref(time))
        run.call("GetBooleanStatus", 3, ctypes.byref(ended))
        self.assertAlmostEqual(time.value, 0.04, delta=1e-12)
        self.assertEqual(ended.value, 1)
        self.refuses("", run.call, "GetStringStatus", 0, None, status=DISCARD)
        run.terminate()


class Events(FmuTest):
    def trace(self, run, end=0.3, size=0.05):
        """Times at which steps ended, and the flag there."""
        rows = []
        while run.time < end - 1e-12:
            run.step(min(size - run.time % size if run.time % size < size - 1e-9 else size, end - run.time))
            rows.append((run.time, run.get(TOUCHING), run.is_early, run.needs_event))
        return rows

    def test_touches_end_steps(self):
        unit = self.load()
        plain = self.start(unit)
        plain.step(0.3)
        run = self.start(unit, events=True, early=True)
        rows = self.trace(run)
        early = [row for row in rows if row[2]]
        self.assertEqual([row[1] for row in early], [True, False, True])  # touch, lift, touch
        self.assertTrue(all(row[3] for row in early))
        self.assertAlmostEqual(early[0][0], TOUCH, delta=1e-6)
        self.assertTrue(early[0][0] < early[1][0] < early[0][0] + 0.02)
        # Back at half the speed, up and down: as long as the fall, but for what gravity takes during the impact.
        self.assertTrue(0.85 * TOUCH < early[2][0] - early[1][0] < TOUCH)
        self.assertAlmostEqual(run.time, 0.3, delta=1e-12)
        self.assertAlmostEqual(run.get(POSITION)[2], plain.get(POSITION)[2], delta=5e-6)

    def test_without_leave_steps_go_to_their_end(self):
        unit = self.load()
        rows = self.trace(self.start(unit, events=True, early=False))
        self.assertEqual([row[2] for row in rows], [False] * 6)
        self.assertEqual([row[3] for row in rows], [False, False, True, True, False, True])
        for options in ({"early": True}, {}):
            rows = self.trace(self.start(unit, **options))
            self.assertFalse(any(row[2] or row[3] for row in rows))

    def test_flags_change_in_event_mode_alone(self):
        unit = self.load()
        run = self.start(unit, events=True, early=True)
        answers = [ctypes.c_bool() for _ in range(3)] + [ctypes.c_double()]
        run.call("DoStep", ctypes.c_double(0.0), ctypes.c_double(0.2), ctypes.c_bool(True), *map(ctypes.byref, answers))
        self.assertTrue(answers[0].value and answers[2].value)
        self.assertFalse(run.get(TOUCHING))
        run.call("EnterEventMode")
        self.assertTrue(run.get(TOUCHING))

    def test_the_first_round_is_the_importers(self):
        unit = self.load()
        run = Instance3(unit, "one", events=True)
        self.addCleanup(run.free)
        run.events = False  # initialize() without the round
        run.initialize()
        self.refuses("is not allowed in event mode", run.step, 0.1)

    def test_updates_within_a_step(self):
        unit, times = self.load(), []
        run = self.start(unit, on_update=lambda run, time: times.append((time, run.get(POSITION)[2])),
                         announced=[POSITION])
        run.step(0.3)
        plain = self.start(unit)
        plain.step(0.3)
        self.assertEqual(run.get(POSITION), plain.get(POSITION))  # who only looks changes nothing
        self.assertGreater(len(times), 5)
        self.assertTrue(all(a < b for (a, _), (b, _) in zip(times, times[1:])))
        self.assertEqual(times[-1], (0.3, plain.get(POSITION)[2]))
        for time, height in times:
            if time < TOUCH:
                self.assertAlmostEqual(height, 0.2 - 9.81 / 2 * time**2, delta=1e-9)

    def test_updates_may_end_a_step(self):
        unit = self.load()
        run = self.start(unit, early=True, on_update=lambda run, time: 0.1 if time <= 0.1 else None)
        run.step(0.3)
        self.assertTrue(run.is_early)
        self.assertAlmostEqual(run.time, 0.1, delta=1e-12)
        self.assertAlmostEqual(run.get(POSITION)[2], 0.2 - 9.81 / 2 * 0.1**2, delta=1e-9)
        run.step(0.05)
        self.assertAlmostEqual(run.time, 0.15, delta=1e-12)
        self.refuses("does not allow", self.start(unit, on_update=lambda run, time: 0.1).step, 0.3)

    def test_updates_may_set_inputs(self):
        unit = self.load(SCENE + PORTS, "3.0", "--set", "run.method=explicit", "--set", "run.step=1e-3")
        run = self.start(unit, announced=[FORCE], on_update=lambda run, time: run.set(FORCE, [time, 0.0, 0.0]))
        run.step(0.1)
        # From each step to the next the force is the time at its beginning: m v = sum of k h^2.
        self.assertAlmostEqual(2.0 * run.get("body.ball.velocity")[0], 1e-6 * sum(range(100)), delta=1e-12)
        quiet = self.start(unit, on_update=lambda run, time: self.assertRaises(UnitError, run.get, POSITION))
        self.refuses("went wrong", quiet.step, 0.1)  # what was not announced


if __name__ == "__main__":
    main()
