import type { EventName } from '@piton/contracts';
import { expect, it } from 'vitest';
import { hooksAhead } from '../src/hooks-ahead.ts';
import { moments } from '../src/moment.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp() {
  let now = 100;
  const found: string[] = [];
  const registry = {
    hooksFor({ cwd, sessionRoot }: { cwd: string; sessionRoot: string | null }, names: readonly EventName[]) {
      found.push(`${cwd} ${sessionRoot} ${names.join()}`);
      return [];
    },
  };
  const ahead = hooksAhead(
    registry,
    moments(() => now),
  );
  const later = async (): Promise<void> => {
    await turn();
    now += 10;
  };
  return { ahead, later, taken: () => found.splice(0) };
}

it('finds the hooks of a place and of an event’s names once in a moment', async () => {
  const { ahead, later, taken } = setUp();
  ahead.hooksFor('/a', null, ['stop']);
  ahead.hooksFor('/a', null, ['stop']);
  ahead.hooksFor('/a', '/', ['stop']);
  ahead.hooksFor('/a', '/', ['pre_tool_use', 'pre_shell_execution']);
  expect(taken()).toEqual(['/a null stop', '/a / stop', '/a / pre_tool_use,pre_shell_execution']);
  await later();
  ahead.hooksFor('/a', '/', ['stop']);
  expect(taken()).toEqual(['/a / stop']);
});

it('looks ahead for the two latest kinds, and not for what was never asked', async () => {
  const { ahead, later, taken } = setUp();
  ahead.lookAhead();
  expect(taken()).toEqual([]);
  for (const name of ['stop', 'pre_tool_use', 'post_tool_use', 'pre_tool_use'] as const) ahead.hooksFor('/a', null, [name]);
  taken();
  await later();
  ahead.lookAhead();
  expect(taken()).toEqual(['/a null post_tool_use', '/a null pre_tool_use']);
  ahead.hooksFor('/a', null, ['post_tool_use']);
  ahead.hooksFor('/a', null, ['pre_tool_use']);
  expect(taken()).toEqual([]);
  ahead.hooksFor('/a', null, ['stop']);
  expect(taken()).toEqual(['/a null stop']);
});
