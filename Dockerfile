# The images of vault-mcp: `api`, `indexer` (which is also what extra workers run), and `embedded`: both in one process,
# without Redis. docker-compose.yml and docker-compose.embedded.yml build them; by hand:
#
#   docker build --target api --build-arg REVISION="$(git rev-parse HEAD)" -t vault-mcp-api .
#
# The base must have glibc (sqlite-vec has no build for musl), Debian's packages and Node 20.19 or newer. The default is
# the newer of the two releases that .ci/run tests: it is the one that still gets security fixes.
ARG NODE_IMAGE=node:24-bookworm-slim
# What the labels say. A test holds the version to package.json.
ARG VERSION=0.1.0 REVISION=unknown SOURCE="" LICENCE=MIT

# --- Installs and compiles --------------------------------------------------------------------------------------------
FROM ${NODE_IMAGE} AS installed
# The headers are the base's own, for better-sqlite3 where no built binary of it can be fetched.
ENV npm_config_nodedir=/usr/local npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false
RUN apt-get update -qq \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3 make g++ >/dev/null \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
# Manifests by themselves, so that a change of the sources installs nothing anew. The typed client of the tests is a
# workspace too: without its manifest the lock file would not fit.
COPY package.json package-lock.json ./
COPY packages/shared/package.json packages/shared/
COPY apps/api/package.json apps/api/
COPY apps/indexer/package.json apps/indexer/
COPY apps/cli/package.json apps/cli/
COPY test/typed-client/package.json test/typed-client/
RUN npm ci && cp node_modules/better-sqlite3/build/Release/better_sqlite3.node /

FROM installed AS compiled
COPY tsconfig.json tsconfig.base.json ./
COPY packages packages
COPY apps apps
RUN npx tsc -b && find packages apps \( -name '*.map' -o -name '*.d.ts' -o -name '.tsbuildinfo' \) -delete

# What a program needs of the registry when it runs, from what npm has just fetched. Of that goes what is there for others:
# sources, tests, typings, source maps, builds for browsers and other loaders, and the second copy that pdf-parse has of pdfjs.
FROM installed AS modules
RUN printf '%s\n' 'set -e' \
    'npm ci --omit=dev --ignore-scripts --no-bin-links --prefer-offline "$@"' \
    'install -D -m 644 /better_sqlite3.node node_modules/better-sqlite3/build/Release/better_sqlite3.node' \
    'cd node_modules' \
    'rm -rf better-sqlite3/deps better-sqlite3/src zod/src luxon/src luxon/build/amd luxon/build/global yaml/browser' \
    'rm -rf bullmq/dist/esm hono/dist/cjs pdf-parse/dist/pdf-parse/web pdf-parse/dist/worker' \
    'for part in build web image_decoders types legacy/web legacy/image_decoders legacy/build/pdf.sandbox.mjs; do' \
    '  rm -rf "pdfjs-dist/$part"' \
    'done' \
    'rm -f pdfjs-dist/legacy/build/*.min.mjs' \
    'for modules in . ../apps/*/node_modules ../packages/*/node_modules; do' \
    '  if [ ! -d "$modules" ]; then continue; fi' \
    '  find "$modules" -type d \( -name test -o -name tests -o -name benchmarks -o -name docs \) -prune -exec rm -rf {} +' \
    '  find "$modules" -type f \( -name "*.map" -o -name "*.d.ts" -o -name "*.d.mts" -o -name "*.d.cts" \) -delete' \
    'done' \
    'cd .. && rm -rf test package-lock.json' > /modules.sh

FROM modules AS api-modules
RUN sh /modules.sh --workspace packages/shared --workspace apps/api

FROM modules AS indexer-modules
RUN sh /modules.sh --workspace packages/shared --workspace apps/indexer

FROM modules AS embedded-modules
RUN sh /modules.sh --workspaces

# --- Runs -------------------------------------------------------------------------------------------------------------
FROM ${NODE_IMAGE} AS runtime
# Two malloc arenas instead of eight per core: the others only keep what nobody uses any more.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 VAULT_PATH=/vault DATA_PATH=/data BIND_PORT=8080
# A fresh volume takes over the mode of the folder that it is mounted on: open like /tmp, so that whatever PUID runs the
# programs can write it, and nothing has to run as root to hand it over.
RUN mkdir /vault && mkdir -m 1777 /data
WORKDIR /app
COPY LICENSE ./

# Scans are read by tesseract; `eng` and what else of Debian's languages is asked for: --build-arg OCR_LANGUAGES="eng deu".
# `osd` tells it which way up a page lies. Its program comes without its package, which asks for a desktop's drawing
# libraries and more for tools that are not used here.
FROM runtime AS runtime-with-ocr
ARG OCR_LANGUAGES=eng
RUN cd /tmp && apt-get update -qq && apt-get download -qq tesseract-ocr \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    $(dpkg-deb -f tesseract-ocr_*.deb Depends | grep -o 'libtesseract[0-9][0-9a-z]*') \
    $(for language in osd ${OCR_LANGUAGES}; do echo "tesseract-ocr-${language}" | tr _ -; done) >/dev/null \
 && dpkg-deb --fsys-tarfile tesseract-ocr_*.deb | tar -x -C / ./usr/bin/tesseract \
 && tesseract --list-langs \
 && rm -rf /tmp/* /var/lib/apt/lists/* /var/cache/* /var/log/*

# The checks of a vault may be written in Python (docs/checks.md), and what holds any of them to reading is. Facts are committed
# by git (docs/wiki.md), whose program comes without its package: that asks for Perl, for commands that are not used here.
FROM runtime AS runtime-with-python
RUN cd /tmp && apt-get update -qq && apt-get download -qq git \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3 >/dev/null \
 && python3 -c 'import ctypes, resource' \
 && dpkg-deb --fsys-tarfile git_*.deb | tar -x -C / ./usr/bin/git \
 && git --version \
 && rm -rf /tmp/* /var/lib/apt/lists/* /var/cache/* /var/log/*

FROM runtime-with-ocr AS runtime-with-both
RUN cd /tmp && apt-get update -qq && apt-get download -qq git \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3 >/dev/null \
 && python3 -c 'import ctypes, resource' \
 && dpkg-deb --fsys-tarfile git_*.deb | tar -x -C / ./usr/bin/git \
 && git --version \
 && rm -rf /tmp/* /var/lib/apt/lists/* /var/cache/* /var/log/*

FROM runtime-with-python AS api-files
COPY --from=api-modules /app ./
COPY --from=compiled /app/packages/shared/dist packages/shared/dist
COPY --from=compiled /app/apps/api/dist apps/api/dist

FROM runtime-with-ocr AS indexer-files
COPY --from=indexer-modules /app ./
COPY --from=compiled /app/packages/shared/dist packages/shared/dist
COPY --from=compiled /app/apps/indexer/dist apps/indexer/dist

FROM runtime-with-both AS embedded-files
COPY --from=embedded-modules /app ./
COPY --from=compiled /app/packages/shared/dist packages/shared/dist
COPY --from=compiled /app/apps/api/dist apps/api/dist
COPY --from=compiled /app/apps/indexer/dist apps/indexer/dist
COPY --from=compiled /app/apps/cli/dist apps/cli/dist

# A program whose parts all load ends with 2 here, for want of a key or of Redis: nothing that was taken out is missed.
FROM api-files AS api-loads
RUN node apps/api/dist/main.js; [ $? -eq 2 ]
FROM indexer-files AS indexer-loads
RUN node apps/indexer/dist/main.js; [ $? -eq 2 ]
FROM embedded-files AS embedded-loads
RUN node apps/cli/dist/main.js serve --host 0.0.0.0; [ $? -eq 2 ]

# --- The images: what differs from build to build comes last -----------------------------------------------------------
FROM indexer-loads AS indexer
LABEL org.opencontainers.image.title="vault-mcp indexer" \
      org.opencontainers.image.description="Keeps the index of a markdown vault; reads PDFs and scans, makes vectors."
USER 1000:1000
CMD ["node", "apps/indexer/dist/main.js", "--pulse", "/tmp/pulse"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "apps/indexer/dist/health-check.js", "/tmp/pulse"]
ARG VERSION REVISION SOURCE LICENCE
LABEL org.opencontainers.image.version="${VERSION}" org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}" org.opencontainers.image.licenses="${LICENCE}"

FROM embedded-loads AS embedded
LABEL org.opencontainers.image.title="vault-mcp" \
      org.opencontainers.image.description="Serves a markdown vault over MCP and REST, in one process."
ARG VERSION REVISION SOURCE LICENCE
LABEL org.opencontainers.image.version="${VERSION}" org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}" org.opencontainers.image.licenses="${LICENCE}"
# What /readyz says of the build.
RUN echo "${REVISION}" > REVISION && if [ -n "${SOURCE}" ]; then npm pkg set "repository=${SOURCE}"; fi
USER 1000:1000
EXPOSE 8080
# In JSON, as everything else that a container prints.
CMD ["node", "apps/cli/dist/main.js", "serve", "--host", "0.0.0.0", "--json"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD node apps/api/dist/health-check.js "$BIND_PORT"

FROM api-loads AS api
LABEL org.opencontainers.image.title="vault-mcp api" \
      org.opencontainers.image.description="Serves a markdown vault over MCP and REST."
ARG VERSION REVISION SOURCE LICENCE
LABEL org.opencontainers.image.version="${VERSION}" org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}" org.opencontainers.image.licenses="${LICENCE}"
# What /readyz says of the build.
RUN echo "${REVISION}" > REVISION && if [ -n "${SOURCE}" ]; then npm pkg set "repository=${SOURCE}"; fi
USER 1000:1000
EXPOSE 8080
CMD ["node", "apps/api/dist/main.js"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD node apps/api/dist/health-check.js "$BIND_PORT"
