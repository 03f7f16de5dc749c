import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, goTo, type Opened } from './browser-page.ts';
import { CHROMIUM } from './chromium.ts';
import { expectHarmless } from './harmless.ts';
import { placesOf } from './places.ts';
import { openRig, type Rig } from './rig.ts';
import { playedSession } from './session.ts';
import { type PageStage, pageStage } from './stage.ts';

/** Each runs in another way where a text becomes HTML: as a tag, out of an attribute, as a link, in SVG, in a frame. */
const PAYLOADS = [
  '<script>window.hacked=1</script>',
  '<img src=x onerror="window.hacked=1">',
  '"><svg onload=window.hacked=1>',
  "' onfocus=window.hacked=1 autofocus x='",
  '<iframe srcdoc="<script>top.hacked=1</script>"></iframe>',
  '<a href="javascript:window.hacked=1">click</a>',
  '[click](javascript:window.hacked=1)',
  '![x](x" onerror="window.hacked=1)',
  '```html\n<script>window.hacked=1</script>\n```',
  '<style>@import "https://evil.example/x.css"</style><link rel=stylesheet href="https://evil.example/y.css">',
  '![pixel](https://evil.example/pixel.png)',
  '\u202e<b>turned</b>\u0000\u001b[31m',
];
const ALL = PAYLOADS.join('\n\n');
/** As a name of a file, a branch or a hook: no line break, no slash. */
const NAME = '<img src=x onerror=hacked=1>';
const BRANCH = '<svg-onload=hacked=1>';

async function playAttack(): Promise<PageStage> {
  const stage = await pageStage(['claude'], 'victim');
  stage.write('README.md', 'begin\n');
  stage.git('add', '-A');
  stage.git('commit', '-qm', 'Begin');
  stage.git('switch', '-qc', BRANCH);
  stage.box.write(
    join('.config', 'piton', 'hooks', 'pre_tool_use', `${NAME.replaceAll(' ', '-')}.sh`),
    `#!/bin/sh\nprintf '%s' '<script>hacked=1</script>' >&2\n`,
    0o755,
  );
  const session = playedSession(stage, 'attack');
  session.fire('SessionStart', { source: 'startup', model: ALL });
  session.prompt(ALL);
  session.todos(PAYLOADS.map((text) => [text, 'pending']));
  for (const payload of PAYLOADS) session.run(`echo ${JSON.stringify(payload)}`, ALL);
  session.call(`mcp__${NAME}__${NAME}`, { text: ALL, [NAME]: NAME }, { content: [{ type: 'text', text: ALL }] });
  session.file(`src/${NAME}.js`, ALL);
  session.fire('PreToolUse', { tool_name: 'Bash', tool_use_id: 'danger', tool_input: { command: `rm -rf / ${ALL}` } });
  session.fire('SubagentStart', { agent_id: NAME, agent_type: ALL });
  session.fire('Notification', { message: ALL, notification_type: 'permission_prompt' });
  session.fire('PermissionRequest', { tool_name: NAME, tool_use_id: 'ask', tool_input: { command: ALL } });
  stage.git('add', '-A');
  stage.git('commit', '-qm', ALL.replaceAll('\u0000', ''));
  session.stop(ALL);
  return stage;
}

describe.skipIf(CHROMIUM === undefined)('what agents write, in Chromium', () => {
  let rig: Rig;
  let opened: Opened;
  let places: readonly (readonly [string, string])[];
  beforeAll(async () => {
    rig = await openRig(await playAttack());
    opened = await follow(rig.browser, rig.server.link);
    places = await placesOf(opened.page, 'window.hacked', 'victim');
  });
  afterAll(() => rig?.end());

  it('is shown on every page as it was written, and nothing of it runs, loads or leads anywhere', async () => {
    for (const [, place] of [...places, ['found', 'search?q=hacked']] as const) await expectHarmless(opened, place);
    expect(opened.elsewhere).toEqual([]);
    expect(opened.problems).toEqual([]);
  });

  it('stays readable: a script in a prompt, an answer and a command is text', async () => {
    const { page } = opened;
    await goTo(page, places.find(([name]) => name === 'session')?.[1] ?? '');
    const text = await page.locator('.turns').textContent();
    expect(text?.split('<script>window.hacked=1</script>').length).toBeGreaterThan(3);
  });

  it('leads only to http and https, and says where', async () => {
    const { page } = opened;
    await goTo(page, places.find(([name]) => name === 'session')?.[1] ?? '');
    await page.locator('.markdown:not(.plain)').last().waitFor();
    const links = await page.locator('.markdown a').evaluateAll((found) => found.map((link) => link.getAttribute('href')));
    expect([...new Set(links)]).toEqual(['https://evil.example/pixel.png']);
  });
});
