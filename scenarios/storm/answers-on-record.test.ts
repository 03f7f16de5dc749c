import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ask,
  createTestHome,
  eventually,
  killServers,
  pause,
  removeHome,
  runForwarder,
  seededRandom,
  selectAll,
  serverPids,
  type TestHome,
} from '@piton/testing';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';

const SENDERS = 8;
const EACH = 20;

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
});
afterEach(() => removeHome(home));

const GUARD = { name: 'guard', event: 'pre_tool_use', command: 'grep -q forbidden && { echo no >&2; exit 2; }; exit 0' };
const payload = (id: string, command: string) => ({
  ...{ session_id: `storm-${id}`, hook_event_name: 'PreToolUse', cwd: home.work },
  ...{ tool_name: 'Bash', tool_input: { command }, tool_use_id: id },
});

/** By the id of the call: whether it is on record as denied. Read by SQL of the test's own. */
function denials(): Map<unknown, boolean> {
  const rows = selectAll(
    home.places.store,
    `SELECT tool_use_id AS id, decision FROM events LEFT JOIN decisions USING (seq) WHERE derived = 0 AND tool_use_id IS NOT NULL`,
  );
  return new Map(rows.map(({ id, decision }) => [id, decision === 'deny']));
}

it.each([
  ['', {}],
  [', also by a stand-in for it', { fail_closed: true }],
])('what agents were told is on record, while the server is killed at random%s', { timeout: 600_000 }, async (_how, more) => {
  const random = seededRandom();
  console.log(`storm: PITON_SEED=${random.seed}`);
  writeFileSync(join(home.places.config, 'settings.json'), JSON.stringify({ hooks: [{ ...GUARD, ...more }] }));
  await runForwarder(home, 'SessionStart', { session_id: 'first', cwd: home.work });
  const told = new Map<unknown, boolean>();
  let running = true;
  // A test that ran out of time must not go on in the home of the next.
  onTestFinished(() => {
    running = false;
  });
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let number = 0; number < EACH && running; number++) {
      const id = `toolu_${sender}_${number}`;
      const { stdout } = await runForwarder(home, 'PreToolUse', payload(id, random.pick(['fine', 'forbidden'])));
      told.set(id, stdout.includes('"deny"'));
    }
  });
  const disturbance = (async () => {
    while (running) {
      await pause(100 + random.below(random.pick([300, 2500])));
      killServers(home);
      if (random.below(3) > 0) rmSync(join(home.places.environment, 'backoff'), { force: true });
    }
  })();
  await Promise.all(senders);
  running = false;
  await disturbance;
  rmSync(join(home.places.environment, 'backoff'), { force: true });
  // What a server had decided and could not say before it died may be on record as well: nobody can tell whether it was heard.
  const missing = (): unknown[] => {
    const recorded = denials();
    return [...told].filter(([id, deny]) => !(deny ? recorded.get(id) : recorded.has(id))).map(([id, deny]) => ({ id, told: deny }));
  };
  await eventually(async () => {
    if (serverPids(home).length === 0) spawnSync(home.places.forwarder, ['--serve']);
    await ask(home, 'POST', '/v1/flush');
    return missing().length === 0;
  }, 60_000);
  expect([...told.values()].filter(Boolean).length).toBeGreaterThan(0);
  expect(missing()).toEqual([]);
});
