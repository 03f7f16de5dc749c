import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askGitSync } from '@piton/git';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { hookPlaces } from '../locations.ts';
import { findHere, gitHere } from '../programs.ts';
import { HOOK_NAMESPACE, type SignedText } from './origin.ts';

export type Signature =
  | { readonly state: 'none' }
  /** By somebody in the person's list of signers. */
  | { readonly state: 'known'; readonly of: SignedText['of']; readonly who: string; readonly key: string }
  /** Whole, by a key that the list does not have. */
  | { readonly state: 'unknown'; readonly of: SignedText['of']; readonly key: string }
  | { readonly state: 'unchecked'; readonly of: SignedText['of']; readonly why: string }
  /** Not on these files. */
  | { readonly state: 'bad'; readonly of: SignedText['of']; readonly why: string };

const TIMEOUT_MS = 20_000;

/** Who may sign: a file of Piton's own, and that of git (`gpg.ssh.allowedSignersFile`), in its format. */
export function signersFiles(context: Context): string[] {
  const own = join(hookPlaces(context).config, 'allowed_signers');
  const gits = gitSetting(context, 'gpg.ssh.allowedSignersFile');
  return [own, ...(gits === undefined ? [] : [gits])].filter((file) => existsSync(file));
}

/** A path in the person's own configuration of git: asked for in the root directory, where no repository can answer. */
export function gitSetting(context: Context, name: string): string | undefined {
  const { code, stdout } = askGitSync(gitHere(context), ['config', '--type=path', '--get', name], { cwd: '/' });
  const value = stdout.toString().trim();
  return code === 0 && value !== '' ? value : undefined;
}

/** The best that can be said of these. One bad signature is worse than none. */
export function checkSignatures(context: Context, signed: readonly SignedText[]): Signature {
  const checked = signed.map((each) => check(context, each));
  const order = ['bad', 'known', 'unknown', 'unchecked'] as const;
  return order.flatMap((state) => checked.filter((each) => each.state === state))[0] ?? { state: 'none' };
}

function check(context: Context, { of, namespace, text, signature }: SignedText): Signature {
  if (!signature.startsWith('-----BEGIN SSH SIGNATURE-----'))
    return {
      state: 'unchecked',
      of,
      why: `it is ${signature.startsWith('-----BEGIN PGP ') ? 'one of PGP' : 'none'}; Piton reads those of ssh`,
    };
  const program = findHere(context, 'ssh-keygen');
  if (program === undefined) return { state: 'unchecked', of, why: 'ssh-keygen is not installed' };
  const directory = mkdtempSync(join(tmpdir(), 'piton-signature-'));
  try {
    const file = join(directory, 'sig');
    writeFileSync(file, signature, { mode: 0o600 });
    const revoked = gitSetting(context, 'gpg.ssh.revocationFile');
    const run = (action: string, ...args: readonly string[]) =>
      keygen(
        context,
        program,
        ['-Y', action, ...args, '-s', file, ...(action === 'find-principals' || revoked === undefined ? [] : ['-r', revoked])],
        text,
      );
    const whole = run('check-novalidate', '-n', namespace);
    const key = /\b[A-Z0-9-]+ key (SHA256:\S+)/.exec(whole.stdout)?.[1];
    if (whole.status !== 0 || key === undefined) return { state: 'bad', of, why: whole.stderr.trim().split('\n').at(-1) ?? '' };
    for (const signers of signersFiles(context))
      for (const who of run('find-principals', '-f', signers).stdout.split('\n').filter(Boolean))
        if (run('verify', '-n', namespace, '-f', signers, '-I', who).status === 0) return { state: 'known', of, who, key };
    return { state: 'unknown', of, key };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Signs as git does: by a key of ssh's, which may lie with the agent of ssh. */
export function signWith(context: Context, key: string, text: Buffer): string {
  const program = findHere(context, 'ssh-keygen');
  if (program === undefined) throw new Failure('ssh-keygen is not installed', { remedy: 'install OpenSSH' });
  const directory = mkdtempSync(join(tmpdir(), 'piton-sign-'));
  try {
    // Git takes a public key in place of a file; its other half lies with the agent.
    const literal = /^(?:key::)?((?:ssh|ecdsa|sk)-\S+ \S+.*)$/.exec(key)?.[1];
    const file = literal === undefined ? key : join(directory, 'key.pub');
    if (literal !== undefined) writeFileSync(file, `${literal}\n`, { mode: 0o600 });
    const { status, stdout, stderr } = keygen(context, program, ['-Y', 'sign', '-q', '-n', HOOK_NAMESPACE, '-f', file], text);
    if (status === 0) return stdout;
    throw new Failure(`ssh-keygen could not sign: ${stderr.trim().split('\n').at(-1) ?? ''}`, {
      where: literal ?? file,
      remedy: 'name a private key of ssh: --key ~/.ssh/id_ed25519',
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A passphrase is asked for on the terminal, by ssh-keygen itself, so signing takes as long as the person does. */
function keygen({ env }: Context, program: string, args: readonly string[], input: Buffer) {
  const timeout = args.includes('sign') ? undefined : TIMEOUT_MS;
  const { status, stdout, stderr, error } = spawnSync(program, args, { input, encoding: 'utf8', env: { ...env, LC_ALL: 'C' }, timeout });
  return { status, stdout: stdout ?? '', stderr: `${stderr ?? ''}${error?.message ?? ''}` };
}
