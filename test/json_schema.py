"""The part of JSON Schema that `abut schema` uses. A keyword it does not know is an error: nothing passes unseen."""

TYPES = {
    "object": lambda x: isinstance(x, dict),
    "array": lambda x: isinstance(x, list),
    "string": lambda x: isinstance(x, str),
    "boolean": lambda x: isinstance(x, bool),
    "integer": lambda x: isinstance(x, int) and not isinstance(x, bool),
    "number": lambda x: isinstance(x, (int, float)) and not isinstance(x, bool),
}
ANNOTATIONS = {"$schema", "title", "description"}
RULES = {
    "type": lambda x, kind: any(TYPES[k](x) for k in ([kind] if isinstance(kind, str) else kind)),
    "const": lambda x, value: x == value,
    "enum": lambda x, values: x in values,
    "minimum": lambda x, least: x >= least,
    "exclusiveMinimum": lambda x, least: x > least,
    "maximum": lambda x, most: x <= most,
    "minLength": lambda x, least: len(x) >= least,
    "minItems": lambda x, least: len(x) >= least,
    "maxItems": lambda x, most: len(x) <= most,
    "required": lambda x, keys: all(key in x for key in keys),
    "items": lambda x, schema: all(is_valid(item, schema) for item in x),
    "anyOf": lambda x, schemas: any(is_valid(x, schema) for schema in schemas),
    "oneOf": lambda x, schemas: sum(is_valid(x, schema) for schema in schemas) == 1,
}
# Rules that say nothing about values of other types.
APPLIES_TO = {"minimum": "number", "exclusiveMinimum": "number", "maximum": "number", "minLength": "string",
              "minItems": "array", "maxItems": "array", "items": "array", "required": "object"}


def is_valid(value, schema):
    properties = schema.get("properties", {})
    for key, rule in schema.items():
        if key in ANNOTATIONS:
            continue
        if key == "properties":
            if isinstance(value, dict) and not all(is_valid(value[k], s) for k, s in rule.items() if k in value):
                return False
        elif key == "additionalProperties":
            if rule is not False:
                raise ValueError(f"additionalProperties: {rule!r}")
            if isinstance(value, dict) and not set(value) <= set(properties):
                return False
        elif key not in RULES:
            raise ValueError(f"unknown keyword {key!r}")
        elif (key not in APPLIES_TO or TYPES[APPLIES_TO[key]](value)) and not RULES[key](value, rule):
            return False
    return True
