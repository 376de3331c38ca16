"""The rules that descriptions of functional mock-up units have to follow beyond what a schema says, for both versions."""

import re
import xml.etree.ElementTree

# (variability, causality) -> values of `initial`, the default first; None: none may be given.
INITIAL = {
    **{(v, "parameter"): ["exact"] for v in ("fixed", "tunable")},
    **{(v, "input"): [None, "exact"] for v in ("discrete", "continuous")},
    **{(v, "output"): ["calculated", "exact", "approx"] for v in ("discrete", "continuous")},
    **{(v, "local"): ["calculated", "exact", "approx"] for v in ("discrete", "continuous")},
    ("constant", "output"): ["exact"],
    ("continuous", "independent"): [None],
}
NAME = re.compile(r"(?:[A-Za-z_]\w*|'(?:[^'\\]|\\.)+')(?:\[\d+\])*(?:\.(?:[A-Za-z_]\w*|'(?:[^'\\]|\\.)+')(?:\[\d+\])*)*")
ROOT_ORDER = {"2.0": ["CoSimulation", "UnitDefinitions", "TypeDefinitions", "LogCategories", "DefaultExperiment",
                      "VendorAnnotations", "ModelVariables", "ModelStructure"],
              "3.0": ["CoSimulation", "UnitDefinitions", "TypeDefinitions", "LogCategories", "DefaultExperiment",
                      "ModelVariables", "ModelStructure", "Annotations"]}


def find_description_mistakes(text):
    """One sentence for each rule that is broken."""
    mistakes = []

    def require(holds, message):
        if not holds:
            mistakes.append(message)

    require(text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n'), "the first line is wrong")
    root = xml.etree.ElementTree.fromstring(text)
    version = root.get("fmiVersion")
    order = [ROOT_ORDER[version].index(node.tag) if node.tag in ROOT_ORDER[version] else -1 for node in root]
    require(-1 not in order and order == sorted(set(order)), f"children of the root: {[node.tag for node in root]}")
    require(root.get("guid" if version == "2.0" else "instantiationToken"), "there is no token")
    require(re.fullmatch(r"[A-Za-z_]\w*", root.find("CoSimulation").get("modelIdentifier"), re.ASCII), "no C identifier")
    experiment = root.find("DefaultExperiment")
    require(float(experiment.get("stopTime")) > float(experiment.get("startTime")), "the experiment ends before it begins")
    require(0 < float(experiment.get("stepSize")) <= float(experiment.get("stopTime")), "the step of the experiment")
    for node in root.iter():
        require(node.tag not in ("UnitDefinitions", "LogCategories", "Outputs", "InitialUnknowns", "ModelVariables") or
                len(node) > 0, f"{node.tag} is empty")
    units = [node.get("name") for node in root.findall("UnitDefinitions/Unit")]
    require(len(set(units)) == len(units), "units are defined twice")
    variables = (_read_2 if version == "2.0" else _read_3)(root, require)
    names = [v["name"] for v in variables]
    require(len(set(names)) == len(names), "names are used twice")
    numbers = [v["reference"] for v in variables]
    require(len(set(numbers)) == len(numbers), "value references are used twice")
    for v in variables:
        _check_variable(v, units, require)
    require(sum(v["causality"] == "independent" for v in variables) == 1, "there is no single independent variable")
    _check_structure(root, version, variables, require)
    return mistakes


def _read_2(root, require):
    variables = []
    for position, node in enumerate(root.find("ModelVariables"), 1):
        value = node[0]
        require(value.tag == "Real" or node.get("variability") is not None, f"{node.get('name')} has no variability")
        variables.append({"key": position, "reference": (value.tag, node.get("valueReference")), "name": node.get("name"),
                          "type": value.tag, "causality": node.get("causality", "local"),
                          "variability": node.get("variability", "continuous"), "initial": node.get("initial"),
                          "start": value.get("start"), "unit": value.get("unit"), "size": 1,
                          "derivative": value.get("derivative"), "is_old": True})
    return variables


def _read_3(root, _):
    variables = []
    for node in root.find("ModelVariables"):
        dimension = node.find("Dimension")
        causality = node.get("causality", "local")
        default = "fixed" if causality == "parameter" else "continuous" if node.tag.startswith("Float") else "discrete"
        variables.append({"key": int(node.get("valueReference")), "reference": node.get("valueReference"),
                          "name": node.get("name"), "type": node.tag, "causality": causality,
                          "variability": node.get("variability", default), "initial": node.get("initial"),
                          "start": node.get("start"), "unit": node.get("unit"), "derivative": node.get("derivative"),
                          "size": int(dimension.get("start")) if dimension is not None else 1, "is_old": False})
    return variables


def _initial(v):
    return v["initial"] or INITIAL[v["variability"], v["causality"]][0]


def _check_variable(v, units, require):
    name = v["name"]
    require(NAME.fullmatch(name), f"{name} is no structured name")
    allowed = INITIAL.get((v["variability"], v["causality"]))
    require(allowed is not None, f"{name}: {v['variability']} {v['causality']}")
    if allowed is None:
        return
    require(v["initial"] is None or (v["initial"] in allowed and not (v["is_old"] and v["causality"] == "input")),
            f"{name}: initial {v['initial']}")
    wants_start = v["causality"] in ("input", "parameter") or _initial(v) in ("exact", "approx")
    require((v["start"] is not None) == wants_start, f"{name}: start {v['start']}")
    if v["start"] is not None:
        require(len(v["start"].split()) in (1, v["size"]), f"{name}: {v['start']} for {v['size']} numbers")
        require(all(re.fullmatch(r"-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", word) for word in v["start"].split()),
                f"{name}: {v['start']} is no number")
    require(v["variability"] != "continuous" or v["type"] in ("Real", "Float64"), f"{name} cannot be continuous")
    require(v["unit"] is None or v["unit"] in units, f"{name}: unit {v['unit']} is not defined")


def _check_structure(root, version, variables, require):
    structure = root.find("ModelStructure")
    keys = {v["key"]: v for v in variables}
    if version == "2.0":
        outputs = structure.findall("Outputs/Unknown")
        unknowns = structure.findall("InitialUnknowns/Unknown")
        read = lambda node: int(node.get("index"))
        require([read(node) for node in unknowns] == sorted(read(node) for node in unknowns), "initial unknowns are not sorted")
    else:
        outputs, unknowns = structure.findall("Output"), structure.findall("InitialUnknown")
        read = lambda node: int(node.get("valueReference"))
        tags = [node.tag for node in structure]
        require(tags == sorted(tags, key=["Output", "ContinuousStateDerivative", "InitialUnknown"].index), "order of the structure")
    wanted = [v["key"] for v in variables if v["causality"] == "output"]
    require(sorted(map(read, outputs)) == sorted(wanted), "the outputs of the structure are not those of the variables")
    wanted = [v["key"] for v in variables if v["causality"] == "output" and _initial(v) != "exact"]
    require(sorted(map(read, unknowns)) == sorted(wanted), "initial unknowns are not those of the variables")
    for v in variables:
        if v["derivative"] is None:
            continue
        whole = keys.get(int(v["derivative"]))
        require(whole is not None and whole["size"] == v["size"] and v["unit"] == f"{whole['unit']}/s",
                f"{v['name']} is no rate of what it names")
