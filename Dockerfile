# memci and git, nothing else: made from the wheel of a release, with dependencies pinned by hash.
#
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/work" ghcr.io/memci/memci check
FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS base

FROM base AS install
COPY action/requirements.txt dist/*.whl /install/
RUN python -m venv --without-pip /opt/memci \
    && pip --python /opt/memci/bin/python install --no-cache-dir --disable-pip-version-check \
        --require-hashes --only-binary :all: -r /install/requirements.txt \
    && pip --python /opt/memci/bin/python install --no-cache-dir --disable-pip-version-check --no-deps /install/*.whl

FROM base
# The version of git comes with the base, which is pinned.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --create-home memci \
    # The repository is mounted there, and belongs to somebody else.
    && git config --system --add safe.directory /work
COPY --from=install /opt/memci /opt/memci
ENV PATH=/opt/memci/bin:$PATH
USER 10001
WORKDIR /work
ENTRYPOINT ["memci"]
