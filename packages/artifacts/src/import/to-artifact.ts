import type { NativeHook } from '@piton/contracts';
import { stringify } from 'yaml';
import { filesRunBy, unwrapped } from '../shell/programs.ts';
import { readCommands } from '../shell/simple-commands.ts';
import { fromWorkingDirectory, withBundled } from './named-files.ts';
import { readsPayload } from './reads-payload.ts';

export interface ImportSource {
  readonly agent: { readonly id: string; readonly title: string };
  /** The file it comes from, as people know it. */
  readonly label: string;
  /** Words of the command that name a copied file, and its path in the folder. */
  readonly bundled: readonly { readonly written: string; readonly as: string }[];
  /** Lines before the command: what the agent would set for it. */
  readonly prelude?: string;
}

export type Imported =
  | { readonly ok: true; readonly name: string; readonly text: string; readonly notes: readonly string[] }
  | { readonly ok: false; readonly what: string; readonly why: string };

const LONGEST_MS = 600_000;

/** Converts a hook of an agent's configuration to an artifact. */
export function toArtifact(hook: NativeHook, { agent, label, bundled, prelude }: ImportSource): Imported {
  const reads = hook.bundled !== undefined || readsPayload(hook.command, hook.event);
  if (hook.shape === 'foreign' && reads)
    return {
      ok: false,
      what: `a hook on ${hook.place.nativeEvent}`,
      why: `it may read that event's native payload, which Piton does not get: rewrite it for ${hook.event}`,
    };
  const native = hook.shape === 'native' && reads;
  const written = hook.bundled === undefined ? withBundled(fromWorkingDirectory(hook.command), bundled) : hook.command;
  const command = prelude === undefined ? written : `${prelude}\n${written}`;
  const subject = subjectOf(hook.command);
  const when = {
    ...(hook.source !== undefined && { source: hook.source }),
    ...(hook.shellCommand !== undefined && { command: hook.shellCommand }),
    ...(hook.file !== undefined && { file: hook.file }),
    ...(hook.kind !== undefined && { kind: hook.kind }),
  };
  const fields = {
    type: 'hook',
    version: '1.0.0',
    description: hook.description ?? `Run ${subject} at ${hook.event}, as ${agent.title} did (imported from ${label}).`,
    tags: ['imported', agent.id],
    hook_event: hook.event,
    ...(hook.matcher !== undefined && { matcher: hook.matcher }),
    ...(Object.keys(when).length > 0 && { when }),
    timeout: Math.min(hook.timeoutMs, LONGEST_MS) / 1000,
    ...(hook.observe && { observe: true }),
    ...(hook.failClosed && { fail_closed: true }),
    ...(hook.disabled && { enabled: false }),
    ...(native && { wants: 'native' }),
    ...(hook.requires !== undefined && { runtime_requirements: { system_packages: [...hook.requires] } }),
    ...((native || hook.bound) && { target_harnesses: [agent.id] }),
    hook_action: command,
  };
  return {
    ok: true,
    name: slug(`${hook.event} ${hook.name ?? subject}`),
    text: `---\n${stringify(fields, { lineWidth: 0, version: '1.2' })}---\n\nImported from \`${label}\`.\n`,
    notes: [
      ...hook.notes,
      ...(hook.timeoutMs > LONGEST_MS ? ['its timeout was limited to ten minutes'] : []),
      ...(native ? [`it uses ${agent.title}'s native format, so it runs only there`] : []),
      ...(hook.disabled ? ['it was disabled there, and is disabled here'] : []),
    ],
  };
}

/** A short name of what it runs: the first program that is not part of the shell. */
function subjectOf(command: string): string {
  const names = readCommands(command).commands.flatMap((one) => {
    const [file] = filesRunBy(one);
    const program = file?.word.text ?? unwrapped(one).words[0]?.text;
    const name = program
      ?.split('/')
      .at(-1)
      ?.replace(/\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl)$/, '');
    return name && /\w/.test(name) && !name.startsWith('$') ? [name] : [];
  });
  return names.find((name) => !PLUMBING.has(name)) ?? names[0] ?? 'a command';
}
const PLUMBING = new Set(['cd', 'export', 'set', 'cat', 'read', 'test', '[', 'exit', 'true', 'for', 'case']);

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
