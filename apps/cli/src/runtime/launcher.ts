export const LAUNCHER_NAME = 'piton';

/**
 * The command for people's shells. It finds its runtime through whatever links lead to it, and the Node of that
 * runtime, since an agent's or a login shell's PATH may have none.
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
