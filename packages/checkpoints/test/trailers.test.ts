import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { withTrailers } from '../src/links/trailers.ts';
import { seededRandom } from './random.ts';

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const OTHER = '01ARZ3NDEKTSV4RRFFQ69G5FAW';
const NAME = 'Piton-Checkpoint';

/**
 * What git itself makes of it. Configuration comes from the command line alone. Of a text without a line feed at its end older versions
 * make one paragraph with the trailer: it is given one.
 */
function byGit(text: string, ids: readonly string[], settings: readonly string[] = []): string {
  const given = settings.flatMap((setting) => ['-c', setting]);
  const trailers = ids.flatMap((id) => ['--trailer', `${NAME}: ${id}`]);
  const args = [...given, 'interpret-trailers', '--no-divider', '--if-exists', 'addIfDifferent', ...trailers];
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', args, { input: Buffer.from(text.replace(/(?<=[^\n])$/, '\n'), 'latin1'), cwd: '/', env }).toString('latin1');
}

const PIECES = [
  ...['Subject line', 'a: title', 'Body of some words.', 'note: this is prose', 'Fixes #12', 'http://example.org/x', '- item: one'],
  ...['Signed-off-by: A <a@b>', 'Signed-off-by:A <a@b>', 'Co-authored-by: B <b@c>', 'Reviewed-by : C', 'Reviewed-by:', 'X-Y:z', 'X Y: z'],
  ...['(cherry picked from commit abcdef)', `${NAME}: ${ID}`, `${NAME}: ${OTHER}`, `piton-checkpoint: ${ID.toLowerCase()}`],
  ...[
    ' continued',
    '\tcontinued: too',
    '',
    '',
    '',
    ' ',
    '\t',
    '# a comment',
    '#',
    '; other comment',
    'Conflicts:',
    '\tpath/of/file',
    '---',
  ],
  ...[
    '# ------------------------ >8 ------------------------',
    'diff --git a/x b/x',
    '+ added: line',
    'caf\xe9: latin',
    ': nothing',
    '=x',
    'A=b',
  ],
];

describe('a trailer is put where git would put it', () => {
  const cases: readonly string[] = [
    ...['', '\n', 'Subject', 'Subject\n', 'Subject\n\n', 'Subject\n\nBody\n', 'Subject\n\n\n# comment\n', '# only\n# comments\n'],
    'Subject\n\nSigned-off-by: A <a@b>\n',
    'Subject\n\nBody\nSigned-off-by: A <a@b>\n# On branch main\n',
    `Subject\n\n${NAME}: ${ID}\n`,
    // Git takes a paragraph for trailers if one is its own and a quarter of the lines are: on both sides of that.
    ...[1, 2, 3, 4, 5, 8].map((others) => `Subject\n\n${'some words\n'.repeat(others)}Signed-off-by: A <a@b>\n`),
    ...[5, 6, 7].map((others) => `Subject\n\n${'some words\n'.repeat(others)}Signed-off-by: A <a@b>\nAcked-by: B\n`),
  ];
  it.each(cases)('%j', (text) => {
    for (const ids of [[ID], [ID, OTHER], []]) expect(withTrailers(text, NAME, ids)).toBe(byGit(text, ids));
  });

  it('in messages of any lines', () => {
    const random = seededRandom(20261118);
    for (let round = 0; round < 400; round++) {
      const lines = Array.from({ length: random(9) }, () => PIECES[random(PIECES.length)] ?? '');
      const text = lines.join('\n') + (random(4) === 0 ? '' : '\n');
      const ids = [[ID], [ID, OTHER], [OTHER, ID, OTHER]][random(3)] ?? [];
      expect({ text, made: withTrailers(text, NAME, ids) }).toEqual({ text, made: byGit(text, ids) });
    }
  });

  it('where another sign begins a comment, or separates names from values', () => {
    const random = seededRandom(7);
    const syntaxes = [
      { settings: ['core.commentChar=;'], commentSign: ';', separators: ':' },
      { settings: ['trailer.separators=:='], commentSign: '#', separators: ':=' },
    ];
    for (let round = 0; round < 120; round++) {
      const { settings, ...syntax } = syntaxes[round % syntaxes.length] ?? { settings: [], commentSign: '#', separators: ':' };
      const text = `${Array.from({ length: random(9) }, () => PIECES[random(PIECES.length)] ?? '').join('\n')}\n`;
      expect({ text, made: withTrailers(text, NAME, [ID], syntax) }).toEqual({ text, made: byGit(text, [ID], settings) });
    }
  });
});
