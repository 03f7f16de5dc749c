const KEPT = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'SHELL'];

/** What everybody needs, and nothing of the agent that happened to start this process: no credentials. */
export function cleanEnvironment(): Record<string, string> {
  return Object.fromEntries(KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name] as string]])));
}
