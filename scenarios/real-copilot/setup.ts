import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BedStep, copilotDriver, createRoom, type Facts, type Room, runAgent, type Story } from '@piton/testing';
import { onTestFinished } from 'vitest';

const CLI = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url));

/** A room in which Copilot CLI is known and Piton is not yet. */
export function newStage(): Room {
  if (!existsSync(CLI)) throw new Error(`${CLI} is not built: run npm run build`);
  const room = createRoom();
  if (process.env.PITON_KEEP_ROOMS) console.warn(`room kept: ${room.root}`);
  else onTestFinished(() => room.remove());
  copilotDriver.prepare(room);
  return room;
}

export const piton = (...args: readonly string[]): BedStep => ({
  name: ['piton', ...args].join(' '),
  argv: [process.execPath, CLI, ...args],
});
export const FOR_USER = piton('init', '--agent', 'copilot', '--yes');
export const FOR_PROJECT = piton('init', '--project', '--agent', 'copilot', '--yes');

/** Copilot CLI with Piton. A step that fails is a broken test, not a finding. */
export async function runWithPiton(room: Room, story: Story, before: readonly BedStep[] = [FOR_USER]): Promise<Facts> {
  const facts = await runAgent(copilotDriver, room, { ...story, before });
  for (const { name } of before) {
    const { exit, stdout, stderr } = facts.step(name);
    if (exit !== 0) throw new Error(`${name} ended with ${exit}\n${stdout}\n${stderr}`);
  }
  return facts;
}

/** A hook for every project of this user: it says one thing, or nothing, and keeps what it read. */
export function addHook(room: Room, event: string, answer?: object): void {
  const said = answer === undefined ? '' : `cat <<'ANSWER'\n${JSON.stringify(answer)}\nANSWER\n`;
  const keep = `{ tr -d '\\n'; echo; } >> ${join(room.state, `${event}.log`)}`;
  room.writeProgram(join(room.home, '.config/piton/hooks', event, 'hook'), `#!/bin/sh\n${keep}\n${said}`);
}

interface Told {
  readonly hook_event_name: string;
  readonly tool_name?: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** What the hooks of an event were told, call by call. */
export const toldTo = (room: Room, event: string) => room.readLines(join(room.state, `${event}.log`)) as readonly Told[];
