# corefkit as an image: the command, its two packages, Debian's Python, and no compiler.
#
#     docker build --tag corefkit .
#     docker run --rm --volume "$PWD:/data:ro" corefkit score key.conll response.conll
#
# EXTRAS adds what is optional, without fixed versions: --build-arg EXTRAS=[plots,tables]
ARG BASE=debian:trixie-slim

FROM ${BASE} AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev python3-dev python3-venv
RUN python3 -m venv /opt/build && python3 -m venv --without-pip /opt/corefkit
WORKDIR /source
COPY locks/run.lock .
# What builds the wheel; the lock has what runs it, too.
RUN /opt/build/bin/pip install --no-cache-dir --require-hashes --requirement run.lock
COPY . .
ARG EXTRAS=""
RUN COREFKIT_KERNEL=require /opt/build/bin/python -m hatchling build --target wheel -d /wheel
# The versions of the lock hold for what is needed.
RUN /opt/build/bin/pip freeze > /wheel/versions.txt \
    && /opt/build/bin/pip --python /opt/corefkit/bin/python install --no-cache-dir \
        --constraint /wheel/versions.txt "corefkit${EXTRAS} @ file://$(echo /wheel/*.whl)"

FROM ${BASE}
LABEL org.opencontainers.image.title="corefkit" \
    org.opencontainers.image.description="Coreference evaluation: exact metrics, one command." \
    org.opencontainers.image.source="https://github.com/corefkit/corefkit" \
    org.opencontainers.image.licenses="Apache-2.0"
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 corefkit
COPY --from=build /opt/corefkit /opt/corefkit
ENV PATH=/opt/corefkit/bin:$PATH
USER corefkit
WORKDIR /data
ENTRYPOINT ["corefkit"]
CMD ["--help"]
