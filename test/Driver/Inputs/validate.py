"""validate.py SCHEMA < DOCUMENT: checks JSON against the part of JSON Schema that docs/manifest.schema.json uses."""

import json
import sys

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}


def is_type(value, name):
    return isinstance(value, TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def errors(value, schema, root, path):
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r} is none of {schema['enum']}"
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_type(value, name) for name in types):
        yield f"{path}: {value!r} is not {' or '.join(types)}"
    if isinstance(value, dict):
        for key in schema.get("required", []):
            if key not in value:
                yield f"{path}: no {key}"
        for key, member in value.items():
            if key in schema.get("properties", {}):
                yield from errors(member, schema["properties"][key], root, f"{path}.{key}")
            elif not schema.get("additionalProperties", True):
                yield f"{path}: unknown {key}"
    if isinstance(value, list):
        for index, element in enumerate(value):
            yield from errors(element, schema["items"], root, f"{path}[{index}]")


with open(sys.argv[1], encoding="utf-8") as file:
    root = json.load(file)
found = list(errors(json.load(sys.stdin), root, root, "manifest"))
print("\n".join(found) or "valid")
sys.exit(bool(found))
