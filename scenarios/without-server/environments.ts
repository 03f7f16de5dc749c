import { spawnSync } from 'node:child_process';

/** A place where no server answers. `enter` is shell that runs before the events; `$STATE`, `$CONFIG` and `$FORWARDER` are set. */
export interface Environment {
  readonly name: string;
  readonly enter: string;
  /** Runs in namespaces of its own, as the root of them. */
  readonly unshared?: true;
  /** The environment of each event. */
  readonly env?: Readonly<Record<string, string>>;
  /** Why something that denies elsewhere says nothing here, or denies what it would let pass. */
  readonly cannot?: { readonly guard?: string; readonly ask?: string };
}

const NO_SERVER = 'echo "process.exit(1);" > "$STATE/runtime/current/server.cjs"; rm -rf "$STATE/env"';

export const ENVIRONMENTS: readonly Environment[] = [
  { name: 'no server yet, and none can start', enter: NO_SERVER },
  { name: 'another namespace', enter: ':', unshared: true },
  { name: 'a read-only home', enter: 'mount --bind "$HOME" "$HOME" && mount -o remount,bind,ro "$HOME"', unshared: true },
  {
    name: 'no Node',
    enter: 'echo /nowhere/node > "$STATE/runtime/current/node"',
    env: { PATH: '/nowhere' },
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

/** Some machines forbid mounts even in a namespace of one's own. */
export const obstacleTo = ({ unshared }: Environment): string | null =>
  unshared && spawnSync('unshare', [...NAMESPACE, 'mount', '-t', 'tmpfs', 'none', '/mnt']).status !== 0
    ? 'user namespaces with mounts are not permitted here'
    : null;

export const commandFor = ({ unshared }: Environment, script: string): string[] => [
  ...(unshared ? ['unshare', ...NAMESPACE] : []),
  '/bin/sh',
  script,
];
