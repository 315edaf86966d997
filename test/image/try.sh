#!/usr/bin/env bash
# Builds the image of Dockerfile without Docker, and tries a server in it, as its unprivileged user: npm run faults:image
# Needs Debian and root: it installs buildah and debootstrap, and makes the two bases itself, with this machine's Node.js.
set -euo pipefail
cd "$(dirname "$0")/../.."
MOST_MB=400
PORT=4069

command -v buildah debootstrap > /dev/null || { apt-get update -q && apt-get install -y -q buildah debootstrap; }
work=$(mktemp -d)
chmod 755 "$work"
image() { buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }
folder=
clean_up() {
  [ -z "$folder" ] || [ ! -e "$folder/tmp/pid" ] || kill "$(cat "$folder/tmp/pid")" 2> /dev/null || true
  image rm --all > /dev/null 2>&1 || true
  rm -rf "$work"
}
trap clean_up EXIT

echo 'Making the bases …'
debootstrap --variant=minbase bookworm "$work/debian" > "$work/debootstrap.log"
# As in the slim image.
rm -rf "$work"/debian/var/cache/apt/* "$work"/debian/var/lib/apt/lists/* "$work"/debian/usr/share/{doc,man,locale,info}/*
from=$(image from scratch)
image copy -q "$from" "$work/debian" / > /dev/null
image commit -q "$from" localhost/debian > /dev/null
from=$(image from localhost/debian)
image copy -q "$from" "$(readlink -f "$(command -v node)")" /usr/local/bin/node > /dev/null
image copy -q "$from" "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" /usr/local/lib/npm > /dev/null
image run --isolation chroot "$from" -- ln -s ../lib/npm/bin/npm-cli.js /usr/local/bin/npm
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  image copy -q "$from" "$NODE_EXTRA_CA_CERTS" /etc/ca-of-host.pem > /dev/null
  image config --env NODE_EXTRA_CA_CERTS=/etc/ca-of-host.pem "$from"
fi
image commit -q "$from" localhost/node > /dev/null
image rm --all > /dev/null

echo 'Building the image …'
image bud -q --format docker --isolation chroot --build-arg NODE_IMAGE=localhost/node --build-arg BASE_IMAGE=localhost/debian --tag localhost/turnout . > /dev/null

container=$(image from localhost/turnout)
folder=$(image mount "$container")
size=$(du -sm "$folder" | cut -f 1)
echo "The image has $size MB."
[ "$size" -lt "$MOST_MB" ] || { echo "At most $MOST_MB are allowed."; exit 1; }

echo 'Starting a server in it …'
image run --isolation chroot --env PORT=$PORT --env SUDO_EMAIL=sudo@example.org --env 'SUDO_PASSWORD=operator 1' --env LIMITS=off \
  "$container" -- sh -c 'test "$(id -un)" = turnout && echo $$ > /tmp/pid && exec node dist/server/main.js' > "$work/server.log" 2>&1 &
server=$!
for _ in $(seq 90); do
  if curl -sf "http://127.0.0.1:$PORT/readyz" > /dev/null; then break; fi
  kill -0 "$server" || { cat "$work/server.log"; exit 1; }
  sleep 1
done
npm run -s texts
npx tsx test/image/smoke.ts "http://127.0.0.1:$PORT"

# The check that the image brings along, and what it may not write.
image run --isolation chroot --env PORT=$PORT "$container" -- node -e 'fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1))'
if image run --isolation chroot "$container" -- sh -c 'touch /opt/turnout/dist/x' 2> /dev/null; then
  echo 'The server may write its own files.'
  exit 1
fi
kill "$(cat "$folder/tmp/pid")"
wait "$server" || { echo 'The server did not end in order.'; exit 1; }
rm "$folder/tmp/pid"
echo 'The image works.'
