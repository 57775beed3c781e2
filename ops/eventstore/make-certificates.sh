#!/bin/sh
# Makes an authority and a certificate for the node of docker-compose.yml and each of compose.cluster.yml, with openssl,
# into a folder:
#   sh ops/eventstore/make-certificates.sh [folder]
# What is there stays as it is, so that a node can be added later. Ten years for the authority, two for a node: remove a
# node's folder, run this again and restart that node.
set -eu
folder=${1:-ops/eventstore/certificates}
# The container's user, whose keys these are.
owner=1000:1000

mkdir -p "$folder/ca"
chmod 700 "$folder"
if [ ! -e "$folder/ca/ca.crt" ]; then
  openssl req -x509 -newkey rsa:2048 -nodes -sha256 -days 3650 -subj '/CN=Tuckshop event store' \
    -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign,cRLSign' \
    -keyout "$folder/ca.key" -out "$folder/ca/ca.crt"
  chmod 600 "$folder/ca.key"
fi

for node in ${NODES:-eventstore eventstore1 eventstore2 eventstore3}; do
  [ ! -e "$folder/$node/node.crt" ] || continue
  mkdir -p "$folder/$node"
  # All nodes have one common name: it is how they know each other. They are reached by the other names.
  cat > "$folder/$node/extensions" <<END
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature,keyEncipherment
extendedKeyUsage=serverAuth,clientAuth
subjectAltName=DNS:$node,DNS:localhost,IP:127.0.0.1
END
  openssl req -newkey rsa:2048 -nodes -sha256 -subj '/CN=eventstoredb-node' \
    -keyout "$folder/$node/node.key" -out "$folder/$node/request"
  openssl x509 -req -sha256 -days 730 -in "$folder/$node/request" -CA "$folder/ca/ca.crt" -CAkey "$folder/ca.key" \
    -CAserial "$folder/ca.srl" -CAcreateserial -extfile "$folder/$node/extensions" -out "$folder/$node/node.crt"
  rm "$folder/$node/request" "$folder/$node/extensions"
  chmod 600 "$folder/$node/node.key"
  chown -R "$owner" "$folder/$node" 2>/dev/null || echo "As root: chown -R $owner $folder/$node"
done
