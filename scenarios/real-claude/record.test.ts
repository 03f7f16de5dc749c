import {
  bash,
  broadSession,
  claudeDriver,
  describeReal,
  type Facts,
  recordClaude,
  recorded,
  runAgent,
  talk,
  type Workspace,
} from '@piton/testing';
import { expect, test } from 'vitest';
import {
  addUserHook,
  livePayloads,
  newStage,
  REGISTERED,
  readEvents,
  recordedPayloads,
  runWithPiton,
  saying,
  storedEvents,
} from './setup.ts';

/** All that the model read, without what differs from run to run. */
function readByModel(facts: Facts, workspace: Workspace): unknown {
  const slug = workspace.root.replace(/[^A-Za-z0-9]/g, '-');
  const clean = (text: string): string =>
    text
      .replaceAll(workspace.root, '$RUN')
      .replaceAll(slug, '$RUN')
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '$ID')
      .replace(/\ba[0-9a-f]{16}\b/g, '$AGENT')
      .replace(/^[0-9a-f]{7,} /gm, '$COMMIT ')
      .replace(/duration_ms: \d+/g, 'duration_ms: $N');
  return facts.requests.map(({ conversation, ask }) => ({
    conversation,
    tools: ask?.tools,
    user: ask?.userTexts.map(clean),
    results: ask?.toolResults.map((result) => ({ ...result, text: clean(result.text) })),
  }));
}

describeReal('claude', 'what is recorded', () => {
  test('without hooks, requests to the model and effects are the same as without Piton', async () => {
    const [plain, watched] = [newStage(), newStage()];
    const without = await runAgent(claudeDriver, plain, { script: broadSession(plain) });
    const facts = await runWithPiton(watched, { script: broadSession(watched) });
    expect(readByModel(facts, watched)).toEqual(readByModel(without, plain));
    expect(facts).toMatchObject({ exit: without.exit, stdout: without.stdout, stderr: without.stderr, appeared: without.appeared });
  });

  test('every event of the session is in the store once, with the very payload that another hook of Claude Code got', async () => {
    const workspace = newStage();
    recordClaude(workspace, REGISTERED);
    const facts = await runWithPiton(workspace, { script: broadSession(workspace), after: [readEvents] });
    const events = storedEvents(facts);
    expect(recordedPayloads(workspace).length).toBeGreaterThan(20);
    expect(livePayloads(events)).toEqual(recordedPayloads(workspace));
    expect(events.filter((event) => event.late || event.derived)).toEqual([]);
    const session = recorded(workspace)[0]?.payload.session_id;
    for (const { envelope } of events) {
      expect(Object.keys(envelope).sort()).toEqual([
        'event',
        'payload',
        'projectPath',
        'provider',
        'providerRef',
        'receivedAt',
        'schemaVersion',
      ]);
      expect(envelope).toMatchObject({ schemaVersion: 1, provider: 'claude', providerRef: session, projectPath: workspace.repo });
    }
  });

  test('a deny is in the store with what followed from it', async () => {
    const workspace = newStage();
    recordClaude(workspace, REGISTERED);
    addUserHook(workspace, 'pre-shell-execution', saying(workspace, 'guard', { decision: 'deny', reason: 'TOKEN_DENY' }));
    const facts = await runWithPiton(workspace, { script: talk(bash('echo one > one.txt'), { text: 'Finished.' }), after: [readEvents] });
    expect(facts.appeared).toEqual([]);
    const events = storedEvents(facts);
    expect(livePayloads(events)).toEqual(recordedPayloads(workspace));
    expect(events.filter((event) => event.decision === 'deny').map((event) => event.event)).toEqual(['pre_tool_use']);
    expect(
      events
        .filter((event) => event.derived)
        .map((event) => event.event)
        .sort(),
    ).toEqual(['permission_denied', 'post_tool_use_failure']);
  });
});
