import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentDriver,
  agentCommand,
  CI_EDGES,
  DRIVERS,
  describeWhere,
  driverAt,
  isInstalled,
  type OtherVersion,
  RUN_LIMIT_MS,
  talk,
  type Workspace,
  whyNotIsolated,
} from '@piton/testing';
import { expect, test } from 'vitest';
import { configOf, newTestStage, piton, runWithPiton } from '../real-agents/setup.ts';

/** `npm run test:agents -- --versions` and `--newest` say which; otherwise the oldest of each agent. */
function chosen(): readonly OtherVersion[] {
  const named = process.env.PITON_AGENT_VERSIONS;
  if (named === undefined) return CI_EDGES;
  return named.split(',').flatMap((word) => {
    const [id, version] = word.split('@');
    return id && version ? [{ id, version }] : [];
  });
}

function addGuard(workspace: Workspace): void {
  const guard = join(workspace.state, 'guard');
  workspace.writeProgram(guard, '#!/bin/sh\ncase "$(cat)" in *forbidden*) echo TOKEN_GUARD keep away >&2; exit 2;; esac\n');
  workspace.write(join(configOf(workspace), 'settings.json'), {
    hooks: [{ name: 'guard', event: 'pre_tool_use', matcher: 'Bash', command: guard }],
  });
}

/** Where `piton init` and `status` find it. */
function putOnPath(driver: AgentDriver, workspace: Workspace): { PATH: string } {
  const bin = join(workspace.state, 'bin');
  mkdirSync(bin);
  symlinkSync(agentCommand(driver.pinned), join(bin, driver.pinned.command));
  return { PATH: `${bin}:${process.env.PATH}` };
}

interface Status {
  readonly agents: readonly { readonly version: string; readonly registrations: number; readonly canaries: readonly object[] }[];
}
interface StoredEvent {
  readonly event: string;
  readonly nativeEvent: string;
  readonly derived: boolean;
  readonly canary: boolean;
}

const EVENTS = piton('events', '--all', '--json', '--limit', '200');

for (const { id, version } of chosen()) {
  const driver = driverAt(DRIVERS.find((one) => one.pinned.id === id) as AgentDriver, version);
  const why = isInstalled(driver.pinned) ? whyNotIsolated() : 'not installed, run npm run test:agents';
  describeWhere(
    why,
    `real ${id}: at version ${version}`,
    () => {
      test('a deny holds with what init writes for it, the rest of the settings counts, and status hears it as the agent does', async () => {
        const workspace = newTestStage(driver);
        addGuard(workspace);
        const env = { PITON_ALLOW_UNDER_AGENT: '1', ...putOnPath(driver, workspace) };
        const { name, argv } = piton('status', '--json');
        // It ends with 1 where the agent wants its hooks trusted, which the drivers do by a flag.
        const status = { name, argv: ['sh', '-c', '"$@" || true', 'sh', ...argv] as const, env };
        const trust = { ...piton('init', '--agent', id, '--trust-hooks'), env };
        const facts = await runWithPiton(driver, workspace, {
          before: driver.trustsHooks ? [trust] : [],
          // Without it in the environment of `init` its version would not be known.
          initEnv: env,
          script: talk(driver.tools.shell('echo forbidden > bad.txt'), driver.tools.shell('echo fine > fine.txt'), { text: 'Finished.' }),
          after: [EVENTS, status],
        });
        const events = JSON.parse(facts.step(EVENTS.name).stdout) as readonly StoredEvent[];
        // The end of a session races with that of the agent, and is not always there in time.
        const isLate = ({ event, nativeEvent }: StoredEvent) => event === 'session_end' || (event === 'other' && nativeEvent === 'Stop');
        const counted = events.filter((event) => !event.derived && !event.canary && !isLate(event));
        const heard = [...new Set(counted.map(({ event }) => event))];
        const [seen] = (JSON.parse(facts.step(status.name).stdout) as Status).agents;
        expect(facts).toMatchObject({ timedOut: false, appeared: ['fine.txt'] });
        expect(seen).toMatchObject({ version, canaries: [{ canary: { arrived: true } }] });
        expect(heard).toContain('pre_tool_use');
        const row = {
          agent: id,
          version,
          registrations: seen?.registrations,
          told: facts.tokens.TOKEN_GUARD !== undefined,
          heard: heard.sort(),
        };
        const directory = process.env.PITON_VERSIONS_TO;
        if (directory !== undefined) writeFileSync(join(directory, `${id}-${version}.json`), JSON.stringify(row));
      });
    },
    RUN_LIMIT_MS,
  );
}
