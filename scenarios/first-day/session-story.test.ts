import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claude, fire } from './payloads.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

let box: Sandbox;
beforeAll(async () => {
  box = sandbox();
  const cwd = box.repository();
  await box.piton(['init', '--agent', 'claude']);
  box.write(
    join(box.config, 'hooks/pre-tool-use/10-guard'),
    '#!/bin/sh\ncase "$PITON_TOOL_COMMAND" in *secret*) echo "leave it alone" >&2; exit 2 ;; esac\n',
    0o755,
  );
  const failed = { ...claude.shell('one', cwd, 'npm test', 'b'), hook_event_name: 'PostToolUseFailure', error: 'Exit code 1\n3 failed' };
  const ran = { ...claude.shell('one', cwd, 'npm run build', 'c'), hook_event_name: 'PostToolUse', tool_response: { stdout: 'done' } };
  const unannounced = { ...claude.shell('one', cwd, 'npm run lint', 'd'), hook_event_name: 'PostToolUse', tool_response: { stdout: '' } };
  for (const payload of [
    claude.start('one', cwd),
    claude.prompt('one', cwd, 'test it'),
    claude.shell('one', cwd, 'cat secret', 'a'),
    claude.shell('one', cwd, 'npm test', 'b'),
    failed,
    claude.shell('one', cwd, 'npm run build', 'c'),
    ran,
    unannounced,
    claude.stop('one', cwd),
  ])
    await fire(box, payload);
});
afterAll(() => box.end());

describe('a session', () => {
  it('shows each call once, with who denied it and why, and which failed', async () => {
    const { stdout } = await box.piton(['sessions', 'show', '@']);
    expect(stdout.slice(stdout.indexOf('“')).split('\n')).toEqual([
      '“test it”',
      '  ✗ Bash: cat secret',
      '    denied by 10-guard: leave it alone',
      '  ✗ Bash: npm test  failed',
      '  • Bash: npm run build',
      '  • Bash: npm run lint',
      '',
    ]);
  });

  it('has a ledger whose events can be shown by the ID that stands there, and says how much of it is shown', async () => {
    const rows = (await box.piton(['sessions', 'ledger', '@'])).stdout.trimEnd().split('\n');
    expect(rows.at(-1)).toMatch(/^4 facts\. The event of one: .* events show <id>$/);
    for (const row of rows.slice(1, -1)) {
      const id = row.split(' ').at(-1) ?? '';
      const [, what = '?'] = /(cat secret|npm \w+(?: \w+)?)/.exec(row) ?? [];
      const shown = await box.json<{ tool: { command: string } }>(['events', 'show', id]);
      expect([id, what.startsWith(shown.tool.command)]).toEqual([id, true]);
    }
    const some = (await box.piton(['sessions', 'ledger', '@', '--limit', '2'])).stdout.trimEnd().split('\n');
    expect(some).toHaveLength(4);
    expect(some.at(-1)).toContain('The last 2 facts. More: --limit 20.');
  });
});
