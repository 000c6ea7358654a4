"""GitHub's own description of its API, cut down to what memci uses, and requests and answers held against it."""

import copy
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import unquote

import jsonschema  # type: ignore[import-untyped]  # comes with check-jsonschema, its stubs do not

_REPO = "/repos/{owner}/{repo}"
# What publishing and gathering ask for; whatever else they send is not in the description and fails.
PATHS = (
    _REPO,
    f"{_REPO}/pulls",
    f"{_REPO}/pulls/{{pull_number}}",
    f"{_REPO}/pulls/{{pull_number}}/requested_reviewers",
    f"{_REPO}/issues/{{issue_number}}/comments",
    f"{_REPO}/issues/comments/{{comment_id}}",
    f"{_REPO}/issues/{{issue_number}}/labels",
    f"{_REPO}/issues/{{issue_number}}/labels/{{name}}",
    f"{_REPO}/actions/artifacts",
    f"{_REPO}/actions/artifacts/{{artifact_id}}/{{archive_format}}",
    f"{_REPO}/actions/runs/{{run_id}}",
)
# What the review of a pull request and the doctor ask for beside these.
MORE = (
    "/user",
    f"{_REPO}/actions/permissions/workflow",
    f"{_REPO}/actions/workflows/{{workflow_id}}",
    f"{_REPO}/rules/branches/{{branch}}",
)
# Any request may be answered so, whatever is described for it.
_ALWAYS = frozenset(("401", "403", "404", "409", "410", "422", "429", "500", "502", "503"))


def slim(whole: Mapping[str, Any]) -> dict[str, Any]:
    """Return the description of these paths and of all that they refer to."""
    small: dict[str, Any] = {key: whole[key] for key in ("openapi", "info", "servers")}
    small["paths"] = {path: whole["paths"][path] for path in (*PATHS, *MORE)}
    small["components"] = {}
    waiting = set(_find_references(small["paths"]))
    done: set[str] = set()
    while waiting:
        reference = waiting.pop()
        done.add(reference)
        _, _, kind, name = reference.split("/")
        part = whole["components"][kind][name]
        small["components"].setdefault(kind, {})[name] = part
        waiting |= set(_find_references(part)) - done
    return copy.deepcopy(small)


def _find_references(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for inner in value.values():
            yield from _find_references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _find_references(inner)


@dataclass
class Description:
    """The description; what is held against it and does not fit is kept in `violations`."""

    content: Mapping[str, Any]
    violations: list[str] = field(default_factory=list)
    # How many requests and answers were looked at, by operation.
    seen: dict[str, int] = field(default_factory=dict)

    @cached_property
    def _schemas(self) -> dict[str, Any]:
        return {name: _modernise(schema) for name, schema in self.content["components"]["schemas"].items()}

    def find(self, method: str, path: str) -> tuple[str, Mapping[str, Any], dict[str, str]] | None:
        """Return the operation for a path, as its template, description and names."""
        for template in sorted(self.content["paths"], key=lambda one: one.count("{")):
            pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(template))
            match = re.fullmatch(pattern, path)
            if match and method.lower() in self.content["paths"][template]:
                return template, self.content["paths"][template][method.lower()], match.groupdict()
        return None

    def hold(self, method: str, path: str, query: Mapping[str, str], body: Any, status: int, answer: Any) -> None:
        """Hold a request and its answer against the description."""
        found = self.find(method, path)
        if found is None:
            self.violations.append(f"{method} {path} is not described")
            return
        template, operation, names = found
        where = f"{method} {template}"
        self.seen[where] = self.seen.get(where, 0) + 1
        self._hold_parameters(where, operation, names, query)
        self._hold_body(where, operation, body)
        self._hold_answer(where, operation, status, answer)

    def _hold_parameters(
        self, where: str, operation: Mapping[str, Any], names: Mapping[str, str], query: Mapping[str, str]
    ) -> None:
        described = {}
        for parameter in operation.get("parameters", ()):
            known = self._follow(parameter)
            described[known["in"], known["name"]] = known["schema"]
        given = {("path", key): unquote(value) for key, value in names.items()}
        given |= {("query", key): value for key, value in query.items()}
        for key, value in given.items():
            if key not in described:
                self.violations.append(f"{where}: {key[0]} has no {key[1]}")
            else:
                number = described[key].get("type") == "integer"
                self._hold(f"{where} {key[1]}", described[key], int(value) if number else value)

    def _hold_body(self, where: str, operation: Mapping[str, Any], body: Any) -> None:
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if body is not None and content is None:
            self.violations.append(f"{where} takes no body")
        elif content is not None:
            self._hold(f"{where} body", _close(_modernise(content["schema"])), {} if body is None else body)

    def _hold_answer(self, where: str, operation: Mapping[str, Any], status: int, answer: Any) -> None:
        if str(status) not in operation["responses"]:
            if str(status) not in _ALWAYS:
                self.violations.append(f"{where} never answers {status}")
            return
        described = self._follow(operation["responses"][str(status)])
        schema = described.get("content", {}).get("application/json", {}).get("schema")
        if schema is not None:
            # A fake may say less than GitHub does, but nothing else.
            self._hold(f"{where} {status}", _close(_loosen(self._inline(_modernise(schema)))), answer)

    def prune(self, method: str, path: str, status: int, answer: Any) -> Any:
        """Return an answer without all that GitHub does not promise to send."""
        found = self.find(method, path)
        described = found[1]["responses"].get(str(status)) if found else None
        if described is None or status == 302:
            return answer
        content = self._follow(described).get("content", {}).get("application/json", {})
        return _prune(self._inline(_modernise(content["schema"])), answer) if content else answer

    def _follow(self, part: Mapping[str, Any]) -> Mapping[str, Any]:
        if "$ref" not in part:
            return part
        _, _, kind, name = part["$ref"].split("/")
        found: Mapping[str, Any] = self.content["components"][kind][name]
        return found

    def _inline(self, schema: Any) -> Any:
        """Return a schema with what it refers to in place; none of those that memci uses holds itself."""
        if isinstance(schema, list):
            return [self._inline(inner) for inner in schema]
        if not isinstance(schema, Mapping):
            return schema
        if isinstance(schema.get("$ref"), str):
            return self._inline(self._schemas[schema["$ref"].rpartition("/")[2]])
        return {key: self._inline(inner) for key, inner in schema.items()}

    def _hold(self, where: str, schema: Any, value: Any) -> None:
        checker = jsonschema.Draft202012Validator(self._inline(schema))
        self.violations += (f"{where}: {error.json_path} {error.message[:300]}" for error in checker.iter_errors(value))


def _modernise(schema: Any) -> Any:
    """Return a schema of OpenAPI 3.0 as JSON Schema says it: there `nullable` is a type."""
    if isinstance(schema, list):
        return [_modernise(inner) for inner in schema]
    if not isinstance(schema, Mapping):
        return schema
    new = {key: _modernise(inner) for key, inner in schema.items() if key not in {"nullable", "example", "examples"}}
    if schema.get("nullable") is True:
        return {"anyOf": [new, {"type": "null"}]}
    return new


def _loosen(schema: Any) -> Any:
    """Return a schema in which nothing has to be there."""
    if isinstance(schema, list):
        return [_loosen(inner) for inner in schema]
    if not isinstance(schema, Mapping):
        return schema
    return {key: _loosen(inner) for key, inner in schema.items() if not (key == "required" and isinstance(inner, list))}


def _close(schema: Any) -> Any:
    """Return a schema in which nothing may be there that is not described."""
    if isinstance(schema, list):
        return [_close(inner) for inner in schema]
    if not isinstance(schema, Mapping):
        return schema
    new = {key: _close(inner) for key, inner in schema.items()}
    if isinstance(new.get("properties"), Mapping) and not {"allOf", "anyOf", "oneOf"} & set(new):
        new.setdefault("additionalProperties", False)
    return new


def _prune(schema: Any, value: Any) -> Any:
    for inner in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        if inner.get("type") in {"object", "array"}:
            return _prune(inner, value)
    if isinstance(value, list):
        return [_prune(schema["items"], item) for item in value]
    if not isinstance(value, dict) or "properties" not in schema:
        return value
    promised = schema.get("required", ())
    return {key: _prune(schema["properties"][key], inner) for key, inner in value.items() if key in promised}
