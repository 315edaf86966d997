# Turnout as an image: docker build -t turnout .
# docs/containers.md says how it is run. Both bases can be replaced, as long as they have the same C library.
ARG NODE_IMAGE=docker.io/library/node:22-bookworm-slim
ARG BASE_IMAGE=docker.io/library/debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
RUN npm ci --include=dev --include=optional --no-audit --no-fund --loglevel=error \
  && npm run build \
  && node scripts/pack.mjs /app \
  && cp "$(command -v node)" /usr/local/bin/node-of-turnout

FROM ${BASE_IMAGE}
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin turnout \
  && mkdir /data && chown turnout: /data
COPY --from=build /usr/local/bin/node-of-turnout /usr/local/bin/node
COPY --from=build /app /opt/turnout
WORKDIR /opt/turnout
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 PORT=3000
USER turnout
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/main.js"]
