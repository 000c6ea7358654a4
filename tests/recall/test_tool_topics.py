import pytest

from memci.recall.choose import is_manual_of, tool_roots
from memci.recall.listing import TopicEntry
from memci.recall.query_words import word_roots
from tests.recall.build import entry

DOCKER = (tool_roots("docker"),)


@pytest.mark.parametrize(
    "topic",
    [
        entry("kubectl-usage", "kubectl commands and options", "`kubectl get pods`", kind="reference"),
        entry("docker-volumes", "Docker usage on Macs", "Bind mounts corrupt the data.", kind="reference"),
        entry("docker-usage", "Docker commands", "Never run `docker system prune` here.", kind="reference"),
        entry("docker-usage", "Docker commands and their pitfalls", "`docker ps`", kind="reference"),
        entry("docker-befehle", "Docker: Befehle", "Achtung: löscht alle Volumes.", kind="reference"),
        entry("docker-usage", "docker 用法", "注意：会删除数据", kind="reference"),
        entry("docker-usage", "Docker commands we agreed on", "`docker compose up`", kind="feedback"),
        entry("docker-usage", "Docker commands", "`docker compose up`", kind="project"),
        entry("registry", "Where the docker images are kept", "registry.internal, project shop.", kind="reference"),
        entry("usage", "Commands of the team", "```\ndocker ps\n```", kind="reference"),
    ],
)
def test_warnings_decisions_and_other_tools_stay(topic: TopicEntry) -> None:
    assert not is_manual_of(topic, DOCKER)


@pytest.mark.parametrize(
    "topic",
    [
        entry("docker-usage", "Docker compose commands for the local stack", "`docker compose up`", kind="reference"),
        entry("docker", "Local stack with docker", "```\ndocker compose up\n```\nProfiles: core.", kind="reference"),
        entry("docker-cheatsheet", "", "- `docker ps`\n- `docker logs -f api`", kind=""),
    ],
)
def test_a_manual_of_a_tool_in_use_is_left_out(topic: TopicEntry) -> None:
    assert is_manual_of(topic, DOCKER)
    assert not is_manual_of(topic, ())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("docker", "docker"),
        ("Bash(docker compose up:*)", "docker"),
        ("mcp__github__create_issue", "github"),
        ("mcp__", ""),
        ("Bash()", ""),
        ("", ""),
    ],
)
def test_a_tool_is_known_by_the_program_it_runs(name: str, words: str) -> None:
    assert tool_roots(name) == word_roots(words)


def test_a_tool_without_a_name_leaves_nothing_out() -> None:
    manual = entry("docker-usage", "Docker commands", "`docker ps`", kind="reference")
    assert not is_manual_of(manual, [tool_roots("")])
