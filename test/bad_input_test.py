#!/usr/bin/python3
"""Wrong input: a clear message with its place, exit status 1 or 3, and nothing written."""

import os
import re

from abut_testing import CommandTest, INPUT_WRONG, SCENE, SYSTEM_ERROR, main, replaced

NORMAL = '{ law = "gonthier", stiffness = 1e6, restitution = 0.5 }'
FRICTION = '{ law = "bristle", mu_s = 0.45, mu_c = 0.4 }'
JOINT = """[[body]]
name = "arm"
mass = 1
inertia = [1, 1, 1]
[[joint]]
name = "hinge"
type = "revolute"
child = "arm"
axis = [0, 1, 0]
"""

# (old, new) in the scene, then the text that the message must contain.
VALUES = [
    ("mass = 2.0", "mass = -2.0", "6:8: mass must be > 0 kg, found -2"),
    ("mass = 2.0", "mass = 0", "6:8: mass must be > 0 kg, found 0"),
    ("mass = 2.0", "mass = nan", "6:8: mass must be a finite number, found nan"),
    ("mass = 2.0", "mass = inf", "6:8: mass must be a finite number, found inf"),
    ("mass = 2.0", "mass = 1e308", "6:8: mass must be within 1e+50 kg"),
    ("mass = 2.0", "mass = 1e-320", "6:8: mass must be at least 1e-50 kg"),
    ("mass = 2.0", "mass = 99999999999999999999", "6:28: this is not valid TOML"),
    ("mass = 2.0", "mass = 2.0\ndensity = 7", "7:11: mass and density are both given"),
    ("mass = 2.0", "inertia = [1, 1, -1]", "6:11: inertia is not positive definite"),
    ("mass = 2.0", "inertia = [1, 1, 5]", "6:11: inertia belongs to no body"),
    ("mass = 2.0", "inertia = [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]", "6:11: inertia is not symmetric"),
    ("mass = 2.0", "inertia = [0, 0, 0]", "6:11: inertia is not positive definite"),
    ("mass = 2.0", "orientation = [1, 0.1, 0, 0]", "6:15: orientation must be a unit quaternion"),
    ("mass = 2.0", "orientation = [0, 0, 0, 0]", "6:15: orientation must be a unit quaternion"),
    ("mass = 2.0", "rotation = { axis = [0, 0, 0], degrees = 3 }", "6:21: axis must not be zero"),
    ("radius = 0.1", "radius = 0", "7:37: radius must be > 0 m, found 0"),
    ("radius = 0.1", "radius = -1", "7:37: radius must be > 0 m, found -1"),
    ("radius = 0.1", "radius = 1e200", "7:37: radius must be within 1e+50 m"),
    ("normal = [0, 0, 1]", "normal = [0, 0, 0]", "12:41: normal must not be zero"),
    ("[0, 0, 0.2]", "[0, 0, nan]", "8:12: position must be a finite number"),
    ("duration = 0.3", "duration = 0", "3:12: duration must be > 0 and <= 1e+09 s"),
    ("duration = 0.3", "duration = -1", "3:12: duration must be > 0 and <= 1e+09 s, found -1"),
    ("duration = 0.3", "duration = 5e-324", "3:12: duration must be at least 1e-50 s"),
    ("duration = 0.3", 'duration = 1\nmethod = "explicit"\nstep = 0', "5:8: step must be > 0 s"),
    ("duration = 0.3", 'duration = 1\nmethod = "explicit"\nstep = 1e-15', "5:8: duration 1 s / step 1e-15 s are 1e+15"),
    ("duration = 0.3", 'duration = 1\nmethod = "explicit"', "4:10: method 'explicit' needs a step"),
    ("duration = 0.3", "duration = 1\nstep = 1e-3", "4:8: step has no meaning with method 'adaptive'"),
    ("duration = 0.3", "duration = 1\nrecord_interval = 1e-12", "4:19: duration 1 s / record_interval 1e-12 s"),
    ("duration = 0.3", "duration = 1\ntolerance = 0", "4:13: tolerance must be >= 1e-13 and <= 0.1"),
    ("duration = 0.3", "duration = 1\nthreads = -1", "4:11: threads must be >= 0"),
    ("duration = 0.3", 'duration = 1\nintegrator = "rk4"',
     "4:14: integrator 'rk4' does not belong to method 'adaptive'"),
    ("duration = 0.3", 'duration = 1\nmethod = "lcp"', "4:10: method 'lcp' needs a step"),
    ("fixed = true", "fixed = true\nvelocity = [1, 0, 0]", "12:12: [[body]] 'floor' is fixed but has a velocity"),
]
TYPES = [
    ("mass = 2.0", 'mass = "2"', '6:8: mass must be a number [kg], found the string "2"'),
    ("mass = 2.0", "mass = true", "6:8: mass must be a number [kg], found true"),
    ("mass = 2.0", "mass = [2]", "6:8: mass must be a number [kg], found an array of 1"),
    ("mass = 2.0", "inertia = [1, 1, 1, 1]", "6:11: inertia must be 3 or 6 numbers or 3 rows of 3"),
    ("mass = 2.0", "orientation = [1, 0, 0]", "6:15: orientation must be four numbers"),
    ("fixed = true", 'fixed = "yes"', "11:9: fixed must be true or false"),
    ("[0, 0, 0.2]", "0.2", "8:12: position must be three numbers [m]"),
    ('["ball", "floor"]', '["ball", "floor", "x"]', "14:11: between must be two names"),
    (FRICTION, '"bristle"', "16:12: friction must be a table"),
    ('title = "ball above a floor"', "title = 3", "1:9: title must be a string"),
    ("duration = 0.3", "duration = 1\nthreads = 1.5", "4:11: threads must be an integer"),
    ("[run]", "[[run]]", "2:1: run must be a table"),
    ("[run]\nduration = 0.3", "run = 3", "2:7: run must be a table"),
]
KEYS = [
    ("title", "titel", "1:1: unknown key 'titel' in the scene. Did you mean 'title'?"),
    ("duration", "durration", "3:1: unknown key 'durration' in [run]. Did you mean 'duration'?"),
    ("mass", "mas", "6:1: unknown key 'mas' in [[body]] 'ball'. Did you mean 'mass'?"),
    ("radius", "radus", "7:28: unknown key 'radus' in [[body]] 'ball' shape. Did you mean 'radius'?"),
    ("between", "betwen", "14:1: unknown key 'betwen' in [[contact]]. Did you mean 'between'?"),
    ("stiffness", "stifness", "15:30: unknown key 'stifness' in [[contact]] normal. Did you mean 'stiffness'?"),
    ("mu_c", "muc", "16:44: unknown key 'muc' in [[contact]] friction. Did you mean 'mu_c'?"),
    (", radius = 0.1", "", "7:9: missing key 'radius' in [[body]] 'ball' shape"),
    ("[run]\nduration = 0.3\n", "", "missing key 'run' in the scene"),
    ('law = "gonthier", ', "", "15:10: missing key 'law' in [[contact]] normal"),
    ('"sphere"', '"spher"', "7:18: unknown type 'spher' in [[body]] 'ball' shape. Did you mean 'sphere'?"),
    ('"gonthier"', '"gontier"', "15:18: unknown law 'gontier' in [[contact]] normal. Did you mean 'gonthier'?"),
]
REFERENCES = [
    ('name = "floor"', 'name = "ball"', "10:8: duplicate body name 'ball'"),
    ('name = "floor"', 'name = "world"', "10:8: the body name 'world' is reserved"),
    ('name = "floor"', 'name = ""', "10:8: name must not be empty"),
    ('name = "floor"', r'name = "a\u001b[2Jb"', r"10:8: body name 'a\x1b[2Jb' contains a character"),
    ('"ball", "floor"', '"ball", "flor"',
     "14:11: there is no body 'flor' for between in [[contact]]. Did you mean 'floor'?"),
    ('"ball", "floor"', '"ball", "ball"', "14:11: [[contact]] is between 'ball' and itself"),
    ('"ball", "floor"', '"ball", "world"', "14:11: between cannot be 'world' in [[contact]]"),
    ('"ball", "floor"', '"b?x*", "floor"', "14:11: 'b?x*' matches no body"),
    ('shape = { type = "sphere", radius = 0.1 }', "", "its inertia is unknown: it has no shape"),
    ('mass = 2.0\nshape = { type = "sphere", radius = 0.1 }', "", "4:1: [[body]] 'ball' moves but its mass is unknown"),
]
LAWS = [
    ("normal = " + NORMAL, "", "13:1: normal is missing in [[contact]]"),
    ("restitution = 0.5", "restitution = 0", "15:61: restitution 0 is too small for gonthier (0.01 to 1)"),
    ("restitution = 0.5", "restitution = 2", "15:61: restitution must be >= 0 and <= 1, found 2"),
    ("restitution = 0.5", "restitution = 0.5, restitution_slope = 0.1",
     "restitution and restitution_slope are both given"),
    ("restitution = 0.5", "restitution_table = { speed = [0, 2, 1], restitution = [1, 0.5, 0.2] }",
     "speed must increase"),
    ("restitution = 0.5", "restitution_table = { speed = [0, 1], restitution = [1] }", "has 1 entries but speed has 2"),
    (", restitution = 0.5", "", "15:10: restitution is missing"),
    ('"gonthier"', '"hertz"', "restitution does not belong to hertz"),
    (NORMAL, '{ law = "kelvin-voigt", stiffness = 1e6, restitution = 0 }',
     "restitution 0 is too small for kelvin-voigt"),
    ("stiffness = 1e6, ", "", "15:10: stiffness is missing"),
    ("stiffness = 1e6", "stiffness = -1", "15:42: stiffness must be > 0 N/m^exponent"),
    ("stiffness = 1e6", "stiffness = 1e6, young = 1e9, poisson = 0.3", "are both given"),
    ("stiffness = 1e6", "young = 1e9", "poisson is missing"),
    ("stiffness = 1e6", "young = 1e9, poisson = 0.6", "poisson must be > -1 and <= 0.5, found 0.6"),
    ("stiffness = 1e6", "young = 1e9, poisson = 0.3, exponent = 1", "material data give the stiffness of exponent 1.5"),
    ("stiffness = 1e6", "stiffness = 1e6, exponent = 0", "exponent must be >= 0.5 and <= 5"),
    ("mu_s = 0.45", "mu_s = 0.3", "16:38: mu_s 0.3 is below mu_c 0.4"),
    ("mu_s = 0.45", "mu_s = -1", "16:38: mu_s must be >= 0, found -1"),
    (FRICTION, '{ law = "bristle" }', "16:12: mu_c is missing"),
    (FRICTION, '{ law = "coulomb", mu = 0.3, mu_s = 0.4 }', "mu and mu_s are both given"),
    (FRICTION, '{ law = "none", mu = 1 }', "16:28: unknown key 'mu'"),
    # Found by the compilation only; shown like the others.
    (FRICTION, '{ law = "bristle", mu_s = 0, mu_c = 0 }', "16:12: bristle: mu_s is 0"),
    (FRICTION, '{ law = "lugre", mu_s = 0.3, mu_d = 0 }', "16:12: lugre: mu_d is 0"),
]
JOINTS = [
    ("axis = [0, 1, 0]\n", "", "21:1: axis is missing in [[joint]] 'hinge'"),
    ("axis = [0, 1, 0]", "axis = [0, 0, 0]", "25:8: axis must not be zero"),
    ('"revolute"', '"revolut"', "23:8: unknown type 'revolut' in [[joint]] 'hinge'. Did you mean 'revolute'?"),
    ('child = "arm"', 'child = "arn"', "24:9: there is no body 'arn' for child"),
    ('child = "arm"', 'child = "arm"\nparent = "qq"', "25:10: there is no body 'qq' for parent"),
    ('child = "arm"', 'child = "arm"\nparent = "arm"', "joins body 'arm' to itself"),
    ('child = "arm"', 'child = "floor"', "24:9: child 'floor' of [[joint]] 'hinge' is a fixed body"),
    ('name = "arm"', 'name = "arm"\nposition = [1, 0, 0]',
     "19:12: position of body 'arm' is decided by [[joint]] 'hinge'"),
    ("axis = [0, 1, 0]", "axis = [0, 1, 0]\ncoordinates = [1, 2]",
     "26:15: a revolute joint has 1 coordinates, found 2"),
    ("axis = [0, 1, 0]", "axis = [0, 1, 0]\nlower = 1\nupper = -1\nlimit_stiffness = 1", "27:9: limits are reversed"),
    ("axis = [0, 1, 0]", "axis = [0, 1, 0]\nlower = -1", "limit_stiffness [N/m or N m/rad] is missing"),
    ("axis = [0, 1, 0]", 'axis = [0, 1, 0]\nmotor = { mode = "torque" }', "motor needs either value or table"),
    ("axis = [0, 1, 0]", 'axis = [0, 1, 0]\nmotion = { kind = "rat", rate = 1 }', "Did you mean 'rate'?"),
    ("axis = [0, 1, 0]",
     'axis = [0, 1, 0]\nmotor = { mode = "torque", value = 1 }\nmotion = { kind = "rate", rate = 1 }',
     "has both a motor and a prescribed motion"),
    ('type = "revolute"', 'type = "planar"\nmotion = { kind = "rate", rate = 1 }',
     "motion is not possible on a planar joint"),
    ('type = "revolute"', 'type = "universal"\naxis_2 = [1, 1, 0]', "axis_2 must be perpendicular to axis"),
    ('type = "revolute"\nchild = "arm"\naxis = [0, 1, 0]',
     'type = "fixed"\nchild = "arm"\nmotor = { mode = "torque", value = 1 }',
     "motor is not possible on a fixed joint"),
    ('child = "arm"\n',
     'child = "arm"\nparent = "b2"\n[[body]]\nname = "b2"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\n'
     'name = "back"\ntype = "revolute"\nchild = "b2"\nparent = "arm"\n', "joints form a loop"),
]
ADDITIONS = [
    ('[[spring]]\nbetween = ["bal", "world"]\nstiffness = 1\n',
     "18:11: there is no body 'bal' for between in [[spring]]"),
    ('[[spring]]\nbetween = ["floor", "world"]\nstiffness = 1\n', "18:11: both ends of [[spring]] are fixed"),
    ('[[spring]]\nbetween = ["ball", "ball"]\nstiffness = 1\n', "18:11: [[spring]] joins 'ball' to itself"),
    ('[[force]]\nbody = "bal"\nforce = [0, 0, 1]\n', "18:8: there is no body 'bal' for body in [[force]]"),
    ('[[force]]\nbody = "floor"\nforce = [0, 0, 1]\n', "18:8: [[force]] acts on 'floor', which is fixed"),
    ('[[force]]\nbody = "ball"\n', "17:1: [[force]] gives neither force"),
    ('[[force]]\nbody = "ball"\nforce = [0, nan, 0]\n', "19:9: force must be a finite number"),
    ('[[force]]\nbody = "ball"\ntable = { time = [0, 0], force = [[0, 0, 1], [0, 0, 2]] }\n', "time must increase"),
    (f'[[body]]\nname = "f2"\nfixed = true\nshape = {{ type = "sphere", radius = 1 }}\n[[contact]]\n'
     f'between = ["f2", "floor"]\nnormal = {NORMAL}\n', "22:11: 'f2' and 'floor' of [[contact]] are both fixed"),
    (f'[[body]]\nname = "p"\nshape = {{ type = "box", size = [1, 1, 1] }}\n[[body]]\nname = "q"\n'
     f'shape = {{ type = "box", size = [1, 1, 1] }}\n[[contact]]\nbetween = ["p", "q"]\nnormal = {NORMAL}\n',
     "23:1: no contact is possible between 'p' (box) and 'q' (box) with region = \"point\" and method = \"adaptive\""),
]
TOML_ERRORS = [
    ("mass = 2.0", "mass = 2.0\nmass = 3.0", "7:8: this is not valid TOML"),
    ("mass = 2.0", "mass = = 2.0", "6:8: this is not valid TOML"),
    ("mass = 2.0", "mass =", "6:7: this is not valid TOML"),
    ('floor"\n', "floor\n", "1:28: this is not valid TOML"),
]
OVERRIDES = [
    ("body.ball.mass", "an override is written path=value"),
    ("=3", "this is not a path"),
    ("body.ball.mass=", "the value is not valid TOML"),
    ("body.ball.mass=[", "the value is not valid TOML"),
    ("body.ball.mass=abc", "mass must be a number [kg]"),
    ("body.ball.mass=-3", "mass must be > 0 kg, found -3"),
    ("body.bal.mass=3", "there is no 'bal' in 'body'"),
    ("body[7].mass=3", "there is no '7' in 'body'"),
    ("body.ball.mas=3", "Did you mean 'mass'?"),
    ("runn.duration=3", "Did you mean 'run'?"),
    ("title.x=3", "has no parts"),
    ("gravity[2]=-1.62", "'gravity' is not in the file"),
    ("contact[0].normal.restitution=0", "too small for gonthier"),
]

# A tetrahedron, closed and turned outwards; as OBJ, its last line is the face that closes it.
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
# Two of them that pass through each other.
CROSSING = TETRAHEDRON + TETRAHEDRON.replace("v 0 0 0", "v 0.1 0.12 -0.3").replace("v 1 0", "v 1.2 0").replace(
    "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4", "f 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8")
MESH_SCENE = replaced(
    ('{ type = "sphere", radius = 0.1 }', '{ type = "mesh", file = "part.obj", scale = 0.1 }'),
    ('between = ["ball", "floor"]', 'between = ["ball", "floor"]\nregion = "volume"'))
# Name and content of a mesh file (None: there is none), then the text that the message must contain.
MESHES = [
    ("part.obj", None, "7:33: part.obj: there is no such file"),
    ("part.obj", "", "7:33: part.obj: the file is empty"),
    ("part.obj", "not a mesh\n", "7:33: part.obj: no mesh in it: 0 vertices and 0 faces"),
    ("part.obj", TETRAHEDRON.replace("v 0 0 1", "v 0 nan 1"), "7:33: part.obj:4: a vertex at (0, nan, 1)"),
    ("part.obj", TETRAHEDRON.replace("f 2 3 4", "f 2 3 9"), "7:33: part.obj:8: "),
    ("part.obj", TETRAHEDRON.replace("f 2 3 4\n", ""), "7:9: part.obj: not the closed surface of a solid: 3 open edges"),
    ("part.obj", CROSSING, "self-intersections (pairs of triangles that pass through each other, or lie in one plane"),
    ("part.stl", b"\0" * 200, "7:33: part.stl"),
    ("part.xyz", TETRAHEDRON, '7:33: part.xyz: the extension ".xyz" and the content tell no mesh format'),
]


class BadInputTest(CommandTest):
    def expect_refusal(self, content, *messages, arguments=(), status=INPUT_WRONG):
        self.write(content)
        outcome = self.abut("run", "scene.toml", *arguments)
        self.assertEqual(outcome.returncode, status, outcome.stderr)
        self.assertEqual(outcome.stdout, "")
        for message in messages:
            self.assertIn(message, outcome.stderr)
        self.assertTrue(outcome.stderr.endswith("\nNothing was run.\n"), outcome.stderr)
        self.assertEqual(self.files(), ["scene.toml"])
        return outcome.stderr

    def expect_refusals(self, table, text=SCENE):
        for old, new, message in table:
            with self.subTest(new=new):
                report = self.expect_refusal(replaced((old, new), text=text), message)
                place = re.search(r"(\d+):(\d+): ", message)
                if place:  # the line itself, with the place underlined
                    self.assertRegex(report, rf"scene\.toml:{place[1]}:{place[2]}: .*\n +{place[1]} \| .*\n +\| +\^")

    def test_values_outside_their_range(self):
        self.expect_refusals(VALUES)

    def test_wrong_types(self):
        self.expect_refusals(TYPES)

    def test_unknown_misspelt_and_missing_keys_at_every_level(self):
        self.expect_refusals(KEYS)

    def test_names_and_references(self):
        self.expect_refusals(REFERENCES)

    def test_contradictory_laws(self):
        self.expect_refusals(LAWS)

    def test_impossible_joints(self):
        self.expect_refusals(JOINTS, text=SCENE + JOINT)

    def test_springs_forces_and_pairs(self):
        for addition, message in ADDITIONS:
            with self.subTest(addition=addition):
                self.expect_refusal(SCENE + addition, message)

    def test_meshes_that_are_no_solids(self):
        for name, content, message in MESHES:
            with self.subTest(message=message):
                if content is not None:
                    self.write(content, name)
                self.write(MESH_SCENE.replace("part.obj", name))
                before = self.files()
                outcome = self.abut("run", "scene.toml")
                self.assertEqual(outcome.returncode, INPUT_WRONG, outcome.stderr)
                self.assertIn(message, outcome.stderr)
                self.assertRegex(outcome.stderr, r"scene\.toml:7:\d+: .*\n +7 \| .*\n +\| +\^")
                self.assertTrue(outcome.stderr.endswith("\nNothing was run.\n"), outcome.stderr)
                self.assertEqual(self.files(), before)
        self.write(TETRAHEDRON, "part.obj")
        self.write(MESH_SCENE.replace("scale = 0.1", "scale = 0"))
        self.assertIn("7:53: scale must be > 0, found 0", self.abut("run", "scene.toml").stderr)
        self.write(MESH_SCENE)
        self.assertEqual(self.abut("run", "scene.toml", "--duration", "0.01").returncode, 0, "the good one is good")

    def test_toml_syntax(self):
        self.expect_refusals(TOML_ERRORS)

    def test_overrides(self):
        for override, message in OVERRIDES:
            with self.subTest(override=override):
                self.expect_refusal(SCENE, f"--set {override}: ", message, arguments=["--set", override])

    def test_all_mistakes_together_in_order_at_most_twenty(self):
        report = self.expect_refusal(replaced(("title", "titel"), ("mass = 2.0", "mass = -1"), ("mu_c", "muc")))
        places = [report.index(f"scene.toml:{line}:") for line in (1, 6, 16)]
        self.assertEqual(places, sorted(places))
        many = SCENE + "".join(f'[[force]]\nbody = "x{i}"\nforce = [0, 0, 1]\n' for i in range(30))
        report = self.expect_refusal(many, "... and 10 more.")
        self.assertEqual(report.count("there is no body"), 20)

    def test_files_that_are_no_scenes(self):
        for content, message in [
            ("", "scene.toml: the file is empty."),
            (" \n\n", "scene.toml: the file is empty."),
            ("# nothing\n", "missing key 'body'"),
            (bytes(range(256)), "scene.toml:1:1: this is not a text file"),
            (SCENE.encode("utf-16"), "scene.toml:1:1: this is not a text file"),
            ('{ "run": { "duration": 1 } }', "1:1: this is not valid TOML"),
            ("a = " + "[" * 100000, "this is not valid TOML"),
            ("x" * 200000 + " = 1\n", "unknown key"),
        ]:
            with self.subTest(content=content[:20]):
                self.expect_refusal(content, message)

    def test_mistakes_in_files_with_crlf_and_byte_order_mark(self):
        wrong = replaced(("title", "titel"))
        for content in (wrong.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + wrong.encode()):
            self.expect_refusal(content, 'scene.toml:1:1: unknown key', '\n    1 | titel = "ball')

    def test_a_long_line_gives_a_short_report(self):
        report = self.expect_refusal(replaced(("mass = 2.0", "mass = -2.0 # " + "x" * 100000)), "6:8: mass must be > 0")
        self.assertLess(len(report), 1000)

    def test_missing_file_and_directory(self):
        for name, message in (("none.toml", "there is no such file"), (".", "is a directory")):
            for command in ("run", "check"):
                outcome = self.abut(command, name)
                self.assertEqual(outcome.returncode, SYSTEM_ERROR)
                self.assertIn(f"{name}: {message}", outcome.stderr)
                self.assertEqual(self.files(), [])

    def test_output_folder_that_cannot_be_written(self):
        self.write(SCENE)
        self.write("", "file")
        os.makedirs(self.folder / "taken/result.h5")
        before = self.files()
        for out in ("file", "file/deeper", "/proc/abut", "taken"):
            with self.subTest(out=out):
                outcome = self.abut("run", "scene.toml", "--out", out)
                self.assertEqual(outcome.returncode, SYSTEM_ERROR, outcome.stderr)
                self.assertTrue(outcome.stderr.startswith(out), outcome.stderr)
                self.assertEqual(self.files(), before)

    def test_wrong_options_and_commands(self):
        self.write(SCENE)
        for arguments, message in [
            ([], "a command is missing"),
            (["rum", "scene.toml"], "there is no command 'rum'. Did you mean 'run'?"),
            (["run"], "run needs a scene file, or --resume"),
            (["run", "scene.toml", "--jsn"], "'--jsn' was not expected. Did you mean '--json'?"),
            (["run", "scene.toml", "extra"], "'extra' was not expected"),
            (["run", "scene.toml", "--duration", "abc"], "duration must be a number [s]"),
            (["run", "scene.toml", "--duration", "-1"], "duration must be > 0 and <= 1e+09 s"),
            (["run", "scene.toml", "--method", "adaptve"], "Did you mean 'adaptive'?"),
            (["run", "scene.toml", "--threads", "x"], "threads must be an integer"),
            (["models", "gontier"], "Did you mean 'gonthier'?"),
        ]:
            with self.subTest(arguments=arguments):
                outcome = self.abut(*arguments)
                self.assertEqual(outcome.returncode, INPUT_WRONG, outcome.stderr)
                self.assertIn(message, outcome.stderr)
                self.assertEqual(outcome.stdout, "")
                self.assertEqual(self.files(), ["scene.toml"])


if __name__ == "__main__":
    main()
