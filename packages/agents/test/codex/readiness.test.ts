import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Installed, Readiness, ReadinessFacts } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { codex } from '../../src/codex/index.ts';
import { FIXTURES } from './fixtures.ts';

const readiness = codex.readiness as Readiness;
const HOME = '/home/dev';
const PROJECT = '/home/dev/project';
const said = (name: string): string =>
  readFileSync(join(FIXTURES, `app-server/${name}.jsonl`), 'utf8')
    .replaceAll('$HOME', HOME)
    .replaceAll('$REPO', PROJECT);

/** What stands in a configuration of that scope after `piton init`. */
function installed(scope: 'user' | 'project'): readonly Installed[] {
  const [file] = codex.installer.configFiles(scope, {});
  const below = '.local/state/piton/runtime/current/piton-forward';
  const target = { scope, forwarder: `${HOME}/${below}`, forwarderBelowHome: below, wanted: [] };
  const result = codex.installer.install(null, target, file);
  if (!result.ok) throw new Error(result.error);
  return codex.installer.installed(result.edit.text ?? '', target, file);
}

const CONFIG = `model = "gpt-5.5"\n\n[projects."${PROJECT}"]\ntrust_level = "trusted" # mine\n`;
const judge = (facts: Partial<ReadinessFacts> & { config?: string }) => {
  const scope = facts.scope ?? 'user';
  const texts = { '.codex/config.toml': facts.config ?? CONFIG };
  return readiness.judge({
    home: HOME,
    project: PROJECT,
    env: {},
    scope,
    texts,
    probed: said('untrusted'),
    installed: installed(scope),
    ...facts,
  });
};

describe('a hook of Codex', () => {
  it('tells a hook that is installed from one that will run', () => {
    for (const scope of ['user', 'project'] as const) {
      expect(judge({ scope })).toMatchObject({
        runs: false,
        why: expect.stringContaining('11 hooks are not trusted'),
        remedy: expect.stringContaining('/hooks'),
      });
      expect(judge({ scope, probed: said('trusted') })).toEqual({ runs: true });
    }
  });
  it('asks in a way that Codex answers', () => {
    const probe = readiness.probe?.({ scope: 'user', home: HOME, project: PROJECT, env: {} });
    expect(probe?.argv).toEqual(['codex', 'app-server']);
    const methods = probe?.stdin
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).method);
    expect(methods).toEqual(['initialize', 'initialized', 'hooks/list']);
    const answer = said('untrusted');
    expect(probe?.until?.test(answer)).toBe(true);
    expect(probe?.until?.test(answer.slice(0, answer.indexOf('{"id":1') + 500))).toBe(false);
  });
  it('is trusted only after a yes, by the hash and the key that Codex gave, all else byte for byte', () => {
    const verdict = judge({});
    if (verdict.runs || verdict.consent === undefined) throw new Error('no question');
    expect(verdict.consent.question).toContain('11 hooks');
    expect(verdict.consent.file).toEqual({ path: '.codex/config.toml', label: '~/.codex/config.toml' });
    const result = verdict.consent.edit(CONFIG);
    if (!result.ok) throw new Error(result.error);
    const text = result.edit.text ?? '';
    expect(text.startsWith(CONFIG)).toBe(true);
    const hooks = JSON.parse(
      said('untrusted')
        .split('\n')
        .find((line) => line.startsWith('{"id":1')) ?? '',
    ).result.data[0].hooks;
    const wanted = hooks.filter((hook: { source: string }) => hook.source === 'user');
    expect(wanted).toHaveLength(11);
    for (const { key, currentHash } of wanted) expect(text).toContain(`\n[hooks.state."${key}"]\ntrusted_hash = "${currentHash}"\n`);
    expect(verdict.consent.edit(text)).toMatchObject({ ok: true, edit: { text } });
  });
  it('gets its new hash in place of an old one', () => {
    const key = `${HOME}/.codex/hooks.json:stop:0:0`;
    const old = `${CONFIG}\n[hooks.state.'${key}']\nenabled = true\ntrusted_hash = "sha256:old"\n`;
    const verdict = judge({ config: old });
    const result = verdict.runs ? undefined : verdict.consent?.edit(old);
    const text = result?.ok ? (result.edit.text ?? '') : '';
    expect(text).not.toContain('sha256:old');
    expect(text).toContain(`[hooks.state.'${key}']\nenabled = true\ntrusted_hash = "sha256:`);
    expect(text.match(/:stop:0:0/g)).toHaveLength(1);
  });
  it('is not trusted in a file whose form we do not know', () => {
    const inline = `${CONFIG}hooks = { state = {} }\n`.replace('[projects', '[x.projects');
    const verdict = judge({ config: inline, probed: said('untrusted') });
    expect(verdict.runs ? undefined : verdict.consent?.edit('hooks = { state = {} }\n')).toEqual({
      ok: false,
      error: expect.stringMatching(/^line 1, column 1: .*\/hooks/),
    });
  });
  it('does not run from a file that Codex does not read, and Codex says why', () => {
    expect(judge({ probed: said('void-file') })).toEqual({
      runs: false,
      why: expect.stringMatching(/does not load 11 .*hooks\.json; failed to parse .*unknown field `\$schema`/),
      remedy: expect.stringContaining('~/.codex/hooks.json'),
    });
  });
  it('does not run where hooks are switched off, one or all', () => {
    expect(judge({ config: '[features]\nhooks = false\n', probed: said('trusted') })).toMatchObject({
      runs: false,
      why: expect.stringContaining('switched off'),
    });
    const one = said('trusted').replace('"enabled":true', '"enabled":false');
    expect(judge({ probed: one })).toMatchObject({ runs: false, why: '1 hook is switched off in Codex' });
  });
  it('does not run in a project that is not trusted', () => {
    expect(judge({ scope: 'project', config: '' })).toMatchObject({
      runs: false,
      why: expect.stringContaining('project'),
      remedy: expect.stringContaining(PROJECT),
    });
  });
  it('is believed to run without a word of Codex only if its configuration says so', () => {
    for (const probed of [null, '', '{"id":1,"error":{}}\nnonsense'])
      expect(judge({ probed })).toMatchObject({ runs: false, why: expect.stringContaining('could not be asked') });
    const verdict = judge({});
    const result = verdict.runs ? undefined : verdict.consent?.edit(CONFIG);
    const config = result?.ok ? (result.edit.text ?? '') : '';
    expect(judge({ probed: null, config })).toMatchObject({ runs: true, note: expect.stringContaining('could not be asked') });
    expect(judge({ probed: null, config: config.replace(':stop:0:0', ':other:0:0') })).toMatchObject({ runs: false });
  });
  it('is looked for where Codex was moved to', () => {
    expect(readiness.files('user', { CODEX_HOME: '/conf/' })).toEqual([{ path: '/conf/config.toml', label: '/conf/config.toml' }]);
  });
});
