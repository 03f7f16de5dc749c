import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pathWithBubblewrap } from '@piton/testing';

/** A place where no server answers. `enter` is shell that runs before the events; `$STATE`, `$CONFIG` and `$FORWARDER` are set. */
export interface Environment {
  readonly name: string;
  readonly enter: string;
  /** Runs in namespaces of its own, as the root of them. */
  readonly unshared?: true;
  /** Runs inside bubblewrap, which a person may put around an agent: everything is read-only, the home first of all. */
  readonly confined?: true;
  /** Runs in a mount namespace of the real root: only there can a file have another owner. */
  readonly asRoot?: true;
  /** The environment of each event. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Where every agent is asked: one place for each of the two that answer without a server, the stand-in and the last resort. What
   * an agent's answer looks like does not depend on the place; elsewhere one of each form is enough.
   */
  readonly everyAgent?: true;
  /** Why something that denies elsewhere says nothing here, or denies what it would let pass. */
  readonly cannot?: { readonly guard?: string; readonly ask?: string };
}

const NO_SERVER = 'echo "process.exit(1);" > "$STATE/runtime/current/server.cjs"; rm -rf "$STATE/env"';

export const ENVIRONMENTS: readonly Environment[] = [
  { name: 'no server yet, and none can start', enter: NO_SERVER, everyAgent: true },
  { name: 'another namespace', enter: ':', unshared: true },
  { name: 'a read-only home', enter: 'mount --bind "$HOME" "$HOME" && mount -o remount,bind,ro "$HOME"', unshared: true },
  {
    name: 'no Node',
    enter: 'echo /nowhere/node > "$STATE/runtime/current/node"',
    env: { PATH: '/nowhere' },
    everyAgent: true,
    cannot: {
      guard: 'the built-in guard is a program for Node; a deny of every call, for it alone, would stop every agent whose Node was removed',
      ask: 'nobody can ask the required hook, so every call on which it could be asked is denied',
    },
  },
  {
    name: 'a socket directory of another user',
    // The owner is mapped to nobody in the namespace; where chown is not allowed, a directory that others may enter is no better.
    enter: `foreign="$HOME/foreign"; mkdir "$foreign" && chmod 777 "$foreign"
sockets=$(dirname "$("$FORWARDER" --where | tail -n 1)"); mkdir -p "$sockets" && mount --bind "$foreign" "$sockets"`,
    unshared: true,
  },
  {
    name: 'inside bubblewrap, with a read-only home',
    enter: '! touch "$HOME/x" 2>/dev/null && ! touch "$STATE/x" 2>/dev/null',
    confined: true,
  },
  {
    name: 'a socket directory that another user made first',
    enter: `sockets=$(dirname "$("$FORWARDER" --where | tail -n 1)"); mkdir -p "$sockets"
mount -t tmpfs -o uid=12345,mode=755 none "$sockets" && [ "$(stat -c %u "$sockets")" = 12345 ]`,
    asRoot: true,
  },
  {
    name: 'a full disk, and no server can start',
    enter: `${NO_SERVER}; mkdir "$HOME/small" && mount -t tmpfs -o size=200m none "$HOME/small" && cp -a "$STATE/." "$HOME/small/" &&
mount --bind "$HOME/small" "$STATE" && { head -c 400m /dev/zero > "$STATE/filler" 2>/dev/null; ! echo x > "$STATE/more" 2>/dev/null; }`,
    unshared: true,
  },
  {
    name: 'what an older runtime left, and no server can start',
    enter: `${NO_SERVER}; rm -rf "$STATE/last-resort"; old="$("$FORWARDER" --where | sed -n 2p)"; mkdir -p "$old/deny"
echo '{"version":1,"hooks":[]}' > "$old/registry.json"`,
  },
  {
    // A server that runs in such a place reads what it sees there.
    name: 'a configuration that cannot be seen, and no server can start',
    enter: `${NO_SERVER}; mkdir -p "$CONFIG" && mount -t tmpfs none "$(dirname "$CONFIG")"`,
    unshared: true,
    cannot: { ask: 'whether the required hook is still there cannot be seen, so every call on which it could be asked is denied' },
  },
];

const NAMESPACE = ['--user', '--map-root-user', '--mount'];

const OTHER_USERS = ['--mount'];
const BUBBLEWRAP = ['--ro-bind', '/', '/', '--dev-bind', '/dev', '/dev', '--unshare-user', '--die-with-parent'];

const works = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

/** Some machines forbid mounts even in a namespace of one's own. */
export function obstacleTo({ unshared, confined, asRoot }: Environment): string | null {
  if (unshared && !works('unshare', ...NAMESPACE, 'mount', '-t', 'tmpfs', 'none', '/mnt'))
    return 'user namespaces with mounts are not permitted here';
  if (confined && bubblewrap() === undefined) return 'bubblewrap is not here, run node scripts/bubblewrap.mjs';
  if (confined && !works(bubblewrap() ?? '', ...BUBBLEWRAP, '/bin/true')) return 'bubblewrap may not make namespaces here';
  if (asRoot && !works('unshare', ...OTHER_USERS, 'sh', '-c', 'mount -t tmpfs none /mnt && touch /mnt/x && chown 12345 /mnt/x'))
    return 'only root can make a directory of another user';
  return null;
}

const bubblewrap = (): string | undefined =>
  pathWithBubblewrap()
    ?.split(delimiter)
    .map((place) => join(place, 'bwrap'))
    .find((file) => existsSync(file));

export function commandFor({ unshared, confined, asRoot }: Environment, script: string): string[] {
  if (unshared) return ['unshare', ...NAMESPACE, '/bin/sh', script];
  if (asRoot) return ['unshare', ...OTHER_USERS, '/bin/sh', script];
  // The home may lie below /dev, as temporary directories do.
  const home = dirname(script);
  return confined ? [bubblewrap() ?? '', ...BUBBLEWRAP, '--ro-bind', home, home, '/bin/sh', script] : ['/bin/sh', script];
}
