import { AGENTS } from '@piton/agents';
import type { Agent, McpEdit, McpInstaller, McpServer } from '@piton/contracts';
import { BROKEN_JSONC, JSONC_CORPUS } from '@piton/testing/config-corpus';
import { describe, expect, test } from 'vitest';

const SERVER: McpServer = { command: '/home/me/.local/state/piton/runtime/current/piton', args: ['mcp', '--agent', 'some'] };
const MOVED: McpServer = { command: '/elsewhere/runtime/current/piton', args: ['mcp', '--agent', 'some'] };

type WithMcp = Agent & { readonly mcp: McpInstaller };
const agents = AGENTS.filter((agent): agent is WithMcp => agent.mcp !== undefined);
const isToml = ({ mcp }: WithMcp): boolean => mcp.configFile({}).path.endsWith('.toml');

const TOML_CORPUS: Readonly<Record<string, string>> = {
  'an empty file': '',
  'a byte order mark alone': '\uFEFF',
  'one key': 'model = "gpt-5.5"\n',
  'no line break at the end': 'model = "gpt-5.5"',
  'blank lines at the end': 'model = "x"\n\n\n',
  'Windows line ends': 'model = "x"\r\n[features]\r\nhooks = true\r\n',
  'servers of others': '[mcp_servers.mock]\ncommand = "node"\nargs = ["a.mjs"]\n\n[features]\nhooks = true # mine\n',
  'a comment alone': '# mine\n',
  'a comment at the end': '[tools]\nx = 1\n# [mcp_servers.piton]',
  'a long text': 'a = """\n[mcp_servers.piton]\ncommand = "no"\n"""\n',
};

function textOf(edit: McpEdit): string | null {
  if (!edit.ok) throw new Error(edit.error);
  return edit.text;
}

const target = (agent: WithMcp) => ({
  scope: 'user' as const,
  forwarder: '/home/me/.local/state/piton/runtime/current/piton-forward',
  forwarderBelowHome: '.local/state/piton/runtime/current/piton-forward',
  wanted: [],
  ...(agent.provenVersion !== null && { version: agent.provenVersion }),
});

test('fourteen agents take a server of ours', () => {
  expect(agents.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'claude',
      'codex',
      'gemini',
      'qwen',
      'opencode',
      'kilo',
      'copilot',
      'droid',
      'cline',
      'cursor',
      'grok',
      'kimi',
      'omp',
      'auggie',
    ]),
  );
});

describe.each(agents.map((agent) => [agent.id, agent] as const))('%s', (_, agent) => {
  const { mcp } = agent;
  const corpus = Object.entries(isToml(agent) ? TOML_CORPUS : JSONC_CORPUS);

  test.each(corpus)('our server comes and goes without a trace: %s', (_name, text) => {
    const written = textOf(mcp.install(text, SERVER)) ?? '';
    expect(mcp.installed(written)).toEqual(SERVER);
    expect(textOf(mcp.install(written, SERVER))).toBe(written);
    const gone = textOf(mcp.uninstall(written));
    // A file that held nothing may be gone: who installed it keeps what was there.
    expect(gone ?? '').toBe(gone === null && text.trim() === '' ? '' : text);
    expect(mcp.installed(gone ?? '')).toBeNull();
  });

  test.each(corpus)('one of an older home is replaced, and goes as well: %s', (_name, text) => {
    const moved = textOf(mcp.install(textOf(mcp.install(text, MOVED)), SERVER)) ?? '';
    expect(mcp.installed(moved)).toEqual(SERVER);
    expect(moved).not.toContain('/elsewhere/');
    const gone = textOf(mcp.uninstall(moved));
    expect(gone ?? '').toBe(gone === null && text.trim() === '' ? '' : text);
  });

  test('a file that was not there is gone again', () => {
    const written = textOf(mcp.install(null, SERVER)) ?? '';
    expect(written.endsWith('\n')).toBe(true);
    expect(textOf(mcp.uninstall(written))).toBeNull();
  });

  test('a server of the same name that is not ours is left alone', () => {
    const foreign = isToml(agent)
      ? '[mcp_servers.piton]\ncommand = "node"\nargs = ["mine.mjs"]\n'
      : JSON.stringify({ mcpServers: entry(), mcp: entry(), servers: entry() });
    expect(mcp.install(foreign, SERVER)).toMatchObject({ ok: false, error: expect.stringContaining('that Piton did not write') });
    expect(textOf(mcp.uninstall(foreign))).toBe(foreign);
    expect(mcp.installed(foreign)).toBeNull();
  });

  test.each(isToml(agent) ? [] : Object.entries(BROKEN_JSONC).filter(([name]) => !name.startsWith('hooks')))(
    'a broken file is refused: %s',
    (_name, { text, says }) => {
      expect(mcp.install(text, SERVER)).toMatchObject({ ok: false, error: expect.stringMatching(says) });
    },
  );
});

const entry = () => ({ piton: { command: 'node', args: ['mine.mjs'] } });

const sharing = agents.filter(({ mcp, installer }) =>
  installer.configFiles('user', {}).some(({ path }) => path === mcp.configFile({}).path),
);

describe.each(sharing.map((agent) => [agent.id, agent] as const))('%s, whose hooks are in the same file', (_, agent) => {
  const { mcp, installer } = agent;
  const [file] = installer.configFiles('user', {});
  const hooksIn = (text: string | null): string | null => {
    const result = installer.install(text, target(agent), file);
    if (!result.ok) throw new Error(result.error);
    return result.edit.text;
  };
  const hooksOut = (text: string): string | null => {
    const result = installer.uninstall(text, target(agent), file);
    if (!result.ok) throw new Error(result.error);
    return result.edit.text;
  };
  const [serverIn, serverOut] = [(text: string | null) => textOf(mcp.install(text, SERVER)), (text: string) => textOf(mcp.uninstall(text))];

  test.each(Object.entries(JSONC_CORPUS))('both come and go in any order: %s', (_name, text) => {
    for (const [first, second, third, fourth] of [
      [hooksIn, serverIn, serverOut, hooksOut],
      [hooksIn, serverIn, hooksOut, serverOut],
      [serverIn, hooksIn, serverOut, hooksOut],
      [serverIn, hooksIn, hooksOut, serverOut],
    ] as const) {
      const both = second(first(text)) ?? '';
      expect(mcp.installed(both)).toEqual(SERVER);
      expect(installer.installed(both, target(agent), file).length).toBeGreaterThan(0);
      const gone = fourth(third(both) ?? '');
      // White space of an empty object is lost where what came first also goes first.
      const isLast = (first === hooksIn) === (third === serverOut);
      const same = (one: string): string => (!isLast && /^\{\s*\}\s*$/.test(one) ? '{}' : one);
      expect(same(gone ?? '')).toBe(gone === null && text.trim() === '' ? '' : same(text));
    }
  });
});
