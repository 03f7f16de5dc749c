import { appendFileSync, copyFileSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TranscriptFormat } from '@piton/contracts';
import type { KeptEntry } from '@piton/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentOf, entriesIn, openScene, recordedTranscripts, redactor, type Scene } from './setup.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.end());

const stored = async (): Promise<readonly KeptEntry[]> => (await scene.store.transcripts(scene.session)).flatMap(({ list }) => list);
const lines = (...records: object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const prompt = (uuid: string, content: string) => ({ type: 'user', uuid, timestamp: '2026-01-05T12:00:00Z', message: { content } });
const answer = (uuid: string, id: string, output: number) => ({
  type: 'assistant',
  uuid,
  message: { id, model: 'm', content: [{ type: 'text', text: `said ${uuid}` }], usage: { output_tokens: output } },
});

const CUTS = [0.001, 0.1, 0.33, 0.34, 0.5, 0.77, 0.9, 1];

describe.each(recordedTranscripts().map((recorded) => [recorded.agent.id, recorded.name, recorded] as const))(
  '%s, %s',
  (_, __, recorded) => {
    it('is stored the same whether it is read whole or as it grows', async () => {
      const path = join(scene.home, recorded.name);
      const isWhole = recorded.agent.transcript?.read(recorded.bytes.toString('utf8')).consumed === 0;
      for (const share of CUTS) {
        writeFileSync(path, recorded.bytes.subarray(0, Math.ceil(recorded.bytes.length * share)));
        await scene.read(recorded.agent, path);
      }
      const wanted = entriesIn(recorded);
      const found = await stored();
      expect(wanted.length).toBeGreaterThan(0);
      const kinds = (list: readonly { kind: string }[]) =>
        ['prompt', 'answer', 'tool-call', 'tool-result', 'usage'].map((kind) => list.filter((entry) => entry.kind === kind).length);
      expect(kinds(found)).toEqual(kinds(wanted));
      const texts = wanted.flatMap((entry) => (entry.kind === 'prompt' || entry.kind === 'answer' ? [redactor.text(entry.text)] : []));
      const said = found.flatMap(({ kind, text }) => (kind === 'prompt' || kind === 'answer' ? [text] : []));
      // A message that is written again after its tools ended keeps the position of its first line.
      expect(isWhole ? said : said.toSorted()).toEqual(isWhole ? texts : texts.toSorted());
      const sum = wanted.reduce((all, entry) => all + (entry.kind === 'usage' ? entry.output : 0), 0);
      expect(found.reduce((all, { tokens }) => all + (tokens?.output ?? 0), 0)).toBe(sum);
    });
  },
);

/** Ends of lines at which a transcript is cut: all of them, or of a long one as many as this, the first among them. */
const MOST_CUTS = 40;

describe.each(recordedTranscripts().map((recorded) => [recorded.agent.id, recorded.name, recorded] as const))(
  '%s, %s, line by line',
  (_, __, { agent, name, bytes }) => {
    it('says the same of every entry as when it is read at once, also to a new process', async () => {
      const rows = (list: readonly KeptEntry[]): string[] => list.map((entry) => JSON.stringify(entry)).toSorted();
      writeFileSync(join(scene.home, name), bytes);
      await scene.read(agent, join(scene.home, name));
      const whole = await stored();
      const second = await openScene();
      try {
        const ends = [...bytes.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []));
        const step = Math.ceil(ends.length / MOST_CUTS);
        for (const end of [...ends.filter((_end, at) => at < 12 || at % step === 0), bytes.length]) {
          writeFileSync(join(second.home, name), bytes.subarray(0, end));
          await second.read(agent, join(second.home, name), { reader: second.reader() });
        }
        const found = (await second.store.transcripts(second.session)).flatMap(({ list }) => list);
        expect(rows(found)).toEqual(rows(whole));
      } finally {
        await second.end();
      }
    });
  },
);

describe('a transcript that grows', () => {
  const claude = agentOf('claude');

  it('is read from the last position on, and a partial line waits until it is complete', async () => {
    const path = join(scene.home, 't.jsonl');
    const half = JSON.stringify(prompt('2', 'second'));
    writeFileSync(path, lines(prompt('1', 'first')) + half.slice(0, 20));
    await scene.read(claude, path);
    expect((await stored()).map(({ text }) => text)).toEqual(['first']);
    appendFileSync(path, `${half.slice(20)}\n`);
    await scene.read(claude, path);
    expect((await stored()).map(({ text }) => text)).toEqual(['first', 'second']);
  });

  it('counts the tokens of a message once, from its last entry', async () => {
    const path = join(scene.home, 't.jsonl');
    writeFileSync(path, lines(answer('a', 'msg', 1)));
    await scene.read(claude, path);
    appendFileSync(path, lines(answer('b', 'msg', 40)));
    await scene.read(claude, path);
    expect((await stored()).flatMap(({ tokens }) => tokens?.output ?? [])).toEqual([40]);
  });

  it('that was truncated, replaced or rewritten is read again without duplicates', async () => {
    const path = join(scene.home, 't.jsonl');
    const both = lines(prompt('1', 'first'), prompt('2', 'second'));
    writeFileSync(path, both);
    await scene.read(claude, path);
    truncateSync(path, lines(prompt('1', 'first')).length);
    await scene.read(claude, path);
    writeFileSync(`${path}.new`, both + lines(prompt('3', 'third')));
    renameSync(`${path}.new`, path);
    await scene.read(claude, path);
    // Rewritten in place with other text, as long as before and longer.
    writeFileSync(path, lines(prompt('7', 'other'), prompt('8', 'words here'), prompt('9', 'and more of them than there were')));
    await scene.read(claude, path);
    expect((await stored()).map(({ text }) => text)).toEqual([
      'first',
      'second',
      'third',
      'other',
      'words here',
      'and more of them than there were',
    ]);
  });

  it('that did not change is not read again', async () => {
    const path = join(scene.home, 't.jsonl');
    writeFileSync(path, lines(prompt('1', 'first')));
    await scene.read(claude, path);
    const [before] = await scene.store.transcriptHeads(scene.session);
    await scene.read(claude, path);
    expect(await scene.store.transcriptHeads(scene.session)).toEqual([before]);
  });

  it('of a subagent is stored next to that of its session', async () => {
    const [ours, theirs] = [join(scene.home, 't.jsonl'), join(scene.home, 'agent-1.jsonl')];
    writeFileSync(ours, lines(prompt('1', 'first')));
    writeFileSync(theirs, lines(prompt('2', 'a task')));
    await scene.read(claude, ours);
    await scene.read(claude, theirs, { agentId: 'agent-1' });
    expect((await scene.store.transcripts(scene.session)).map(({ agentId, list }) => [agentId, list[0]?.text])).toEqual([
      [null, 'first'],
      ['agent-1', 'a task'],
    ]);
  });
});

describe('what a transcript holds', () => {
  const claude = agentOf('claude');

  it('is redacted before it is stored', async () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const path = join(scene.home, 't.jsonl');
    const call = {
      type: 'tool_use',
      id: 'u1',
      name: 'Bash',
      input: { command: `curl -H "Authorization: token ${secret}"`, password: 'hunter2hunter2' },
    };
    writeFileSync(path, lines(prompt('1', `use ${secret}`), { type: 'assistant', uuid: '2', message: { content: [call] } }));
    await scene.read(claude, path);
    const text = JSON.stringify(await stored());
    expect(text).toContain('curl');
    expect(text).not.toContain(secret);
    expect(text).not.toContain('hunter2hunter2');
  });

  it('is redacted before it is truncated: half a secret does not look like one', async () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const path = join(scene.home, 't.jsonl');
    writeFileSync(path, lines(prompt('1', `${'x '.repeat(40)}${secret} and on`)));
    await scene.read(claude, path, { reader: scene.reader({ entryCharacters: 100 }) });
    expect((await stored())[0]?.text).not.toContain('a1B2c3');
  });

  it('may be binary: the lines around it are read', async () => {
    const path = join(scene.home, 't.jsonl');
    writeFileSync(
      path,
      Buffer.concat([
        Buffer.from(lines(prompt('1', 'first'))),
        Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a]),
        Buffer.from(lines(prompt('2', 'second'))),
      ]),
    );
    await scene.read(claude, path);
    appendFileSync(path, lines(prompt('3', 'third')));
    await scene.read(claude, path);
    expect((await stored()).map(({ text }) => text)).toEqual(['first', 'second', 'third']);
  });

  it('is limited per line, text and session, and a note says so', async () => {
    const path = join(scene.home, 't.jsonl');
    const reader = scene.reader({ windowBytes: 500, lineBytes: 4000, entryCharacters: 100, transcriptCharacters: 250, entries: 6 });
    writeFileSync(
      path,
      lines(
        prompt('1', 'first'),
        prompt('2', 'x'.repeat(9000)),
        prompt('3', `${'y'.repeat(99)}🧗${'y'.repeat(99)}`),
        prompt('4', 'z'.repeat(90)),
        prompt('5', 'w'.repeat(90)),
        prompt('6', 'beyond the room'),
        answer('7', 'msg', 12),
        prompt('8', 'beyond the count'),
        prompt('9', 'beyond the count'),
      ),
    );
    await scene.read(claude, path, { reader });
    const found = await stored();
    expect(found.map(({ text, cut }) => [text, cut])).toEqual([
      ['first', 0],
      ['y'.repeat(99), 101],
      ['z'.repeat(90), 0],
      ['w'.repeat(56), 34],
      [null, 15],
      [null, 6],
    ]);
    const [head] = await scene.store.transcriptHeads(scene.session);
    expect(head?.notes).toEqual([
      'a line of more than 4000 bytes was dropped',
      'texts of more than 100 characters were truncated',
      'the session has more text than is kept. The rest was dropped',
      'only the first 6 entries were kept',
    ]);
    expect(head?.mark.consumed).toBe(readFileSync(path).length);
  });

  it('is limited in files: of very many subagents the first are kept', async () => {
    const reader = scene.reader({ transcripts: 2 });
    for (const name of ['a', 'b', 'c']) {
      const path = join(scene.home, `${name}.jsonl`);
      writeFileSync(path, lines(prompt(name, name)));
      await scene.read(claude, path, { reader, agentId: name });
    }
    expect((await stored()).map(({ text }) => text)).toEqual(['a', 'b']);
    expect(scene.problems.join()).toContain('c.jsonl');
  });
});

it('a long transcript does not block others', async () => {
  const [long, short] = [join(scene.home, 'long.jsonl'), join(scene.home, 'short.jsonl')];
  mkdirSync(scene.home, { recursive: true });
  writeFileSync(long, lines(...Array.from({ length: 50 }, (_, at) => prompt(String(at), `long ${at}`))));
  writeFileSync(short, lines(prompt('s', 'short')));
  copyFileSync(short, `${short}.copy`);
  const reader = scene.reader({ windowBytes: 400 });
  const agent = agentOf('claude');
  const format = agent.transcript as TranscriptFormat;
  const candidate = (path: string) => ({ session: scene.session, ref: 'native', agent, format, path, agentId: null, agentPath: null });
  reader.enqueue([candidate(long), candidate(short)]);
  await reader.step(scene.store);
  await reader.step(scene.store);
  const heads = await scene.store.transcriptHeads(scene.session);
  expect(heads.map(({ entries }) => entries > 0)).toEqual([true, true]);
  expect(heads[0]?.entries).toBeLessThan(50);
  while (await reader.step(scene.store));
  expect((await stored()).filter(({ text }) => text?.startsWith('long'))).toHaveLength(50);
});
