#!/bin/sh
# Runs one of the service's commands beside the running service, as its user and with its variables:
#   sudo ops/systemd/run.sh audit
#   sudo ops/systemd/run.sh rebuild
name=$1
shift
exec systemd-run --quiet --pipe --wait --collect --uid=tuckshop --gid=tuckshop \
  --working-directory=/opt/tuckshop --property=EnvironmentFile=/etc/tuckshop/tuckshop.env \
  --setenv=NODE_ENV=production --setenv=DATA_DIR=/var/lib/tuckshop \
  node "dist/server/$name-main.js" "$@"
