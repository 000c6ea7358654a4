import pytest

from memci.errors import UnsafeError, UsageError
from memci.forge.detect import Address, classify_forge, make_forge, parse_address, read_token
from memci.forge.github import GitHub

GITHUB = Address("https://github.com", "acme/shop")


@pytest.mark.parametrize(
    "url",
    ["", "/srv/git/shop.git", "file:///srv/shop.git", "C:\\shop", "https://host", "https://host:x/a/b", "../shop"],
)
def test_what_is_no_server_has_no_address(url: str) -> None:
    assert parse_address(url) is None


@pytest.mark.parametrize(
    ("url", "web", "path"),
    [
        ("https://github.com/acme/shop.git", "https://github.com", "acme/shop"),
        ("https://user:pass@github.com/acme/shop", "https://github.com", "acme/shop"),
        ("git@github.com:acme/shop.git", "https://github.com", "acme/shop"),
        ("ssh://git@git.example:2222/acme/shop.git", "https://git.example", "acme/shop"),
        ("https://git.example:8443/group/sub/shop.git/", "https://git.example:8443", "group/sub/shop"),
        ("http://127.0.0.1:3000/acme/shop.git", "http://127.0.0.1:3000", "acme/shop"),
    ],
)
def test_addresses_of_servers(url: str, web: str, path: str) -> None:
    assert parse_address(url) == Address(web, path)


@pytest.mark.parametrize(
    ("web", "environment", "kind"),
    [
        ("https://github.com", {}, "github"),
        ("https://gitlab.com", {}, "gitlab"),
        ("https://codeberg.org", {}, "gitea"),
        ("https://git.example", {}, "none"),
        ("https://git.example", {"GITHUB_SERVER_URL": "https://github.com"}, "none"),
        ("https://git.example", {"GITHUB_SERVER_URL": "https://git.example"}, "github"),
        ("https://git.example", {"GITHUB_SERVER_URL": "https://git.example", "GITEA_ACTIONS": "true"}, "gitea"),
        ("https://git.example", {"CI_SERVER_URL": "https://git.example"}, "gitlab"),
        (
            "https://git.example",
            {"GITHUB_SERVER_URL": "https://git.example", "GITHUB_API_URL": "https://git.example/api/v1"},
            "gitea",
        ),
    ],
)
def test_the_kind_comes_from_the_address_and_the_runner(web: str, environment: dict[str, str], kind: str) -> None:
    assert classify_forge(Address(web, "acme/shop"), environment) == kind


def test_no_address_is_no_forge() -> None:
    assert classify_forge(None, {"GITHUB_SERVER_URL": "https://github.com"}) == "none"


def test_tokens_come_from_the_variables_of_their_forge() -> None:
    everything = {"GITHUB_TOKEN": "hub", "GH_TOKEN": "gh", "GITEA_TOKEN": "tea", "GITLAB_TOKEN": "lab"}
    assert [read_token(kind, everything) for kind in ("github", "gitea", "gitlab", "none")] == ["hub", "tea", "lab", ""]
    assert read_token("gitlab", everything | {"MEMCI_TOKEN": "own"}) == "own"
    assert read_token("github", {"GITHUB_TOKEN": " ", "GH_TOKEN": "gh"}) == "gh"


@pytest.mark.parametrize("token", ["", "two words", "line\nbreak", "ümlaut"])
def test_a_token_that_is_none_is_refused(token: str) -> None:
    with pytest.raises(UsageError) as caught:
        make_forge("github", GITHUB, {"GITHUB_TOKEN": token})
    assert not token or token not in caught.value.message


@pytest.mark.parametrize("path", ["acme/shop/more", "../shop", "acme/.."])
def test_a_path_that_is_no_repository_is_refused(path: str) -> None:
    with pytest.raises(UsageError):
        make_forge("github", Address("https://github.com", path), {"GITHUB_TOKEN": "t"})


def test_a_server_without_encryption_is_refused() -> None:
    with pytest.raises(UnsafeError):
        make_forge("gitea", Address("http://git.example", "acme/shop"), {"GITEA_TOKEN": "t"})


def test_the_api_that_a_runner_names_counts_for_its_own_server_only() -> None:
    environment = {
        "GITHUB_TOKEN": "t",
        "GITHUB_SERVER_URL": "https://git.example",
        "GITHUB_API_URL": "https://api.git.example/v3",
    }

    def api(web: str) -> str:
        forge = make_forge("github", Address(web, "acme/shop"), environment)
        assert isinstance(forge, GitHub)
        return forge._client._api

    assert api("https://git.example") == "https://api.git.example/v3"
    assert api("https://github.com") == "https://api.github.com"
    assert api("https://other.example") == "https://other.example/api/v3"


@pytest.mark.parametrize(
    ("kind", "url"),
    [
        ("github", "https://h.example/acme/shop/compare/main...memci/dream?expand=1&title=A+%26+b"),
        ("gitea", "https://h.example/acme/shop/compare/main...memci%2Fdream?title=A+%26+b"),
        (
            "gitlab",
            (
                "https://h.example/acme/shop/-/merge_requests/new?merge_request%5Bsource_branch%5D=memci%2Fdream"
                "&merge_request%5Btarget_branch%5D=main&merge_request%5Btitle%5D=A+%26+b"
            ),
        ),
    ],
)
def test_the_page_on_which_people_open_it_themselves(kind: str, url: str) -> None:
    forge = make_forge(kind, Address("https://h.example", "acme/shop"), {"MEMCI_TOKEN": "t"})
    assert forge.compare_url("main", "memci/dream", "A & b") == url
