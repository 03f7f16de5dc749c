import { describe, expect, it } from 'vitest';
import { opencode } from '../../src/opencode/index.ts';
import { opencodeApiSuite } from '../shared/opencode-api-suite.ts';
import { pluginFixtures } from '../shared/plugin-fixtures.ts';

const fixtures = pluginFixtures('opencode');
opencodeApiSuite(opencode, fixtures);

describe('a stop', () => {
  it('says that a run may end before it goes on', () => {
    const event = opencode.decode(fixtures.documented('session.idle'), { nativeEvent: 'session.idle', cwd: '/', variables: {} });
    const { answer, delivered } = opencode.encode(
      event,
      { decision: 'continue', verdict: 'observe', continue: 'go on' },
      { attended: false },
    );
    expect(JSON.parse(answer.stdout)).toEqual({ continue: 'go on' });
    expect(delivered).toMatchObject([{ decision: 'continue', how: 'degraded', note: expect.stringContaining('ends first') }]);
  });
});

describe('what another plugin was given', () => {
  it('is what ours sends, beside what only ours knows', () => {
    const byCall = (folder: RegExp) =>
      new Map(
        fixtures.recorded
          .filter(({ name, context }) => folder.test(name) && context.nativeEvent === 'tool.execute.before')
          .map(({ payload }) => {
            const { input, output } = payload as { input: { tool: string }; output: { args: object } };
            return [`${input.tool} ${Object.keys(output.args).sort()}`, Object.keys({ ...input, ...output }).sort()] as const;
          }),
      );
    const [ours, theirs] = [byCall(/^1\.18\.33\/\d/), byCall(/another-plugin/)];
    expect(ours.size).toBeGreaterThan(5);
    expect(ours).toEqual(theirs);
  });
});
