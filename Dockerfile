# syntax=docker/dockerfile:1

FROM swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install --no-install-recommends -y libcurl4-openssl-dev libidn2-dev libpq-dev libssl-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN --mount=type=cache,target=/source/.build,sharing=locked \
    swift build -c release --product tertulia --static-swift-stdlib -Xswiftc -enforce-exclusivity=unchecked \
    && install -s -D .build/release/tertulia /out/tertulia

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --no-install-recommends -y ca-certificates curl libcurl4 libidn2-0 libpq5 libssl3 openssl \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/tertulia --create-home tertulia
COPY --from=build /out/tertulia /usr/local/bin/tertulia
USER tertulia
WORKDIR /var/lib/tertulia
ENV HOST=0.0.0.0 \
    PORT=8080 \
    TERTULIA_HOME=/var/lib/tertulia \
    LOG_FORMAT=json
VOLUME /var/lib/tertulia
EXPOSE 8080
# Takes up to SHUTDOWN_DELAY (5) and 25 seconds more on SIGTERM: give `docker stop` a --time of 40.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD curl --fail --silent --show-error "http://127.0.0.1:${PORT}/readyz" || exit 1
ENTRYPOINT ["tertulia"]
CMD ["serve"]
