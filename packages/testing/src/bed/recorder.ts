import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { addClaudeHooks, type ClaudeHook } from './drivers/claude.ts';
import type { Workspace } from './workspace.ts';

/** What an agent sent to a hook, recorded by a program that is not part of Piton. */
export interface Recording {
  readonly event: string;
  readonly cwd: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Each call writes separate files, because many run at once. The names sort by time. */
const program = (directory: string): string => `#!/bin/sh
name="${directory}/$(date +%s%N).$$"
{ printf '%s\\n%s\\n' "$1" "$PWD"; cat; } > "$name.part"
mv "$name.part" "$name.call"
`;

const directoryOf = (workspace: Workspace): string => join(workspace.state, 'recorded');

/** Registers the recorder with Claude Code, next to other hooks. It answers nothing. */
export function recordClaude(workspace: Workspace, events: readonly string[]): void {
  const path = join(workspace.state, 'recorder');
  workspace.writeProgram(path, program(directoryOf(workspace)));
  workspace.write(join(directoryOf(workspace), '.keep'), '');
  const hook = (event: string): ClaudeHook => ({ type: 'command', command: path, args: [event], timeout: 20 });
  addClaudeHooks(workspace, Object.fromEntries(events.map((event) => [event, [hook(event)]])));
}

export function recorded(workspace: Workspace): Recording[] {
  return readdirSync(directoryOf(workspace))
    .filter((name) => name.endsWith('.call'))
    .sort()
    .map((name) => {
      const text = workspace.read(join(directoryOf(workspace), name)) ?? '';
      const [event = '', cwd = ''] = text.split('\n', 2);
      return { event, cwd, payload: JSON.parse(text.slice(event.length + cwd.length + 2)) as Recording['payload'] };
    });
}

/** Writes recordings as fixtures: `NN-Event.json`, with paths of the run replaced by variables. */
export function writeRecording(workspace: Workspace, directory: string): void {
  const places = [
    [workspace.repo, '$REPO'],
    [workspace.home, '$HOME'],
    [workspace.state, '$STATE'],
    [workspace.root, '$RUN'],
  ] as const;
  // Claude Code turns paths into names: every other character becomes a dash.
  const swaps = places.flatMap(([path, name]) => [[path, name] as const, [path.replace(/[^A-Za-z0-9]/g, '-'), name] as const]);
  for (const [i, call] of recorded(workspace).entries()) {
    const text = swaps.reduce(
      (all, [path, name]) => all.replaceAll(path, name),
      JSON.stringify({ event: call.event, cwd: call.cwd, stdin: call.payload }, null, 2),
    );
    workspace.write(join(directory, `${String(i + 1).padStart(2, '0')}-${call.event}.json`), `${text}\n`);
  }
}
