import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { PageEventRow, PageList, PageSession } from '@piton/contracts/page';
import { eventually } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, type Opened } from './browser-page.ts';
import { CHROMIUM } from './chromium.ts';
import { expectHarmless } from './harmless.ts';
import { openRig, type Rig } from './rig.ts';
import { inSession, type PageStage, pageStage } from './stage.ts';

const SESSIONS = new URL('../../apps/cli/src/demo/sessions/', import.meta.url);
const AGENTS = readdirSync(SESSIONS)
  .filter((name) => name.endsWith('.json'))
  .map((name) => basename(name, '.json'));

/** Breaks out of an attribute, is a tag, and names what would run. */
const BAIT = `"'><img src=x onerror=window.hacked=1><script>window.hacked=1</script>[x](javascript:window.hacked=1)`;

/** Without these there is no event, or not where we stand: what the event is called, where it is, and which transcript is read. */
const KEPT = /^(cwd|hook_?event_?name|event|type|hook|workspace_?roots?|transcript_?path)$/i;
/** What a call is must be known for its input to be read: so it is tried with and without these. */
const KINDS = /^(tool_?name|tool|name|kind)$/i;

/** Every string behind which the bait may stand has it; how many there were. */
function baited(value: unknown, keepKinds: boolean, key = ''): { readonly value: unknown; readonly count: number } {
  if (typeof value === 'string') {
    const isKept = KEPT.test(key) || (keepKinds && KINDS.test(key));
    return isKept ? { value, count: 0 } : { value: `${value}${BAIT}`, count: 1 };
  }
  if (typeof value !== 'object' || value === null) return { value, count: 0 };
  const parts = Object.entries(value).map(([name, inner]) => [name, baited(inner, keepKinds, name)] as const);
  const count = parts.reduce((sum, [, part]) => sum + part.count, 0);
  if (Array.isArray(value)) return { value: parts.map(([, part]) => part.value), count };
  return { value: Object.fromEntries(parts.map(([name, part]) => [name, part.value])), count };
}

interface Step {
  readonly event: string;
  readonly payload: object;
}

function stepsOf(stage: PageStage, agent: string): readonly Step[] {
  const text = readFileSync(new URL(`${agent}.json`, SESSIONS), 'utf8')
    .replaceAll('$NAME_OF_REPO', basename(stage.work))
    .replaceAll('$NAME_OF_HOME', 'home')
    .replaceAll('$REPO', stage.work)
    .replaceAll('$HOME', stage.box.home);
  return (JSON.parse(text) as { steps: Step[] }).steps;
}

/** Each recorded session of each agent, with the bait in every field. */
function play(stage: PageStage): number {
  let count = 0;
  for (const agent of AGENTS) {
    for (const keepKinds of agent === 'claude' ? [true, false] : [true]) {
      for (const { event, payload } of stepsOf(stage, agent)) {
        const made = baited(payload, keepKinds);
        stage.fire(agent, event, made.value as object);
        count += made.count;
      }
    }
  }
  return count;
}

/** What its transcript says is the agent's too. */
function playTranscript(stage: PageStage): void {
  const base = inSession(stage, 'told');
  const usage = { input_tokens: 10, output_tokens: 5 };
  const call = { type: 'tool_use', id: `toolu${BAIT}`, name: `Tool${BAIT}`, input: { [BAIT]: BAIT } };
  stage.fire('claude', 'SessionStart', { ...base, source: 'startup' });
  stage.fire('claude', 'UserPromptSubmit', { ...base, prompt: BAIT });
  stage.transcript('told', 'user', { content: BAIT });
  stage.transcript('told', 'assistant', { id: `one${BAIT}`, model: `model${BAIT}`, content: [call], usage });
  stage.transcript('told', 'user', { content: [{ type: 'tool_result', tool_use_id: call.id, is_error: true, content: BAIT }] });
  stage.transcript('told', 'assistant', { id: `two${BAIT}`, model: `model${BAIT}`, content: [{ type: 'text', text: BAIT }], usage });
  stage.fire('claude', 'Stop', { ...base, stop_hook_active: false, last_assistant_message: BAIT });
}

describe.skipIf(CHROMIUM === undefined)('a script in every field that an agent fills, in Chromium', () => {
  let rig: Rig;
  let opened: Opened;
  let sessions: readonly PageSession[];
  let count = 0;
  beforeAll(async () => {
    const stage = await pageStage(['claude'], 'victim');
    count = play(stage);
    playTranscript(stage);
    rig = await openRig(stage);
    opened = await follow(rig.browser, rig.server.link);
    const get = <T>(path: string): Promise<T> =>
      opened.page.evaluate(
        `fetch(${JSON.stringify(path)}, { headers: { authorization: 'Bearer ' + sessionStorage.getItem('piton-token') } }).then((answer) => answer.json())`,
      );
    await eventually(async () => {
      const { items } = await get<PageList<PageSession>>('/api/sessions?limit=200');
      sessions = items;
      return new Set(items.map(({ agent }) => agent)).size === AGENTS.length;
    });
  }, 400_000);
  afterAll(() => rig?.end());

  it('is stored as it was sent: there is something to be attacked by', async () => {
    expect(count).toBeGreaterThan(500);
    const { items } = await opened.page.evaluate<PageList<PageEventRow>>(
      "fetch('/api/events?limit=200', { headers: { authorization: 'Bearer ' + sessionStorage.getItem('piton-token') } }).then((answer) => answer.json())",
    );
    expect(items.filter(({ what }) => what.text.includes('<img')).length).toBeGreaterThan(50);
  });

  it.each(['now?feed=all&window=5m', 'sessions', 'repositories', 'hooks', 'overview', 'search?q=hacked', 'search?q=script'])(
    'is text on %s',
    async (place) => {
      await expectHarmless(opened, place);
      expect(await opened.page.locator('main').textContent()).toContain(/hooks|repositories/.test(place) ? '' : '<img src=x');
      expect([...opened.problems, ...opened.elsewhere]).toEqual([]);
    },
  );

  it('is text on the page of every session, with all that is folded', async () => {
    for (const { id } of sessions) await expectHarmless(opened, `session/${id}`);
    expect([...opened.problems, ...opened.elsewhere]).toEqual([]);
  });
});
