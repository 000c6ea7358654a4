"""Synonyms of software development: abbreviations, and different words for the same thing."""

import functools
from collections.abc import Mapping

from memci.prose.roots import root

# One group per line. Only words that are interchangeable in most sentences about software; words with several meanings
# in this field ("key", "state", "model") are left out.
_GROUPS = """
    database db postgres postgresql sql
    kubernetes k8s kubectl cluster pod
    authentication auth login signin logon
    authorisation authorization permission rights access
    configuration config settings
    repository repo
    environment env
    production prod live
    staging preprod
    deployment deploy release ship rollout publish
    continuous-integration ci pipeline workflow
    pull-request pr mr
    internationalisation internationalization i18n translation localisation localization l10n locale
    accessibility a11y
    observability o11y monitoring
    application app
    administrator admin backoffice
    documentation docs
    javascript js node nodejs
    typescript ts
    dependency library package
    directory folder
    picture image photo thumbnail screenshot
    mail email e-mail smtp
    modal dialog popup overlay
    colour color
    basket cart
    parcel shipment shipping delivery
    customer user client buyer
    vendor supplier
    bill invoice
    payment charge pay paid
    tax vat
    article product sku
    ean gtin upc barcode
    registration signup register
    credential secret password
    personal-data pii gdpr privacy
    remove delete erase drop
    speed slow latency performance fast
    crash outage incident down
    fail failure error broken reject decline
    flaky intermittent unstable
    duplicate twice double
    stale old outdated
    event message
    callback webhook hook
    toggle flag switch
    endpoint route api
    test spec e2e
    mock stub fake
    migration schema alter column
    queue job task worker
    dashboard grafana panel metrics
    cost spend
    vulnerability pentest security
    licence license licensed
    timezone utc timestamp
    rerun backfill
    inventory stock
"""


@functools.cache
def _synonyms() -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _GROUPS.strip().split("\n"):
        group = frozenset(map(root, line.split()))
        for word in group:
            found[word] = found.get(word, frozenset()) | group
    return found


def synonyms_of(base: str) -> frozenset[str]:
    """Return the roots of the synonyms of the word with this root, without itself."""
    return _synonyms().get(base, frozenset()) - {base}
