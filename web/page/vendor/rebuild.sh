#!/bin/sh
# Rebuilds the libraries of this folder from the npm registry; only a developer of the pages needs
# it (Node.js, npm). HASHES holds what the tests compare with.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/three_subset.js" "$work"
cd "$work"
npm init --yes >/dev/null
npm install --silent three@0.187.0 uplot@1.6.32 esbuild@0.25.12
npx esbuild three_subset.js --bundle --minify --format=esm --legal-comments=inline \
    --outfile="$here/three.min.js"
cp node_modules/uplot/dist/uPlot.iife.min.js "$here/uplot.min.js"
cp node_modules/uplot/dist/uPlot.min.css "$here/uplot.min.css"
cp node_modules/three/LICENSE "$here/three.LICENSE"
cp node_modules/uplot/LICENSE "$here/uplot.LICENSE"
cd "$here"
sha256sum three.min.js uplot.min.js uplot.min.css three.LICENSE uplot.LICENSE >HASHES
