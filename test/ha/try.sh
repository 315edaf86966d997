#!/usr/bin/env bash
# Proves high availability with Patroni, etcd and HAProxy on this machine: npm run faults:ha
# Needs Debian and root: it installs what it needs. HA_ROUNDS sets how often the primary fails (10).
set -euo pipefail
cd "$(dirname "$0")/../.."

for program in patroni etcd haproxy; do
  command -v "$program" > /dev/null || { is_missing=yes; }
done
[ -z "${is_missing:-}" ] ||
  { apt-get update -q && apt-get install -y -q --no-install-recommends patroni etcd-server haproxy postgresql python3-etcd python3-psycopg2; }
# Does nothing when it was built since the last change.
npm run build
exec npx vitest run --config test/ha/vitest.config.ts
