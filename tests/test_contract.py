"""The contract file, its examples and rejects, and the Python types all say the same."""

from __future__ import annotations

import json
import typing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from jsonschema import Draft7Validator

from jupyterlab_gpumem import wire

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jsonschema.exceptions import ValidationError

CONTRACT = Path(__file__).parent.parent / "contract"
SCHEMA: dict[str, Any] = json.loads((CONTRACT / "wire.schema.json").read_text())
DEFINITIONS: dict[str, Any] = SCHEMA["definitions"]
OBJECTS = sorted(name for name, each in DEFINITIONS.items() if "properties" in each)
ENUMERATIONS = sorted(name for name, each in DEFINITIONS.items() if "enum" in each)

# "number" takes whole numbers too, as Python's float does in an annotation.
BASIC = {"string": str, "integer": int, "number": float, "boolean": bool, "null": type(None)}


def cases(folder: str) -> list[Any]:
    files = sorted((CONTRACT / folder).glob("*.json"))
    return [pytest.param(json.loads(file.read_text()), id=file.stem) for file in files]


def validator(type_name: str) -> Draft7Validator:
    return Draft7Validator({"definitions": DEFINITIONS, "$ref": f"#/definitions/{type_name}"})


def path_of(error: ValidationError) -> str:
    """Write the place of an error as the page does: ``devices[0].memory.total_bytes``."""
    steps = list(error.absolute_path)
    if error.validator == "required":
        required: Any = error.validator_value
        missing: Any = error.instance
        steps += [name for name in required if name not in missing]
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return text.removeprefix(".")


def schema_type(schema: dict[str, Any]) -> Any:
    """Translate a part of the schema into the annotation that says the same."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/definitions/")
        target = DEFINITIONS[name]
        return getattr(wire, name) if "properties" in target else schema_type(target)
    if "const" in schema:
        return Literal[schema["const"]]
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    if "oneOf" in schema:
        return union(schema_type(each) for each in schema["oneOf"])
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return union(plain_type(name, schema) for name in names)


def union(members: Iterable[Any]) -> Any:
    # wire.py goes down to Python 3.8: its Union and List do not equal the new spellings.
    return typing.Union[tuple(members)]  # noqa: UP007


def plain_type(name: str, schema: dict[str, Any]) -> Any:
    if name != "array":
        return BASIC[name]
    return typing.List[schema_type(schema["items"])]  # type: ignore[misc]  # noqa: UP006  # made here


def python_fields(name: str) -> dict[str, Any]:
    return typing.get_type_hints(getattr(wire, name))


@pytest.mark.parametrize("case", cases("examples"))
def test_examples_are_valid(case: dict[str, Any]) -> None:
    errors = [error.message for error in validator(case["type"]).iter_errors(case["value"])]
    assert errors == []


@pytest.mark.parametrize("case", cases("rejects"))
def test_rejects_are_wrong_where_they_say(case: dict[str, Any]) -> None:
    errors = validator(case["type"]).iter_errors(case["value"])
    assert [path_of(error) for error in errors] == [case["path"]]


def test_every_type_on_the_wire_has_an_example() -> None:
    wanted = {each["$ref"].removeprefix("#/definitions/") for each in SCHEMA["properties"].values()}
    shown = {case.values[0]["type"] for case in cases("examples")}
    assert wanted <= shown


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_are_closed_and_require_only_what_they_have(name: str) -> None:
    assert DEFINITIONS[name]["additionalProperties"] is False
    assert set(DEFINITIONS[name]["required"]) <= set(DEFINITIONS[name]["properties"])


@pytest.mark.parametrize("name", OBJECTS)
def test_python_types_have_the_fields_of_the_contract(name: str) -> None:
    definition = DEFINITIONS[name]
    python_type = getattr(wire, name)
    assert set(python_fields(name)) == set(definition["properties"])
    assert set(python_type.__required_keys__) == set(definition["required"])


@pytest.mark.parametrize("name", OBJECTS)
def test_python_fields_have_the_types_of_the_contract(name: str) -> None:
    wanted = {field: schema_type(each) for field, each in DEFINITIONS[name]["properties"].items()}
    assert python_fields(name) == wanted


@pytest.mark.parametrize("name", ENUMERATIONS)
def test_python_enumerations_have_the_members_of_the_contract(name: str) -> None:
    assert typing.get_args(getattr(wire, name)) == tuple(DEFINITIONS[name]["enum"])


def test_python_knows_no_type_that_the_contract_does_not() -> None:
    typed_dicts = {
        name
        for name, value in vars(wire).items()
        if typing.is_typeddict(value) and not name.startswith("_") and name != "TypedDict"
    }
    assert typed_dicts == set(OBJECTS)


def test_the_answer_of_the_agent_is_one_of_the_contract() -> None:
    assert wire.AgentReply == schema_type(DEFINITIONS["AgentReply"])


def test_both_sides_speak_the_same_version() -> None:
    assert DEFINITIONS["Snapshot"]["properties"]["wire_version"]["const"] == wire.WIRE_VERSION
