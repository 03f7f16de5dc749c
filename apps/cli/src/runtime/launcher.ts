export const LAUNCHER_NAME = 'piton';

/**
 * The command for the user's shell. It finds its runtime through any links to it, and uses the Node of that runtime, since the
 * PATH of an agent or a login shell may have none.
 */
export const LAUNCHER = `#!/bin/sh
at=$0
while [ -L "$at" ]; do
  to=$(readlink "$at")
  case $to in
  /*) at=$to ;;
  *) at=$(dirname "$at")/$to ;;
  esac
done
here=$(cd "$(dirname "$at")" && pwd -P) || exit 1
node=$(cat "$here/node" 2>/dev/null)
[ -x "$node" ] || node=node
exec "$node" "$here/cli.mjs" "$@"
`;
