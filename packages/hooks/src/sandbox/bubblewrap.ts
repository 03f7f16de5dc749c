import { type Confinement, hasNoNetwork, hidesHome, isBelow, writesNothing } from './profile.ts';

/**
 * A process namespace of its own, so that nothing of it outlives bubblewrap, which itself dies with whoever started it;
 * a session of its own, so that it cannot type into the agent's terminal; and no capability, not even for root.
 */
const ALWAYS = ['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--cap-drop', 'ALL'];

/** /etc/resolv.conf is a link to one of these on many systems: without them a hook with a network finds nobody. */
const RESOLVER = ['/run/systemd/resolve/stub-resolv.conf', '/run/systemd/resolve/resolv.conf', '/run/resolvconf/resolv.conf'];

/** The command line that runs `argv` confined on Linux. */
export function bubblewrapped(program: string, confinement: Confinement, argv: readonly string[]): string[] {
  const { profile, cwd, home, shown } = confinement;
  const readOnly = writesNothing(profile);
  const hidden = [
    ...(readOnly ? ['/tmp'] : []),
    // Sockets of daemons lie in /run: a way out that is no network interface, and that a read-only mount does not close.
    '/run',
    ...(hidesHome(profile) ? [home] : []),
  ];
  const again = [...new Set([cwd, ...shown])].filter((path) => hidden.some((place) => isBelow(path, place)));
  return [
    program,
    ...ALWAYS,
    ...(hasNoNetwork(profile) ? ['--unshare-net'] : []),
    ...[readOnly ? '--ro-bind' : '--bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...hidden.flatMap((place) => ['--tmpfs', place]),
    ...again.flatMap((path) => [readOnly ? '--ro-bind' : '--bind', path, path]),
    ...(hasNoNetwork(profile) ? [] : RESOLVER.flatMap((path) => ['--ro-bind-try', path, path])),
    ...(hidesHome(profile) ? ['--remount-ro', home] : []),
    ...(readOnly ? ['--setenv', 'TMPDIR', '/tmp'] : []),
    ...['--chdir', cwd, '--'],
    ...argv,
  ];
}
