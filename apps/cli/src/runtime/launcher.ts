import { COMMAND_NAME } from '@piton/contracts/command';

export const LAUNCHER_NAME = COMMAND_NAME;

/**
 * The command for the user's shell. It finds its runtime through any links to it, and uses the Node of that runtime, since the
 * PATH of an agent or a login shell may have none. Where that one has gone, it is a person's command like any other: their PATH finds
 * Node. Only for a link it needs a program, the system's own, whatever PATH has.
 */
export const LAUNCHER = `#!/bin/sh
case $0 in
/*) at=$0 ;;
*) at=./$0 ;;
esac
while [ -L "$at" ]; do
  to=$(command -p readlink "$at")
  case $to in
  /*) at=$to ;;
  *) at=\${at%/*}/$to ;;
  esac
done
here=$(cd "\${at%/*}/" && pwd -P) || exit 1
node=
[ -r "$here/node" ] && read -r node < "$here/node"
[ -x "$node" ] || node=node
exec "$node" "$here/cli.mjs" "$@"
`;
