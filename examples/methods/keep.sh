#!/bin/sh
# The smallest method: gives back what it was given. Its one argument is the path of the request.
#   engine rollout --method command --program examples/methods/keep.sh --name keep --access "" --chains CHAINS --library LIB --out RUN
set -eu
folder=$(dirname "$1")
cp "$folder/input.glb" "$folder/output.glb"
