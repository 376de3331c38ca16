"""A small importer of functional mock-up units, versions 2.0 and 3.0 for co-simulation: Python and its ctypes, nothing else.

    with Unit("carriage.fmu") as unit:
        run = unit.instantiate("one")
        run.initialize(start=0.0)
        run.set("body.crate.force", [0.0, 0.0, 5.0])
        run.step(1e-3)
        print(run.get("body.crate.position"))

Names are those of the description; of an array the whole is got and set, in 2.0 as well, where it is single numbers."""

import ctypes
import pathlib
import re
import shutil
import tempfile
import urllib.parse
import xml.etree.ElementTree
import zipfile

OK, WARNING, DISCARD, ERROR, FATAL = range(5)
c_double_p = ctypes.POINTER(ctypes.c_double)
LOGGER_2 = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)
LOGGER_3 = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)
UPDATE_3 = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double, ctypes.c_bool, ctypes.c_bool, ctypes.c_bool,
                            ctypes.c_bool, ctypes.POINTER(ctypes.c_bool), c_double_p)


class Callbacks2(ctypes.Structure):
    _fields_ = [("logger", LOGGER_2), ("allocate", ctypes.c_void_p), ("free", ctypes.c_void_p),
                ("step_finished", ctypes.c_void_p), ("environment", ctypes.c_void_p)]


class UnitError(Exception):
    """A call that was not answered with OK; `status` says with what, `messages` what the unit logged."""

    def __init__(self, call, status, messages):
        super().__init__(f"{call}: {['ok', 'warning', 'discard', 'error', 'fatal'][status]}: " + "; ".join(messages))
        self.status, self.messages = status, messages


class Variable:
    def __init__(self, name, kind, references, causality, start):
        self.name, self.kind, self.references, self.causality, self.start = name, kind, references, causality, start


class Unit:
    """A unit, unpacked, with its library loaded."""

    def __init__(self, path, folder=None):
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="unit "))
        with zipfile.ZipFile(path) as archive:
            archive.extractall(self.folder)
        self.description = xml.etree.ElementTree.parse(self.folder / "modelDescription.xml").getroot()
        self.version = int(self.description.get("fmiVersion")[0])
        self.token = self.description.get("guid" if self.version == 2 else "instantiationToken")
        self.identifier = self.description.find("CoSimulation").get("modelIdentifier")
        platform = {2: "linux64", 3: "x86_64-linux"}[self.version]
        self.library_path = self.folder / "binaries" / platform / f"{self.identifier}.so"
        self.library = ctypes.CDLL(str(self.library_path), mode=ctypes.RTLD_LOCAL)
        self.variables = self._read_variables_2() if self.version == 2 else self._read_variables_3()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)

    def _read_variables_3(self):
        variables = {}
        for node in self.description.find("ModelVariables"):
            start = node.get("start")
            variables[node.get("name")] = Variable(node.get("name"), node.tag, [int(node.get("valueReference"))],
                                                   node.get("causality"), start and [float(x) for x in start.split()])
            dimension = node.find("Dimension")
            variables[node.get("name")].size = int(dimension.get("start")) if dimension is not None else 1
        return variables

    def _read_variables_2(self):
        variables = {}
        for node in self.description.find("ModelVariables"):
            value = node[0]
            name = re.sub(r"\[\d+\]$", "", node.get("name")) if value.tag == "Real" else node.get("name")
            if node.get("name").endswith("[1]"):
                array = name
            elif not (name in variables and name == array):
                name = node.get("name")
                array = None
            variable = variables.setdefault(name, Variable(name, value.tag, [], node.get("causality"), []))
            variable.references.append(int(node.get("valueReference")))
            variable.size = len(variable.references)
            if value.get("start") is not None:
                variable.start.append(float(value.get("start")))
        return variables

    def resources(self):
        path = self.folder / "resources"
        return f"file://{urllib.parse.quote(str(path))}" if self.version == 2 else f"{path}/"

    def instantiate(self, name="one", **options):
        return (Instance2 if self.version == 2 else Instance3)(self, name, **options)


class Instance:
    """What instances of both versions have in common."""

    prefix = ""
    state_word = ""

    def __init__(self, unit):
        self.unit, self.messages, self.time = unit, [], 0.0

    def call(self, function, *arguments):
        status = getattr(self.unit.library, self.prefix + function)(self.pointer, *arguments)
        if status not in (OK, WARNING):
            raise UnitError(self.prefix + function, status, self.messages[-1:])
        return status

    def references(self, names):
        numbers = [reference for name in names for reference in self.unit.variables[name].references]
        return (ctypes.c_uint32 * len(numbers))(*numbers), len(numbers)

    def free(self):
        if self.pointer:
            getattr(self.unit.library, self.prefix + "FreeInstance")(self.pointer)
            self.pointer = None

    def terminate(self):
        self.call("Terminate")

    def reset(self):
        self.call("Reset")
        self.time = 0.0

    def get_state(self):
        state = ctypes.c_void_p()
        self.call(f"GetFMU{self.state_word}", ctypes.byref(state))
        return state

    def set_state(self, state):
        self.call(f"SetFMU{self.state_word}", state)

    def free_state(self, state):
        self.call(f"FreeFMU{self.state_word}", ctypes.byref(state))

    def serialize(self, state):
        size = ctypes.c_size_t()
        self.call(f"SerializedFMU{self.state_word}Size", state, ctypes.byref(size))
        data = (ctypes.c_uint8 * size.value)()
        self.call(f"SerializeFMU{self.state_word}", state, data, size)
        return bytes(data)

    def deserialize(self, data):
        state = ctypes.c_void_p()
        name = "DeSerialize" if self.unit.version == 2 else "Deserialize"
        self.call(f"{name}FMU{self.state_word}", (ctypes.c_uint8 * len(data)).from_buffer_copy(data),
                  ctypes.c_size_t(len(data)), ctypes.byref(state))
        return state


class Instance2(Instance):
    prefix, state_word = "fmi2", "state"

    def __init__(self, unit, name, token=None, logs=True, resources=None, kind=1):
        super().__init__(unit)
        self._logger = LOGGER_2(lambda env, who, status, category, text: self.messages.append(text.decode()))
        self._callbacks = Callbacks2(logger=self._logger)
        make = unit.library.fmi2Instantiate
        make.restype = ctypes.c_void_p
        pointer = make(name.encode(), kind, (token or unit.token).encode(), (resources or unit.resources()).encode(),
                       ctypes.byref(self._callbacks), 0, int(logs))
        self._callbacks.logger = LOGGER_2()  # the unit has to have a copy
        if not pointer:
            raise UnitError("fmi2Instantiate", ERROR, self.messages)
        self.pointer = ctypes.c_void_p(pointer)

    def initialize(self, start=0.0, stop=None, tolerance=None, before=lambda: None):
        self.call("SetupExperiment", int(tolerance is not None), ctypes.c_double(tolerance or 0.0), ctypes.c_double(start),
                  int(stop is not None), ctypes.c_double(stop or 0.0))
        self.call("EnterInitializationMode")
        before()
        self.call("ExitInitializationMode")
        self.time = start

    def get(self, name):
        variable = self.unit.variables[name]
        references, size = self.references([name])
        if variable.kind == "Boolean":
            flag = ctypes.c_int()
            self.call("GetBoolean", references, ctypes.c_size_t(1), ctypes.byref(flag))
            return bool(flag.value)
        values = (ctypes.c_double * size)()
        self.call("GetReal", references, ctypes.c_size_t(size), values)
        return list(values) if variable.size > 1 else values[0]

    def set(self, name, values):
        values = [values] if isinstance(values, (int, float)) else list(values)
        references, size = self.references([name])
        self.call("SetReal", references, ctypes.c_size_t(size), (ctypes.c_double * len(values))(*values))

    def step(self, size):
        self.call("DoStep", ctypes.c_double(self.time), ctypes.c_double(size), 1)
        self.time += size
        return self.time


class Instance3(Instance):
    prefix, state_word = "fmi3", "State"

    def __init__(self, unit, name, token=None, logs=True, resources=None, events=False, early=False, on_update=None,
                 announced=()):
        super().__init__(unit)
        self._logger = LOGGER_3(lambda env, status, category, text: self.messages.append(text.decode()))
        self._update = UPDATE_3(self._call_update) if on_update else UPDATE_3()
        self._on_update = on_update
        self.events, self.needs_event, self.is_early = events, False, False
        make = unit.library.fmi3InstantiateCoSimulation
        make.restype = ctypes.c_void_p
        references, size = self.references(announced)
        pointer = make(name.encode(), (token or unit.token).encode(), (resources or unit.resources()).encode(),
                       ctypes.c_bool(False), ctypes.c_bool(logs), ctypes.c_bool(events), ctypes.c_bool(early), references,
                       ctypes.c_size_t(size), None, self._logger, self._update)
        if not pointer:
            raise UnitError("fmi3InstantiateCoSimulation", ERROR, self.messages)
        self.pointer = ctypes.c_void_p(pointer)

    def _call_update(self, _, time, may_set, may_get, is_finished, may_return, wants_early, early_time):
        answer = self._on_update(self, time)
        if answer is not None:
            wants_early[0], early_time[0] = True, answer

    def initialize(self, start=0.0, stop=None, tolerance=None, before=lambda: None):
        self.call("EnterInitializationMode", ctypes.c_bool(tolerance is not None), ctypes.c_double(tolerance or 0.0),
                  ctypes.c_double(start), ctypes.c_bool(stop is not None), ctypes.c_double(stop or 0.0))
        before()
        self.call("ExitInitializationMode")
        self.time = start
        if self.events:
            self.update()

    def update(self):
        """One round of event mode, which the instance is in."""
        answers = [ctypes.c_bool() for _ in range(5)]
        self.call("UpdateDiscreteStates", *map(ctypes.byref, answers), ctypes.byref(ctypes.c_double()))
        self.call("EnterStepMode")

    def get(self, name):
        variable = self.unit.variables[name]
        references, size = self.references([name])
        kind = ctypes.c_bool if variable.kind == "Boolean" else ctypes.c_double
        values = (kind * variable.size)()
        self.call(f"Get{variable.kind}", references, ctypes.c_size_t(size), values, ctypes.c_size_t(variable.size))
        return list(values) if variable.size > 1 else values[0]

    def set(self, name, values):
        values = [values] if isinstance(values, (int, float)) else list(values)
        references, size = self.references([name])
        self.call("SetFloat64", references, ctypes.c_size_t(size), (ctypes.c_double * len(values))(*values),
                  ctypes.c_size_t(len(values)))

    def step(self, size):
        """To the end of the step, or to where the unit returned early; event mode is entered and left where it asks."""
        needs_event, terminates, is_early = ctypes.c_bool(), ctypes.c_bool(), ctypes.c_bool()
        reached = ctypes.c_double()
        self.call("DoStep", ctypes.c_double(self.time), ctypes.c_double(size), ctypes.c_bool(True),
                  ctypes.byref(needs_event), ctypes.byref(terminates), ctypes.byref(is_early), ctypes.byref(reached))
        self.needs_event, self.is_early = needs_event.value, is_early.value
        self.time = reached.value
        if self.needs_event:
            self.call("EnterEventMode")
            self.update()
        return self.time
