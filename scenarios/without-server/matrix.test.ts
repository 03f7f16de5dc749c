import { AGENTS } from '@piton/agents';
import { describeWhere } from '@piton/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { ASKERS, type Asker, FORMS, type Outcome, readPayload, shellPayload } from './agents.ts';
import { ENVIRONMENTS, type Environment, obstacleTo } from './environments.ts';
import { type Stage, sendEvents, setUp } from './setup.ts';

let stage: Stage | undefined;
afterEach(async () => {
  await stage?.end();
  stage = undefined;
});

it('asks for every agent, of the stand-in and of the last resort', () => {
  expect(ASKERS.map(({ agent }) => agent).sort()).toEqual(AGENTS.map(({ id }) => id).sort());
  const everywhere = ENVIRONMENTS.filter(({ everyAgent }) => everyAgent);
  expect(everywhere.map(({ cannot }) => cannot?.guard === undefined)).toEqual([true, false]);
});

interface Case {
  readonly askers: readonly Asker[];
  readonly payload: (asker: Asker) => string;
  readonly expected: Outcome;
}

/** Agent by agent, so that a failure names those that outcomes something else. */
async function expectReceived(here: Stage, environment: Environment, cases: Readonly<Record<string, Case>>): Promise<void> {
  const all = Object.entries(cases).flatMap(([about, { askers, payload, expected }]) =>
    askers.map((asker) => ({ cell: `${about}, ${asker.agent}`, asker, payload: payload(asker), expected })),
  );
  const outcomes = await sendEvents(here, environment, all);
  expect(Object.fromEntries(all.map(({ cell }, at) => [cell, outcomes[at]]))).toEqual(
    Object.fromEntries(all.map(({ cell, expected }) => [cell, expected])),
  );
}

describe('where no server answers', { timeout: 300_000 }, () => {
  for (const environment of ENVIRONMENTS) {
    const { name, cannot, everyAgent } = environment;
    const askers = everyAgent ? ASKERS : FORMS;
    describeWhere(obstacleTo(environment), name, () => {
      it('required hooks and the built-in guard hold, and let the rest pass', async () => {
        stage = await setUp('required');
        const { project, state } = stage;
        const shell = (command: string) => (asker: Asker) => shellPayload(asker, command, project);
        await expectReceived(stage, environment, {
          'a hook of the user': { askers, payload: shell('npm publish'), expected: 'denied' },
          'a hook of the project': { askers: FORMS, payload: shell('make deploy'), expected: 'denied' },
          'the built-in guard': { askers, payload: shell(`rm -rf ${state}`), expected: 'denied' },
          'nothing to deny': { askers: FORMS, payload: shell('ls'), expected: cannot?.ask === undefined ? 'nothing' : 'denied' },
        });
      });

      it('without a required hook nothing but the built-in guard says anything', async () => {
        stage = await setUp('none');
        const { project, state } = stage;
        await expectReceived(stage, environment, {
          'reading a file': { askers, payload: (asker) => readPayload(asker, project), expected: 'nothing' },
          'the built-in guard': {
            askers: FORMS,
            payload: (asker) => shellPayload(asker, `rm -rf ${state}`, project),
            expected: cannot?.guard === undefined ? 'denied' : 'nothing',
          },
        });
      });
    });
  }
});
