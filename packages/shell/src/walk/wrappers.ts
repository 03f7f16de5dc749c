import { isUncertain } from './marks.ts';

interface Wrapper {
  /** Options that take the next word. */
  readonly valued?: string;
  /** How many words of its own stand before the command. */
  readonly operands?: number;
  /** `NAME=value` may stand before the command. */
  readonly assigns?: true;
}

/** Programs that do nothing but start another. */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: { valued: '-u -g -h -p -C -T -r -t -D -R -U --user --group --host --prompt --chdir --chroot --role --type', assigns: true },
  doas: { valued: '-u -C' },
  env: { valued: '-u -C -S --unset --chdir --split-string', assigns: true },
  command: {},
  builtin: {},
  exec: { valued: '-a' },
  nohup: {},
  setsid: {},
  nice: { valued: '-n --adjustment' },
  ionice: { valued: '-c -n -p --class --classdata' },
  time: { valued: '-f -o --format --output' },
  timeout: { valued: '-s -k --signal --kill-after', operands: 1 },
  gtimeout: { valued: '-s -k', operands: 1 },
  stdbuf: { valued: '-i -o -e' },
  unbuffer: {},
  caffeinate: { valued: '-t -w' },
  chrt: { operands: 1 },
  taskset: { operands: 1 },
  chroot: { operands: 1 },
  strace: { valued: '-o -e -p -s' },
  ltrace: { valued: '-o -e -p -s' },
  unshare: { valued: '-S -G -R -w --root --wd --setuid --setgid --map-user --map-group' },
  nsenter: { valued: '-t --target -S --setuid -G --setgid' },
  setpriv: { valued: '--reuid --regid --groups --inh-caps --bounding-set --ambient-caps --securebits --pdeathsig' },
  'systemd-run': { valued: '-p -u -E -M --property --unit --setenv --machine --slice --working-directory' },
  prlimit: { valued: '-p --pid' },
  setarch: { operands: 1 },
  firejail: {},
  busybox: {},
  toybox: {},
  noglob: {},
  nocorrect: {},
  npx: { valued: '-p --package -c --call' },
  bunx: {},
  flock: { valued: '-w --timeout -E -c --command', operands: 1 },
};

export interface Unwrapped {
  readonly words: readonly string[];
  readonly assigned: readonly string[];
}

/** The command inside, or undefined where this starts none. */
export function unwrapped(program: string, args: readonly string[]): Unwrapped | undefined {
  const wrapper = Object.hasOwn(WRAPPERS, program) ? WRAPPERS[program] : undefined;
  // `command -v rm` only asks where it lies.
  if (!wrapper || (program === 'command' && /^-[vV]/.test(args[0] ?? ''))) return undefined;
  const valued = wrapper.valued?.split(' ') ?? [];
  const assigned: string[] = [];
  let operands = wrapper.operands ?? 0;
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') continue;
    if (valued.includes(arg)) at++;
    else if (arg.startsWith('-') && arg.length > 1 && !isUncertain(arg)) continue;
    else if (wrapper.assigns && /^[A-Za-z_]\w*=/.test(arg)) assigned.push(arg);
    else if (operands > 0) operands--;
    else break;
  }
  return at >= args.length ? undefined : { words: args.slice(at), assigned };
}
