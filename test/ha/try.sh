#!/usr/bin/env bash
# Proves high availability with Patroni, etcd and HAProxy on this machine: npm run faults:ha
# Needs Debian and root: it installs what it needs. HA_ROUNDS sets how often the primary fails (10).
set -euo pipefail
cd "$(dirname "$0")/../.."

command -v patroni etcd haproxy > /dev/null ||
  { apt-get update -q && apt-get install -y -q --no-install-recommends patroni etcd-server haproxy postgresql python3-etcd python3-psycopg2; }
[ -e dist/server/main.js ] || npm run build
npm run --silent texts
exec npx vitest run --config test/ha/vitest.config.ts
