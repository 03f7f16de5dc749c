import { readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';

const orNothing = (): undefined => undefined;

/** Paths as this machine has them. The calls run on threads of their own: a mount that hangs holds up none of ours. */
export const pathPorts = () => ({
  home: homedir(),
  links: {
    patienceMs: 2000,
    realpath: (path: string) => realpath(path).catch(orNothing),
    readlink: (path: string) => readlink(path).catch(orNothing),
  },
});
