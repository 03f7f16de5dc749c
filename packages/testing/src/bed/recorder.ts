import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { addClaudeHooks, type ClaudeHook } from './claude.ts';
import type { Room } from './room.ts';

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

const directoryOf = (room: Room): string => join(room.state, 'recorded');

/** Registers the recorder with Claude Code, next to other hooks. It answers nothing. */
export function recordClaude(room: Room, events: readonly string[]): void {
  const path = join(room.state, 'recorder');
  room.writeProgram(path, program(directoryOf(room)));
  room.write(join(directoryOf(room), '.keep'), '');
  const hook = (event: string): ClaudeHook => ({ type: 'command', command: path, args: [event], timeout: 20 });
  addClaudeHooks(room, Object.fromEntries(events.map((event) => [event, [hook(event)]])));
}

export function recorded(room: Room): Recording[] {
  return readdirSync(directoryOf(room))
    .filter((name) => name.endsWith('.call'))
    .sort()
    .map((name) => {
      const text = room.read(join(directoryOf(room), name)) ?? '';
      const [event = '', cwd = ''] = text.split('\n', 2);
      return { event, cwd, payload: JSON.parse(text.slice(event.length + cwd.length + 2)) as Recording['payload'] };
    });
}

/** Writes recordings as fixtures: `NN-Event.json`, with paths of the run replaced by variables. */
export function writeRecording(room: Room, directory: string): void {
  const places = [
    [room.repo, '$REPO'],
    [room.home, '$HOME'],
    [room.state, '$STATE'],
    [room.root, '$RUN'],
  ] as const;
  // Claude Code turns paths into names: every other character becomes a dash.
  const swaps = places.flatMap(([path, name]) => [[path, name] as const, [path.replace(/[^A-Za-z0-9]/g, '-'), name] as const]);
  for (const [i, call] of recorded(room).entries()) {
    const text = swaps.reduce(
      (all, [path, name]) => all.replaceAll(path, name),
      JSON.stringify({ event: call.event, cwd: call.cwd, stdin: call.payload }, null, 2),
    );
    room.write(join(directory, `${String(i + 1).padStart(2, '0')}-${call.event}.json`), `${text}\n`);
  }
}
