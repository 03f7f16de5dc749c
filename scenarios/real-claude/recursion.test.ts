import { join } from 'node:path';
import { agentCommand, bash, claudeDriver, describeReal } from '@piton/testing';
import { expect, test } from 'vitest';
import { addUserHook, configOf, newStage, readEvents, runsOf, runWithPiton, storedEvents } from './setup.ts';

const CLAUDE = agentCommand(claudeDriver.pinned);

describeReal('claude', 'a hook that calls the agent', () => {
  test('claude -p in a hook does not call the hook again; only fail_closed hooks still hold there', async () => {
    const room = newStage();
    addUserHook(
      room,
      'pre-tool-use',
      `#!/bin/sh
cat > /dev/null
echo ran >> ${room.state}/asked
[ "$(wc -l < ${room.state}/asked)" -lt 6 ] || exit 0
'${CLAUDE}' -p 'SIDEJOB please' --model claude-sonnet-4-5 --strict-mcp-config < /dev/null > ${room.state}/child.out 2>&1
echo "{\\"decision\\":\\"replace\\",\\"content\\":\\"TOKEN_$(cat ${room.state}/child.out)\\"}"
`,
    );
    room.writeProgram(join(room.state, 'policy'), `#!/bin/sh\ncase "$(cat)" in *forbidden*) echo TOKEN_POLICY >&2; exit 2;; esac\n`);
    room.write(join(configOf(room), 'settings.json'), {
      hooks: [{ name: 'policy', event: 'pre_tool_use', command: join(room.state, 'policy'), fail_closed: true }],
    });
    const facts = await runWithPiton(room, {
      script: [
        { name: 'main', turns: [bash('echo a > a.txt'), { text: 'Finished.' }] },
        { name: 'child', match: 'SIDEJOB', turns: [bash('echo b > b.txt'), bash('echo forbidden > c.txt'), { text: 'FROMCHILD' }] },
      ],
      after: [readEvents],
    });
    expect(runsOf(room, 'asked')).toBe(1);
    expect(facts.requests.map((request) => request.conversation)).toEqual(['main', 'child', 'child', 'child', 'main']);
    expect(facts.appeared).toEqual(['a.txt', 'b.txt']);
    expect(facts.tokens.TOKEN_POLICY).toBeDefined();
    expect(facts.tokens.TOKEN_FROMCHILD?.[0]).toBe(4);
    // What the child did is recorded as the child's.
    const calls = storedEvents(facts).filter((event) => event.nativeEvent === 'PreToolUse' && !event.derived);
    expect(calls.map((event) => event.depth).sort()).toEqual([0, 1, 1]);
  });
});
