import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { registrationArgs } from '@piton/contracts';
import { placesOf } from '@piton/contracts/places';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

let box: Sandbox;
let project: string;
let imported: string;
beforeEach(async () => {
  box = sandbox();
  project = box.repository();
  imported = join(box.config, 'artifacts', 'imported', 'claude');
  expect((await box.piton(['init', '--yes', '--agents', 'claude', '--no-git'])).code).toBe(0);
});
afterEach(() => box.end());

/** A guard whose rules lie in another file of the plugin. */
const GUARD = `#!/bin/sh
. "$CLAUDE_PLUGIN_ROOT/lib/rules.sh"
echo "$CLAUDE_PLUGIN_ROOT" >> "$CLAUDE_PLUGIN_DATA/roots"
case "$(cat)" in *"$FORBIDDEN"*) echo "the plugin forbids it" >&2; exit 2 ;; esac
`;
const HOOKS = {
  description: 'Guards',
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: `sh "\${CLAUDE_PLUGIN_ROOT}/hooks/guard.sh"` }] }] },
};

/** As `claude plugin install` of 2.1.325 leaves it. */
function install({ enabled = true } = {}): string {
  const root = join(box.home, '.claude/plugins/cache/market/guards/1.0.0');
  writePlugin(root);
  const entry = { scope: 'user', installPath: root, version: '1.0.0', installedAt: '2026-11-18T16:01:38.962Z' };
  box.write('.claude/plugins/installed_plugins.json', JSON.stringify({ version: 2, plugins: { 'guards@market': [entry] } }));
  const settings = JSON.parse(box.read('.claude/settings.json')) as object;
  box.write('.claude/settings.json', JSON.stringify({ ...settings, enabledPlugins: { 'guards@market': enabled } }));
  return root;
}

function writePlugin(root: string): void {
  box.write(join(root, '.claude-plugin/plugin.json'), '{ "name": "guards", "version": "1.0.0" }');
  box.write(join(root, 'hooks/hooks.json'), JSON.stringify(HOOKS));
  box.write(join(root, 'hooks/guard.sh'), GUARD, 0o755);
  box.write(join(root, 'lib/rules.sh'), 'FORBIDDEN=forbidden\n');
}

const CALL: Readonly<Record<string, string>> = {
  claude:
    '{"session_id":"s","transcript_path":"/t","cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"COMMAND"}}',
  codex:
    '{"session_id":"s","turn_id":"1","cwd":"/","hook_event_name":"PreToolUse","model":"m","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"COMMAND"}}',
};

function call(agent: string, command: string): Promise<string> {
  const args = registrationArgs({ agent, nativeEvent: 'PreToolUse', scope: 'user', timeoutMs: 30_000, variables: [] });
  const child = spawn(placesOf(box.state, box.config).forwarder, args, { cwd: project, env: box.env, stdio: ['pipe', 'pipe', 'inherit'] });
  let stdout = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stdin.end(CALL[agent]?.replace('COMMAND', command));
  return new Promise((resolve) => child.on('close', () => resolve(stdout)));
}

describe('a plugin of Claude Code', () => {
  it('that is installed guards other agents, from a copy; Claude Code goes on running it itself', async () => {
    const root = install();
    const said = await box.piton(['import', '--yes']);
    expect(said).toMatchObject({ code: 0 });
    expect(said.stdout).toContain('goes on running it in the plugin');
    expect(await call('codex', 'forbidden')).toContain('the plugin forbids it');
    expect(await call('codex', 'echo fine')).not.toContain('deny');
    expect(await call('claude', 'forbidden')).not.toContain('the plugin forbids it');
    // What was imported is pinned: the plugin may change, and nothing is guarded otherwise.
    box.write(join(root, 'lib/rules.sh'), 'FORBIDDEN=nothing\n');
    box.write(join(root, 'hooks/guard.sh'), 'exit 0\n');
    expect(await call('codex', 'forbidden')).toContain('the plugin forbids it');
    const roots = readFileSync(join(box.home, '.claude/plugins/data/guards/roots'), 'utf8').trim().split('\n');
    expect(new Set(roots)).toEqual(new Set([join(imported, 'guards/pre-tool-use-guard/plugin')]));
  });

  it('is announced file by file, changes nothing before the yes, and is gone after hooks remove', async () => {
    install();
    const before = await box.json<{ changes: { path: string }[] }>(['import']);
    const folder = join(imported, 'guards/pre-tool-use-guard');
    const files = before.changes.map(({ path }) => path).filter((file) => file.startsWith(folder));
    expect(files.map((file) => file.slice(folder.length + 1)).sort()).toEqual([
      'ARTIFACT.md',
      'plugin/.claude-plugin/plugin.json',
      'plugin/hooks/guard.sh',
      'plugin/hooks/hooks.json',
      'plugin/lib/rules.sh',
    ]);
    expect(existsSync(folder)).toBe(false);
    await box.piton(['import', '--yes']);
    expect((await box.piton(['lint', folder])).code).toBe(0);
    expect((await box.piton(['hooks', 'remove', 'imported/claude/guards/pre-tool-use-guard', '--force', '--yes'])).code).toBe(0);
    expect(existsSync(folder)).toBe(false);
    expect(await call('codex', 'forbidden')).not.toContain('the plugin forbids it');
  });

  it('that is off is not imported', async () => {
    install({ enabled: false });
    expect((await box.json<{ artifacts: unknown[] }>(['import'])).artifacts).toEqual([]);
  });

  it('in a folder, or in a marketplace, is imported by its path, and what lies elsewhere is named', async () => {
    const market = join(box.home, 'market');
    writePlugin(join(market, 'plugins/guards'));
    const plugins = [
      { name: 'guards', source: './plugins/guards' },
      { name: 'remote', source: { source: 'github', repo: 'someone/else' } },
      { name: 'outside', source: './../elsewhere' },
    ];
    box.write(join(market, '.claude-plugin/marketplace.json'), JSON.stringify({ name: 'market', plugins }));
    const { artifacts, left } = await box.json<{ artifacts: { folder: string }[]; left: { what: string; why: string }[] }>([
      'import',
      '--plugin',
      market,
    ]);
    expect(artifacts.map(({ folder }) => folder)).toEqual([join(imported, 'guards/pre-tool-use-guard')]);
    expect(left).toMatchObject([
      { what: 'the plugin remote', why: expect.stringContaining('elsewhere') },
      { what: 'the plugin outside', why: expect.stringContaining('outside') },
    ]);
    expect((await box.piton(['import', '--plugin', join(market, 'plugins/guards'), '--yes'])).code).toBe(0);
    // Claude Code does not have it, so it runs there as well.
    for (const agent of ['claude', 'codex']) expect(await call(agent, 'forbidden')).toContain('the plugin forbids it');
    const nothing = await box.piton(['import', '--plugin', project]);
    expect(nothing).toMatchObject({ code: 1, stderr: expect.stringContaining('no hooks of a plugin') });
  });
});

describe('a hook with "if"', () => {
  it('runs where its rule fits, also behind an operator', async () => {
    const hooks = [{ matcher: 'Bash', hooks: [{ type: 'command', if: 'Bash(git push *)', command: 'echo by the rule >&2; exit 2' }] }];
    box.write('.claude/settings.json', JSON.stringify({ hooks: { PreToolUse: hooks } }));
    expect((await box.piton(['import', '--agent', 'claude', '--yes'])).code).toBe(0);
    const denied = async (command: string) => (await call('codex', command)).includes('by the rule');
    expect(await denied('git push origin main')).toBe(true);
    expect(await denied('cd x && git push -f')).toBe(true);
    expect(await denied('git status')).toBe(false);
    expect(await denied('echo git push it')).toBe(false);
  });
});

describe('a hook of the type http', () => {
  let server: Server;
  let requests: { body: string; headers: IncomingMessage['headers']; url: string | undefined }[];
  let answer: (response: ServerResponse) => void;
  beforeEach(async () => {
    requests = [];
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (data: Buffer) => (body += data.toString()));
      request.on('end', () => {
        requests.push({ body, headers: request.headers, url: request.url });
        answer(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  async function importPost(more: object = {}): Promise<void> {
    const handler = { type: 'http', url: `${address()}/hook`, timeout: 60, ...more };
    box.write('.claude/settings.json', JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [handler] }] } }));
    expect((await box.piton(['import', '--agent', 'claude', '--yes'])).code).toBe(0);
  }
  const DENY = JSON.stringify({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'said the server' },
  });

  it('posts the portable event, with the variables that it may use, and its answer counts', async () => {
    answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(DENY);
    await importPost({ headers: { Authorization: 'Bearer $TOKEN', 'X-Other': '$HOME' }, allowedEnvVars: ['TOKEN'] });
    box.env.TOKEN = 'abc';
    expect(await call('codex', 'ls')).toContain('said the server');
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ url: '/hook', headers: { authorization: 'Bearer abc', 'x-other': '' } });
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
      hook_event_name: 'PreToolUse',
      tool_input: { command: 'ls' },
      piton: { agent: 'codex' },
    });
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['a redirect', (response) => response.writeHead(307, { location: `${address()}/elsewhere` }).end(DENY)],
    ['an error', (response) => response.writeHead(500).end(DENY)],
    ['silence', () => {}],
  ])('that is answered with %s decides nothing, and follows nothing', async (what, answered) => {
    answer = answered;
    await importPost(what === 'silence' ? { timeout: 3 } : {});
    expect(await call('codex', 'ls')).not.toContain('said the server');
    // Where nobody answers, a busy machine may not even have asked in time.
    if (what !== 'silence') expect(requests.map(({ url }) => url)).toEqual(['/hook']);
  });

  it('to another machine in the clear is not imported', async () => {
    box.write(
      '.claude/settings.json',
      JSON.stringify({
        hooks: {
          Stop: [
            {
              hooks: [
                { type: 'http', url: 'http://example.com/x' },
                { type: 'mcp_tool', server: 's', tool: 't' },
              ],
            },
          ],
        },
      }),
    );
    const { left, artifacts } = await box.json<{ left: { what: string; why: string }[]; artifacts: unknown[] }>([
      'import',
      '--agent',
      'claude',
    ]);
    expect(artifacts).toEqual([]);
    expect(left).toMatchObject([
      { what: 'a hook of the type http', why: expect.stringContaining('in the clear') },
      { what: 'a hook of the type mcp_tool', why: expect.stringContaining('MCP server') },
    ]);
  });
});
