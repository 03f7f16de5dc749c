import type { CanonicalEvent, Tool } from '@piton/contracts';
import type { Disk, GuardedPlaces } from '../../src/built-in-guard/guarded-places.ts';

/** A machine on which Ann works at /code/app. */
export const PLACES: GuardedPlaces = {
  directories: ['/home/ann/.local/state/piton', '/home/ann/.config/piton', '/run/user/7/piton'],
  userFiles: ['/home/ann/.agent/settings.json', '/home/ann/.config/other/plugins/piton.js'],
  projectFiles: ['.agent/settings.json', '.agent/settings.local.json', '.shared/hooks/piton.json'],
  gitHooks: { names: ['post-commit'], mark: 'PITON WAS HERE' },
  shared: ['/home/ann', '/home/ann/.config', '/home/ann/.local/state'],
  variables: { HOME: '/home/ann', PITON_HOME: '/home/ann/.local/state/piton' },
  pids: [4711],
  agents: [{ programs: ['agent'], packages: ['@scope/agent'], options: ['--bare\\b', '--settings[ =].*off'], variables: ['AGENT_HOME'] }],
};

const FILES: Readonly<Record<string, string>> = {
  '/code/app/.git': '',
  '/code/app/.agent/settings.json': '{}',
  '/code/app/.shared/hooks/piton.json': '{}',
  '/code/app/.git/hooks/post-commit': '#!/bin/sh\n# PITON WAS HERE\n',
  '/code/app/.git/hooks/pre-push': '#!/bin/sh\n',
  '/code/bare/.git': '',
  '/home/ann/.agent/settings.json': '{}',
  '/home/ann/.config/other/plugins/piton.js': '',
};
const LINKS: Readonly<Record<string, string>> = {
  '/code/app/linked': '/code/app/.piton/hooks',
  '/code/app/short': '/home/ann/.agent',
  '/code/app/v2': '/code/app/.piton/hooks',
  '/code/app/1': '/code/app/.piton/settings.json',
};

export const DISK: Disk = {
  real(path) {
    const link = Object.keys(LINKS).find((each) => path === each || path.startsWith(`${each}/`));
    return link === undefined ? path : `${LINKS[link]}${path.slice(link.length)}`;
  },
  exists: (path) => Object.hasOwn(FILES, path),
  head: (path) => FILES[path] ?? '',
};

export function callOf(tool: Partial<Tool>, cwd = '/code/app'): CanonicalEvent {
  const whole: Tool = { name: 'Tool', nativeName: 'tool', kind: 'other', input: {}, files: [], ...tool };
  return {
    event: 'pre_tool_use',
    names: ['pre_tool_use'],
    agent: 'any',
    nativeEvent: 'Before',
    sessionId: 's',
    cwd,
    portable: {},
    raw: {},
    tool: whole,
  };
}

export const shell = (command: string, cwd?: string): CanonicalEvent => callOf({ name: 'Bash', kind: 'shell', command }, cwd);
