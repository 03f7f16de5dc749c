import { describe, expect, it } from 'vitest';
import { anchored, parseArtifact } from '../src/index.ts';

const artifact = (head: string, body = ''): string => `---\n${head}\n---\n${body}`;
const HEAD = 'type: hook\nversion: 1.0.0\nhook_event: stop\nhook_action: |\n  scripts/log.sh\n';

describe('an artifact', () => {
  it('has the fields of a setting, under the names of settings', () => {
    const { entry, version, body, problems } = parseArtifact(artifact(`${HEAD}tags: [a, b]\ntimeout: 500ms`, 'For people.\n'), ['scripts']);
    expect(problems).toEqual([]);
    expect(entry).toEqual({ event: 'stop', command: '"$PITON_ARTIFACT_DIR"/scripts/log.sh\n', tags: ['a', 'b'], timeout: '500ms' });
    expect({ version, body }).toEqual({ version: '1.0.0', body: 'For people.\n' });
  });
  it('may have Windows line endings and a byte order mark', () => {
    expect(parseArtifact(`\uFEFF${artifact(HEAD).replaceAll('\n', '\r\n')}`, []).problems).toEqual([]);
  });
  it.each([
    ['no head', '# Title\n', 1, 'three dashes'],
    ['an open head', '---\ntype: hook\n', 1, 'not closed'],
    ['no fields', artifact('- a\n- b'), 2, 'no fields'],
    ['a head of a megabyte', artifact(`${HEAD}${'x: 1 # a\n'.repeat(100_000)}`), 1, 'longer than 64 KB'],
    ['a name said twice', artifact(`${HEAD}tags: [a]\nwhen:\n  source: x\n  tool: y\n  source: z`), 11, 'source is set twice'],
    ['too many fields', artifact(`${HEAD}${Array.from({ length: 300 }, (_, at) => `k${at}: 1`).join('\n')}`), 2, 'more than 256 fields'],
    ['broken YAML', artifact('type: hook\nversion: "1'), 3, 'quote'],
    ['another type', artifact(HEAD.replace('hook\n', 'skill\n')), 2, 'skill'],
    ['no type', artifact(HEAD.replace('type: hook\n', '')), 1, '"type: hook" is missing'],
    ['no version', artifact(HEAD.replace('version: 1.0.0\n', '')), 1, '"version" is missing'],
    ['a version of another kind', artifact(HEAD.replace('1.0.0', '1.0')), 3, '"version"'],
    ['no event', artifact(HEAD.replace('hook_event: stop\n', '')), 1, '"hook_event"'],
    ['no action', artifact('type: hook\nversion: 1.0.0\nhook_event: stop'), 1, '"hook_action"'],
    ['the names of settings', artifact(`${HEAD}command: x`), 7, '"hook_action"'],
    ['an alias that multiplies', artifact(`a: &a [x]\nb: *a\n${HEAD}`), 2, 'lias'],
  ])('with %s says what is wrong, and at which line', (_name, text, line, words) => {
    const { problems } = parseArtifact(text, []);
    expect(problems).toContainEqual({ line, what: expect.stringContaining(words) });
  });
});

describe('an action', () => {
  const folder = '"$PITON_ARTIFACT_DIR"/';
  it.each([
    ['scripts/a.sh', `${folder}scripts/a.sh`],
    ['./scripts/a.sh --x', `${folder}./scripts/a.sh --x`],
    ['sh scripts/a.sh | tee log', `sh ${folder}scripts/a.sh | tee log`],
    ['X=1 scripts/a.sh && scripts/b', `X=1 ${folder}scripts/a.sh && ${folder}scripts/b`],
    ['A=$(scripts/a)', `A=$(${folder}scripts/a)`],
    ['"scripts/a b.sh"', `${folder}"scripts/a b.sh"`],
    ["'scripts/a b.sh'", `${folder}'scripts/a b.sh'`],
    ['./run.sh', `${folder}./run.sh`],
    ['cat <scripts/data', `cat <${folder}scripts/data`],
  ])('finds what is bundled with it: %s', (action, expected) => {
    expect(anchored(action, ['scripts', 'run.sh'])).toBe(expected);
  });
  it.each([
    'echo "see scripts/a.sh"',
    "echo 'see scripts/a'\"'\"' scripts/b'",
    'other/scripts/a.sh',
    '/scripts/a.sh',
    'scripts-old/a.sh',
    'run.sh',
    'true # scripts/a.sh',
    'cat <<EOF\nscripts/a.sh\nEOF',
    'echo \\"scripts/a.sh',
  ])('leaves alone what is not a word that begins so: %s', (action) => {
    expect(anchored(action, ['scripts', 'run.sh'])).toBe(action);
  });
  it('finds its scripts again after a here-document', () => {
    expect(anchored('cat <<EOF >x\nscripts/a\nEOF\nscripts/a', ['scripts'])).toBe(`cat <<EOF >x\nscripts/a\nEOF\n${folder}scripts/a`);
  });
});
