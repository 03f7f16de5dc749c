import { join } from 'node:path';
import { type AgentDriver, codexDriver, type Facts, type Room, type Story } from '@piton/testing';
import { newTestStage, runWithPiton as runAnyWithPiton } from '../real-agents/setup.ts';

/** A room in which Codex is known and Piton is not yet. */
export const newStage = (): Room => newTestStage(codexDriver);

/** A hook for every project of this user: it says one thing, and keeps what it read. */
export function addHook(room: Room, event: string, answer: object): void {
  const log = join(room.state, `${event}.log`);
  const said = `cat <<'ANSWER'\n${JSON.stringify(answer)}\nANSWER\n`;
  room.writeProgram(join(room.home, '.config/piton/hooks', event, 'hook'), `#!/bin/sh\n{ tr -d '\\n'; echo; } >> ${log}\n${said}`);
}

/** What the hooks of an event were told, call by call. */
export const toldTo = (room: Room, event: string) =>
  room.readLines(join(room.state, `${event}.log`)) as readonly Readonly<Record<string, unknown>>[];

export const runWithPiton = (room: Room, story: Story, driver: AgentDriver = codexDriver): Promise<Facts> =>
  runAnyWithPiton(driver, room, story);
