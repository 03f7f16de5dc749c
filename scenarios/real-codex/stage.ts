import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AgentDriver, codexDriver, createRoom, type Facts, type Room, runAgent, type Step, type Story } from '@piton/testing';
import { onTestFinished } from 'vitest';

const CLI = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url));

/** A room in which Codex is known and Piton is not yet. */
export function newStage(): Room {
  if (!existsSync(CLI)) throw new Error(`${CLI} is not built: run npm run build`);
  const room = createRoom();
  if (process.env.PITON_KEEP_ROOMS) console.warn(`room kept: ${room.root}`);
  else onTestFinished(() => room.remove());
  codexDriver.prepare(room);
  return room;
}

/** The command, as a step inside the run. */
export const piton = (...args: readonly string[]): Step => ({ name: ['piton', ...args].join(' '), argv: [process.execPath, CLI, ...args] });

/** A hook for every project of this user: it says one thing, and keeps what it read. */
export function addHook(room: Room, event: string, answer: object): void {
  const log = join(room.state, `${event}.log`);
  const said = `cat <<'ANSWER'\n${JSON.stringify(answer)}\nANSWER\n`;
  room.writeProgram(join(room.home, '.config/piton/hooks', event, 'hook'), `#!/bin/sh\n{ tr -d '\\n'; echo; } >> ${log}\n${said}`);
}

/** What the hooks of an event were told, call by call. */
export const toldTo = (room: Room, event: string) =>
  room.readLines(join(room.state, `${event}.log`)) as readonly Readonly<Record<string, unknown>>[];

/** Codex with Piton installed for the user. A step that fails is a broken test, not a finding. */
export async function runWithPiton(room: Room, story: Story, driver: AgentDriver = codexDriver): Promise<Facts> {
  const before = [piton('init', '--agent', 'codex', '--yes'), ...(story.before ?? [])];
  const facts = await runAgent(driver, room, { ...story, before });
  for (const step of before) {
    const { exit, stdout, stderr } = facts.step(step.name);
    if (exit !== 0) throw new Error(`${step.name} ended with ${exit}\n${stdout}\n${stderr}`);
  }
  return facts;
}
