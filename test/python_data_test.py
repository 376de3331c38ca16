#!/usr/bin/python3
"""Records, laws, geometry and studies in Python."""

import unittest

from abut_testing import CommandTest, SCENE, main
from python_testing import ARM, abut, make_scene

import numpy as np


class RecordTest(CommandTest):
    def test_a_run_is_that_of_the_command(self):
        self.run_scene(SCENE)
        record = abut.run(self.folder / "scene.toml", out=self.folder / "mine")
        theirs = abut.Record.read(self.folder / "out")
        self.assertEqual(record.summary["status"], "done")
        self.assertEqual(set(record), set(theirs))
        for name in record:
            np.testing.assert_array_equal(record[name], theirs[name], name)

    def test_structured_arrays(self):
        record = abut.run(make_scene())
        ball = record.body("ball")
        self.assertEqual(ball.dtype.names, ("time", "position", "orientation", "velocity", "angular_velocity"))
        self.assertEqual(ball["position"].shape, (len(record.time), 3))
        contacts = record.contacts
        self.assertTrue((contacts["normal_force"] >= 0).all())
        np.testing.assert_array_equal(contacts["time"], record.time[contacts["sample"]])
        self.assertEqual(abut.EventKind(record.events["kind"][0]).name, "touch")
        energy = record.energy
        supplied = ["motor", "prescribed_motion", "applied_force", "relaxation", "geometry", "residual"]
        total = sum((-1 if key in supplied else 1) * energy[key] for key in energy.dtype.names[1:])
        np.testing.assert_allclose(total, 2 * 9.81 * 0.2, rtol=1e-12)
        self.assertEqual(record.units["body/position"], "m")
        with self.assertRaises(abut.InputError) as caught:
            record["body/positon"]
        self.assertIn("body/position", str(caught.exception))
        self.assertEqual(record.scene["body.ball.mass"], 2.0)

    def test_joints(self):
        record = abut.run(abut.Scene.read_text(ARM))
        self.assertEqual(record.joint("shoulder")["q"].shape, record.time.shape)
        self.assertEqual(set(record.joint("shoulder").dtype.names), {"time", "q", "v", "force"})

    def test_pandas_and_xarray(self):
        record = abut.run(make_scene())
        table = record.to_pandas("bodies", "ball")
        self.assertEqual(float(table["position_z"].iloc[0]), 0.2)
        self.assertEqual(set(record.to_pandas().index.get_level_values("body")), {"ball", "floor"})
        for what in ("contacts", "events", "energy"):
            self.assertGreater(len(record.to_pandas(what)), 0)
        dataset = record.to_xarray()
        self.assertEqual(float(dataset["body/position"].sel(body="ball", axis="z")[0]), 0.2)
        self.assertEqual(dataset["body/position"].attrs["unit"], "m")

    def test_a_failed_run_has_its_record(self):
        scene = make_scene(method="explicit", step=0.01, integrator="euler", duration=50.0)
        scene["contact[0].normal.restitution"] = 1.0
        with self.assertRaises(abut.StepError) as caught:
            abut.run(scene)
        self.assertEqual(caught.exception.record.summary["status"], "failed")

    def test_progress_is_told_and_may_raise(self):
        def stop(now):
            raise RuntimeError(f"enough at {now:g}")
        with self.assertRaisesRegex(RuntimeError, "enough"):
            abut.run(make_scene(method="explicit", step=1e-6, duration=1000.0), progress=stop)

    def test_plots(self):
        import matplotlib
        matplotlib.use("Agg")
        record = abut.run(make_scene())
        for what in ("height", "speed", "force", "energy"):
            axes = record.plot(what)
            self.assertGreater(len(axes.lines), 0, what)
            self.assertIn("[", axes.get_ylabel())
        with self.assertRaises(abut.InputError):
            record.plot("nothing")

    def test_pages(self):
        record = abut.run(make_scene(), out=self.folder / "out")
        page = record.report()
        self.assertIn("<html", page.read_text()[:200].lower())
        self.assertIn("srcdoc=", record._repr_html_())
        world = abut.World(make_scene())
        world.advance(0.1)
        before = bytes(world.save())
        ahead = world.look_ahead(0.1)
        self.assertEqual((ahead.time[0], ahead.time[-1]), (0.1, 0.2))
        self.assertEqual(bytes(world.save()), before)
        self.assertIn("srcdoc=", world._repr_html_())


class LawTest(unittest.TestCase):
    def test_normal_laws_are_their_formula(self):
        depth = np.linspace(-1e-4, 1e-3, 101)
        rate = np.linspace(-1.0, 1.0, 101)
        hertz = abut.laws.hertz(depth, rate, stiffness=2e6)
        np.testing.assert_allclose(hertz, 2e6 * np.maximum(depth, 0) ** 1.5, rtol=1e-14)
        # lambda = 3/2 (1 - e) k / v0   [Gonthier 2007, 2.2.2]
        given = abut.laws.hunt_crossley(depth, rate, stiffness=2e6, restitution=0.8, impact_speed=0.5)
        x = np.maximum(depth, 0) ** 1.5
        np.testing.assert_allclose(given, np.maximum(0, 2e6 * x * (1 + 1.5 * 0.2 / 0.5 * rate)), rtol=1e-13, atol=1e-12)
        self.assertIsInstance(abut.laws.hertz(1e-3, stiffness=1e6), float)

    def test_all_laws_of_the_table_are_there(self):
        for name, function in abut.laws.LAWS.items():
            self.assertIs(getattr(abut.laws, name.replace("-", "_")), function)
            self.assertIn("Source", function.__doc__)
        normal = ["hertz", "kelvin-voigt", "hunt-crossley", "lee-wang", "lankarani-nikravesh", "flores", "gonthier",
                  "azad-featherstone"]
        for name in normal:
            values = {} if name == "hertz" else {"restitution": 0.6, "impact_speed": 1.0}
            force = abut.laws.LAWS[name](np.full(5, 1e-3), np.linspace(-0.1, 0.1, 5), stiffness=1e6, **values)
            self.assertTrue((force > 0).all(), name)
        for name in ("none", "coulomb", "lugre", "bristle"):
            values = {} if name == "none" else {"mu_d" if name == "lugre" else "mu_c": 0.4, "mu_s": 0.5}
            force = abut.laws.LAWS[name](np.full(3, 10.0), np.array([-1.0, 0.0, 1.0]), **values).force
            self.assertEqual(force.shape, (3,))

    def test_a_touch_of_its_own_for_each_point(self):
        speeds = np.array([0.1, 0.5, 1.0])
        each = abut.laws.gonthier(1e-3, -0.05, stiffness=1e6, restitution=0.5, impact_speed=speeds)
        one = [abut.laws.gonthier(1e-3, -0.05, stiffness=1e6, restitution=0.5, impact_speed=v) for v in speeds]
        np.testing.assert_array_equal(each, one)

    def test_shapes_broadcast_and_out_is_filled(self):
        out = np.empty((2, 3))
        force = abut.laws.hertz(np.full((2, 1), 1e-3), np.zeros(3), stiffness=1e6, out=out)
        self.assertIs(force, out)
        np.testing.assert_allclose(out, 1e6 * 1e-3**1.5)

    def test_friction_slides_and_sticks(self):
        slide = abut.laws.coulomb(10.0, np.array([-1.0, 1.0]), mu_c=0.4, mu_s=0.4)
        np.testing.assert_allclose(slide.force, [4.0, -4.0])
        slip = np.array([[0, 1.0, 5.0], [0, 0, 0]])
        rows = abut.laws.coulomb(np.full(2, 10.0), slip, normal=(0, 0, 1), mu_c=0.4, mu_s=0.4)
        np.testing.assert_allclose(rows.force, [[0, -4.0, 0], [0, 0, 0]], atol=1e-12)
        # Bristles at rest under a deflection give sigma_0 z of the load.
        with self.assertRaises(abut.InputError) as caught:
            abut.laws.bristle(np.ones(2), np.ones((2, 3)), mu_c=0.4, mu_s=0.5)
        self.assertIn("needs normal=", str(caught.exception))
        held = abut.laws.bristle(10.0, 0.0, deflection=1e-5, dwell=1.0, mu_c=0.4, mu_s=0.5, sigma_0=1e4, sigma_1=100.0)
        self.assertAlmostEqual(float(held.force), -10.0 * 1e4 * 1e-5, delta=1e-12)
        self.assertTrue(bool(held.sticking))

    def test_wrong_parameters_are_refused_as_in_a_scene(self):
        with self.assertRaises(abut.InputError) as caught:
            abut.laws.gonthier(1e-3, stiffness=1e6, restitutio=0.5)
        self.assertIn("restitution", str(caught.exception))
        with self.assertRaises(abut.InputError):
            abut.laws.gonthier(1e-3, stiffness=-1, restitution=0.5)


class GeometryTest(unittest.TestCase):
    def test_volume_of_two_balls(self):
        # The lens of two unit balls a distance d apart: pi (2 - d)^2 (d^2 + 4 d) / (12 d).
        d = 1.2
        (piece,) = abut.interference(abut.sphere(radius=1), abut.sphere(radius=1), position_b=(d, 0, 0))
        self.assertAlmostEqual(piece.volume, np.pi * (2 - d) ** 2 * (d * d + 4 * d) / (12 * d), delta=1e-12)
        np.testing.assert_allclose(piece.centroid, [d / 2, 0, 0], atol=1e-12)
        self.assertEqual(abut.interference(abut.sphere(radius=1), abut.sphere(radius=1), position_b=(3, 0, 0)), [])

    def test_volume_of_two_boxes_turned(self):
        # A cube turned by an eighth about z in one twice as wide: all of it.
        pair = abut.Interference(abut.box(size=[1, 1, 1]), abut.box(size=[2, 2, 2]))
        turn = (np.cos(np.pi / 8), 0, 0, np.sin(np.pi / 8))
        self.assertAlmostEqual(pair.volume(orientation_a=turn), 1.0, delta=1e-14)
        self.assertAlmostEqual(pair.volume(position_a=(1.0, 0, 0)), 0.5, delta=1e-14)

    def test_closest_points(self):
        # Corner of a cube and a ball on the line of its diagonal.
        c = abut.closest_points(abut.sphere(radius=0.5), abut.box(size=[2, 2, 2]), position_a=(3, 3, 3))
        self.assertAlmostEqual(c.distance, 2 * 3**0.5 - 0.5, delta=1e-12)
        np.testing.assert_allclose(c.point_b, [1, 1, 1], atol=1e-12)
        np.testing.assert_allclose(c.point_a - c.point_b, c.distance * c.normal, atol=1e-12)
        deep = abut.closest_points(abut.sphere(radius=1), abut.sphere(radius=1), position_a=(0, 0, 1.5))
        self.assertAlmostEqual(deep.distance, -0.5, delta=1e-14)
        np.testing.assert_allclose([deep.point_a[2], deep.point_b[2]], [0.5, 1.0], atol=1e-14)
        plane = abut.closest_points(abut.half_space(normal=[0, 0, 1]), abut.capsule(radius=0.1, length=1),
                                    position_b=(0, 0, 0.55))
        self.assertAlmostEqual(plane.distance, -0.05, delta=1e-14)
        np.testing.assert_allclose(plane.normal, [0, 0, -1], atol=1e-14)
        with self.assertRaises(abut.InputError):
            abut.closest_points(abut.half_space(normal=[0, 0, 1]), abut.half_space(normal=[0, 0, 1]))

    def test_mass_properties(self):
        m = abut.mass_properties(abut.box(size=[1, 2, 3], position=[1, 0, 0]), density=500)
        self.assertAlmostEqual(m.mass, 3000, delta=1e-9)
        self.assertAlmostEqual(m.volume, 6, delta=1e-12)
        np.testing.assert_allclose(m.center_of_mass, [1, 0, 0])
        np.testing.assert_allclose(np.diag(m.inertia), 3000 / 12 * np.array([13, 10, 5]))
        with self.assertRaises(abut.InputError) as caught:
            abut.mass_properties(abut.half_space(normal=[0, 0, 1]))
        self.assertIn("half-space", str(caught.exception))

    def test_lcp(self):
        A, b = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([-5.0, -6.0])
        solution = abut.solve_lcp(A, b)
        np.testing.assert_allclose(solution.x, [4 / 3, 7 / 3])
        self.assertTrue(solution.is_solved)
        bounded = abut.solve_lcp(A, b, lower=0, upper=1)
        np.testing.assert_allclose(bounded.x, [1, 1])
        self.assertTrue((bounded.w <= 0).all())
        equation = abut.solve_lcp(A, b, lower=-np.inf)
        np.testing.assert_allclose(A @ equation.x + b, 0, atol=1e-12)
        self.assertFalse(abut.solve_lcp([[-1.0]], [-1.0]).is_solved)
        with self.assertRaises(abut.InputError):
            abut.solve_lcp(np.eye(3), [1.0, 2.0])


class StudyTest(unittest.TestCase):
    def test_runs_are_those_of_single_models_for_any_number_of_threads(self):
        masses = np.array([1.0, 2.0, 4.0, 8.0])
        model = abut.Model(make_scene()).changed({"contact[0].normal.stiffness": 1e9})
        measures = {"rebound": "lift_speed(ball, floor, 1)", "peak": "peak_force(ball, floor)"}
        studies = [abut.run_many(model, {"body.ball.mass": masses}, measures, threads=n) for n in (1, 3)]
        for name in measures:
            np.testing.assert_array_equal(studies[0].measures[name], studies[1].measures[name])
        np.testing.assert_array_equal(studies[0].bodies, studies[1].bodies)
        self.assertEqual([studies[0].summary(i) for i in range(4)], [studies[1].summary(i) for i in range(4)])
        self.assertEqual(studies[0].status, ["done"] * 4)
        for i, mass in enumerate(masses):
            record = abut.run(model.changed({"body.ball.mass": float(mass)}))
            np.testing.assert_array_equal(studies[0].body("ball")["position"][i], record["body/position"][-1, 0])
        # The law meets the restitution of 0.5 whatever the mass. Gravity pulls on during the touch, 2.9 (m^2 / (k^2 v))^(1/5)
        # long, 1.6 ms for 8 kg, and takes less than that times g of 0.7 m/s.
        np.testing.assert_allclose(studies[0].measures["rebound"], 0.5 * (2 * 9.81 * 0.1) ** 0.5, rtol=0.02)

    def test_grid_and_tables(self):
        values = abut.grid({"body.ball.mass": [1.0, 2.0], "contact[0].normal.restitution": [0.3, 0.6]})
        study = abut.run_many(make_scene(), values, ["touch_time(ball, floor, 1)"])
        self.assertEqual(len(study), 4)
        table = study.to_pandas()
        self.assertEqual(list(table["status"]), ["done"] * 4)
        self.assertEqual(list(table["contact[0].normal.restitution"]), [0.3, 0.6, 0.3, 0.6])

    def test_what_is_wrong_is_told(self):
        with self.assertRaises(abut.InputError) as caught:
            abut.run_many(make_scene(), {"body.ball.mass": [1.0, -1.0]})
        self.assertIn("-1", str(caught.exception))
        with self.assertRaises(abut.InputError):
            abut.run_many(make_scene(), {"body.ball.mass": [1.0]}, ["no_such(ball)"])
        with self.assertRaises(abut.InputError):
            abut.run_many(make_scene(), {"body.ball.mass": [1.0, 2.0], "run.duration": [0.1]})


if __name__ == "__main__":
    main()
