// What a session of 200 turns takes in the store, beside one whole transcript for each checkpoint, as files and as git would keep them.
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { importTypeScript } from '../scripts/import-typescript.mjs';

const WORDS =
  'parser test login error form value index branch commit state prompt answer column schema button route cache token frame'.split(' ');

/** The same session each time: numbers from a seed. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

/** A turn as Claude Code writes it: a prompt, a few tools with their whole results, an answer. */
function turnLines(turn, roll) {
  const prose = (words) => Array.from({ length: words }, () => WORDS[roll(WORDS.length)]).join(' ');
  const line = (type, message, at) =>
    JSON.stringify({ type, uuid: `u-${turn}-${at}`, timestamp: new Date(1.7e12 + turn * 60_000 + at).toISOString(), message });
  const lines = [line('user', { content: prose(40) }, 0)];
  for (let tool = 0; tool < 6; tool++) {
    const id = `toolu-${turn}-${tool}`;
    const input =
      tool % 2 === 0
        ? { command: prose(8) }
        : { file_path: `/code/src/${WORDS[roll(20)]}.ts`, old_string: prose(60), new_string: prose(60) };
    const usage = { input_tokens: 1000 + roll(5000), output_tokens: roll(900), cache_read_input_tokens: roll(90_000) };
    lines.push(
      line(
        'assistant',
        { id: `msg-${id}`, model: 'm', content: [{ type: 'tool_use', id, name: tool % 2 === 0 ? 'Bash' : 'Edit', input }], usage },
        2 * tool + 1,
      ),
    );
    lines.push(line('user', { content: [{ type: 'tool_result', tool_use_id: id, content: prose(400) }] }, 2 * tool + 2));
  }
  lines.push(
    line(
      'assistant',
      { id: `msg-${turn}`, model: 'm', content: [{ type: 'text', text: prose(120) }], usage: { input_tokens: 9, output_tokens: 200 } },
      20,
    ),
  );
  return `${lines.join('\n')}\n`;
}

const git = (root, ...args) =>
  execFileSync('git', args, {
    cwd: root,
    env: { ...process.env, HOME: root, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString();

export async function transcriptStorage(turns = 200) {
  const directory = mkdtempSync(join(tmpdir(), 'piton-bench-transcripts-'));
  try {
    const { openStore, TranscriptReader, createRedactor, claude, seedRecord } = await importTypeScript('bench/transcripts-entry.ts');
    const [home, copies] = [join(directory, 'home'), join(directory, 'copies')];
    for (const each of [home, copies]) mkdirSync(each);
    git(copies, 'init', '--quiet');
    const opened = await openStore({ kind: 'sqlite', file: join(directory, 'piton.db') });
    if (!opened.ok) throw new Error(opened.error);
    const redactor = createRedactor({ key: Buffer.alloc(32, 1) });
    const report = await opened.store.record([seedRecord()]);
    const session = report.events[0].session;
    const empty = (await opened.store.stats()).bytes;
    const reader = new TranscriptReader({ home, redactor, trouble: (what) => console.error(what) });
    const [path, roll] = [join(home, 't.jsonl'), random(7)];
    const sums = { whole: 0, deflated: 0 };
    for (let turn = 0; turn < turns; turn++) {
      appendFileSync(path, turnLines(turn, roll));
      reader.enqueue([{ session, agent: claude, path, agentId: null, own: null }]);
      while (await reader.step(opened.store));
      const bytes = readFileSync(path);
      sums.whole += bytes.length;
      sums.deflated += deflateSync(bytes).length;
      cpSync(path, join(copies, `${turn}.jsonl`));
    }
    git(copies, 'add', '-A');
    git(copies, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'all');
    git(copies, 'gc', '--quiet');
    const packed = Number(/size-pack: (\d+)/.exec(git(copies, 'count-objects', '-v'))?.[1] ?? 0) * 1024;
    await opened.store.compact();
    const ours = (await opened.store.stats()).bytes - empty;
    await opened.store.close();
    return { turns, transcript: statSync(path).size, ...sums, packed, ours };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
