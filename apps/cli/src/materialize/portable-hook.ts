import { type ConfinedLine, type Loss, type PortableHook, parseEventName, RUNTIME_CWD, RUNTIME_HOME } from '@piton/contracts';
import { ARTIFACT_FILE, bubblewrapped, type DeclaredHook, matcherFits, type SandboxProfile, textMatch } from '@piton/hooks';
import type { FoundArtifact } from './artifact.ts';

export type Portable =
  | { readonly ok: true; readonly hook: PortableHook; readonly losses: readonly Loss[] }
  | { readonly ok: false; readonly why: string };

const listOf = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as T];

/** Why no agent can run it natively. */
function whyNotPortable(hook: DeclaredHook): string | undefined {
  if (hook.shadow) return 'it is in shadow mode, and would be enforced without Piton: promote it first';
  if (!hook.enabled) return 'it is disabled ("enabled: false")';
  if (hook.module !== undefined) return 'a module runs only in Piton: use a script with hook_action';
  const conditions = (['command', 'file', 'input'] as const).filter((key) => hook.when?.[key] !== undefined);
  if (conditions.length > 0)
    return `"when.${conditions[0]}" is a condition on the call itself, which no agent checks. Check it in the script instead`;
  return undefined;
}

export function portableHook({ id, version, hook, bundled }: FoundArtifact & { readonly hook: DeclaredHook }): Portable {
  const why = whyNotPortable(hook) ?? readsTheCall(textsOf(hook, bundled));
  if (why !== undefined) return { ok: false, why };
  const event = parseEventName(hook.event);
  if (event === undefined) return { ok: false, why: `${hook.event} is an event that Piton emits: no agent has it` };
  const { matcher, when, sandbox } = hook;
  const sources = listOf(when?.source).map(textMatch);
  return {
    ok: true,
    hook: {
      id,
      name: hook.name,
      version,
      event,
      matcher,
      fits: (tool) => matcherFits({ event: 'pre_tool_use', matcher, failClosed: false }, tool),
      kinds: when?.kind === undefined ? null : listOf(when.kind),
      source: when?.source === undefined ? null : (source) => sources.some((match) => match.ok && match.test(source)),
      action: hook.command,
      timeoutMs: hook.timeoutMs,
      failClosed: hook.failClosed,
      observe: hook.observe,
      injectOutput: hook.injectOutput,
      native: hook.native === true,
      confinement: sandbox === undefined ? null : confinedLine(sandbox),
    },
    losses: [...groupLoss(hook), ...environmentLoss(textsOf(hook, bundled))],
  };
}

const groupLoss = ({ group }: DeclaredHook): Loss[] =>
  group === undefined ? [] : [{ field: 'group', what: 'the agent decides which hooks run in parallel' }];

/** Only what runs: test cases and the page may mention variables without reading them. */
const textsOf = ({ command }: DeclaredHook, bundled: FoundArtifact['bundled']): string[] => [
  command,
  ...bundled.filter(({ path }) => path !== ARTIFACT_FILE && !path.startsWith('tests/')).map(({ bytes }) => bytes.toString('latin1')),
];

/** Variables in which Piton passes the call. Without them a guard sees nothing and allows everything. */
const OF_THE_CALL = /\bPITON_TOOL_[A-Z]+|\$\{?TOOL_NAME\b/;

function readsTheCall(texts: readonly string[]): string | undefined {
  const [name] = texts.flatMap((text) => text.match(OF_THE_CALL) ?? []);
  if (name === undefined) return undefined;
  return `it reads ${name.replace(/^\$\{?/, '')}, which only Piton sets: without Piton it would see no call. Read the JSON on stdin instead`;
}

/** Variables that only Piton sets. */
const VARIABLE = /\bPITON_(?!ARTIFACT_DIR\b|AGENT\b|EVENT\b)[A-Z][A-Z_]+|\$\{?TOOL_NAME\b/g;

function environmentLoss(texts: readonly string[]): Loss[] {
  const names = [...new Set(texts.flatMap((text) => text.match(VARIABLE) ?? []))].map((name) => name.replace(/^\$\{?/, ''));
  return names.length === 0 ? [] : [{ field: 'environment', what: `it uses ${names.join(', ')}, which only Piton sets: empty there` }];
}

/** The command line that Piton would use, without what is known only at run time. */
export function confinedLine(profile: SandboxProfile): ConfinedLine {
  const line = bubblewrapped('bwrap', { profile, cwd: RUNTIME_CWD, home: RUNTIME_HOME, shown: [] }, []);
  const hidden = line.flatMap((word, at) => (line[at - 1] === '--tmpfs' ? [word] : []));
  const end = Math.max(line.lastIndexOf('--tmpfs') + 2, line.indexOf('/proc') + 1);
  const bind = line.find((word) => word === '--bind' || word === '--ro-bind') ?? '--ro-bind';
  return { head: line.slice(0, end), bind, hidden, tail: line.slice(end) };
}
