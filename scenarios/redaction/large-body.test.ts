import { ask, createTestHome, eventually, removeHome, runForwarder, selectAll, type TestHome } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

const MIB = 1024 * 1024;
const AGENTS = 4;
const EACH = 10;

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
});
afterEach(() => removeHome(home));

const large = () => {
  // Names without values, end to end: the slowest text that there is for a redactor.
  const text = 'token: '.repeat(Math.floor((32 * MIB - 1000) / 7));
  return {
    session_id: 'large',
    hook_event_name: 'PostToolUse',
    cwd: home.work,
    tool_name: 'Bash',
    tool_input: { command: 'cat' },
    tool_response: { stdout: text },
  };
};
const small = (agent: number, number: number) => ({
  session_id: `small-${agent}`,
  hook_event_name: 'PreToolUse',
  cwd: home.work,
  tool_name: 'Bash',
  tool_input: { command: `echo ${number}` },
  tool_use_id: `toolu_${agent}_${number}`,
});
const largeStored = (): boolean => selectAll(home.places.store, `SELECT count(*) AS n FROM events WHERE payload_size > ${MIB}`)[0]?.n === 1;

it('a body of 32 MiB that is being redacted holds up no other agent', { timeout: 240_000 }, async () => {
  await runForwarder(home, 'PreToolUse', small(0, 0));
  await ask(home, 'POST', '/v1/flush');
  expect((await runForwarder(home, 'PostToolUse', large())).code).toBe(0);
  let answered = 0;
  let meanwhile = 0;
  await Promise.all(
    Array.from({ length: AGENTS }, async (_, agent) => {
      for (let number = 1; number <= EACH; number++) {
        const { code, stderr } = await runForwarder(home, 'PreToolUse', small(agent, number));
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        answered += 1;
        if (!largeStored()) meanwhile += 1;
      }
    }),
  );
  expect(answered).toBe(AGENTS * EACH);
  // The large one was not even stored yet: nobody waited for it. How many more there are by then is a matter of the machine.
  expect(meanwhile).toBeGreaterThan(AGENTS);
  await eventually(() => largeStored(), 200_000);
  await ask(home, 'POST', '/v1/flush');
  const stored = selectAll(home.places.store, `SELECT count(*) AS n FROM events WHERE provider_ref LIKE 'small-%'`)[0]?.n;
  expect(stored).toBe(AGENTS * EACH + 1);
});
