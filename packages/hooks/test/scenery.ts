import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CanonicalEvent, type EventName, namesFor, type ToolKind } from '@piton/contracts';
import { onTestFinished } from 'vitest';
import type { DecideOptions, HookDefinition, RunResult, Spawn } from '../src/index.ts';
import { runCommand } from '../src/run/index.ts';

/** A hook with nothing special about it. */
export function hookOf(parts: Partial<HookDefinition> = {}): HookDefinition {
  return {
    id: `user:settings/${parts.name ?? 'plain'}`,
    name: 'plain',
    scope: 'user',
    event: 'pre_tool_use',
    source: '/somewhere/settings.json',
    argv: ['/bin/sh', '-c', ':'],
    env: {},
    matcher: '',
    timeoutMs: 30_000,
    enabled: true,
    observe: false,
    failClosed: false,
    injectOutput: undefined,
    may: ['allow', 'modify'],
    root: null,
    status: { kind: 'ready' },
    ...parts,
  };
}

export const shellHook = (name: string, script: string, parts: Partial<HookDefinition> = {}): HookDefinition =>
  hookOf({ name, id: `user:settings/${name}`, argv: ['/bin/sh', '-c', script], ...parts });

export function toolEvent(event: EventName, name: string, input: Record<string, unknown>, kind: ToolKind = 'shell'): CanonicalEvent {
  return {
    event,
    names: namesFor(event, kind),
    agent: 'claude',
    nativeEvent: 'PreToolUse',
    sessionId: 's-1',
    cwd: realpathSync(tmpdir()),
    portable: { tool_name: name, tool_input: input },
    raw: { hook_event_name: 'PreToolUse', tool_name: name, tool_input: input },
    tool: {
      name,
      nativeName: name,
      kind,
      input,
      files: typeof input.file_path === 'string' ? [input.file_path] : [],
      ...(typeof input.command === 'string' && { command: input.command }),
    },
  };
}

export function plainEvent(event: EventName): CanonicalEvent {
  return {
    event,
    names: [event],
    agent: 'claude',
    nativeEvent: event,
    sessionId: 's-1',
    cwd: realpathSync(tmpdir()),
    portable: {},
    raw: {},
  };
}

/** Runs what it is told as real processes. */
export const realSpawn: Spawn = (request) => runCommand({ ...request, id: 1, stdin: Buffer.from(request.stdin) });

export function optionsOf(event: CanonicalEvent, hooks: readonly HookDefinition[], parts: Partial<DecideOptions> = {}): DecideOptions {
  return {
    event,
    hooks,
    context: { eventId: '01J0000000000000000000000A', repo: null, branch: null, transcriptFormat: null },
    budgetMs: 20_000,
    secrets: [],
    depth: 0,
    run: 'run-1',
    spawn: realSpawn,
    now: () => performance.now(),
    elapsedUs: () => 0,
    deniable: true,
    projectDir: event.cwd,
    ...parts,
  };
}

export function resultOf(
  parts: { exitCode?: number; stdout?: string; stderr?: string } & Partial<Omit<RunResult, 'stdout' | 'stderr'>> = {},
): RunResult {
  const { stdout = '', stderr = '', ...rest } = parts;
  return {
    exitCode: 0,
    timedOut: false,
    stdoutCut: false,
    stderrCut: false,
    notStarted: false,
    durationUs: 1000n,
    ...rest,
    stdout: Buffer.from(stdout),
    stderr: Buffer.from(stderr),
  };
}

/** A directory of its own, gone after the test. */
export function temporary(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'piton-hooks-')));
  onTestFinished(() => {
    chmodTree(directory);
    rmSync(directory, { recursive: true, force: true });
  });
  return directory;
}

export function put(path: string, text: string, mode = 0o644): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

export const script = (path: string, body: string): string => put(path, `#!/bin/sh\n${body}\n`, 0o755);

/** Trusted copies are read-only, for us as well. */
function chmodTree(directory: string): void {
  chmodSync(directory, 0o700);
  for (const entry of readdirSync(directory, { withFileTypes: true })) if (entry.isDirectory()) chmodTree(join(directory, entry.name));
}

/** JSON is enough where a test is not about comments. */
export function parseSettings(text: string): { value: unknown; errors: readonly string[] } {
  try {
    return { value: JSON.parse(text), errors: [] };
  } catch (error) {
    return { value: undefined, errors: [(error as Error).message] };
  }
}
