// A build of the server that notes when each step of a frame is done. The steps are marked in the sources as they are bundled: a
// line that is not there any more is an error, so the profile never shows a step that has moved.
import { readFileSync } from 'node:fs';
import { bundle, WRAPPED } from '../../scripts/bundle.mjs';

/** What is noted, in the order in which it comes to pass. */
export const MARKS = ['woken', 'frame', 'journalled', 'decoded', 'planned', 'hooks', 'encoded', 'answering', 'written', 'outcome', 'done'];
const mark = (name) => `globalThis.__mark(${MARKS.indexOf(name)})`;
const after = (name, expression) => `globalThis.__after(${MARKS.indexOf(name)}, ${expression})`;

/** By file: what stands there, and what is bundled in its place. */
const EDITS = {
  'apps/server/src/transport/connection.ts': [
    ['  #receive(chunk: Buffer): void {\n', (line) => `${line}${mark('woken')};\n`],
    [
      '    if (last) this.#socket.end(bytes);\n    else this.#socket.write(bytes);\n',
      (lines) => `${mark('answering')};\n${lines}${mark('written')};\n`,
    ],
  ],
  'apps/server/src/transport/frame-handler.ts': [
    [
      '    const received = receiveFrame(lifecycle, frame);\n    if (frame.runsNothing',
      (lines) => lines.replace(';\n', `;${mark('frame')};\n`),
    ],
    ['journal.appendSmallFrame(bytes)', (expression) => after('journalled', expression)],
    ["    if (prepared === 'failed') return;\n", (line) => `${line}${mark('planned')};\n`],
    ['    outcome ??= this.#journalOutcome(decided);\n', (line) => `${line}${mark('outcome')};\n`],
    ['    if (afterwards !== null) void this.#runLater', (line) => `${mark('done')};\n${line}`],
  ],
  'packages/lifecycle/src/received-frame.ts': [
    ['decodeEvent(frame, ports.agentFor, ports.home, parseExactly)', (expression) => after('decoded', expression)],
  ],
  'packages/lifecycle/src/decide-frame.ts': [
    ['  const { trace, waitedUs } = ran;\n', (line) => `${mark('hooks')};\n${line}`],
    ['  const encoded = inNative(encode(agent, event, reduced, frame), reduced, ran.native);\n', (line) => `${line}${mark('encoded')};\n`],
  ],
};

/** Notes go to memory, and to the file when the server ends: pairs of a mark and nanoseconds of the monotonic clock. */
const recorder = (file) => `
const __notes = new Float64Array(1 << 20);
let __count = 0;
globalThis.__mark = (what) => {
  if (__count === __notes.length) return;
  __notes[__count++] = what;
  __notes[__count++] = Number(process.hrtime.bigint());
};
globalThis.__after = (what, value) => (globalThis.__mark(what), value);
process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(file)}, new Uint8Array(__notes.buffer, 0, __count * 8)));
`;

function edited(path, edits) {
  return edits.reduce(
    (text, [there, change]) => {
      if (text.split(there).length !== 2) throw new Error(`profile: ${path} does not have once: ${there.trim()}`);
      return text.replace(there, () => change(there));
    },
    readFileSync(path, 'utf8'),
  );
}

const plugin = {
  name: 'marks',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const found = Object.entries(EDITS).find(([file]) => path.endsWith(`/${file}`));
      return found && { contents: edited(path, found[1]), loader: 'ts' };
    });
  },
};

/** Writes the marked server to `folder/bundles/server.js`; it leaves its notes in `notes`. */
export const buildMarked = (folder, notes) =>
  bundle(
    {
      ...{ from: 'apps/server/src/main.ts', to: 'bundles/server.js', format: 'cjs', packed: true },
      ...{ banner: WRAPPED.banner + recorder(notes), footer: WRAPPED.footer },
    },
    folder,
    [plugin],
  );

/** All notes of a file, oldest first. */
export function readNotes(file) {
  const bytes = readFileSync(file);
  const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
  return Array.from({ length: numbers.length / 2 }, (_, at) => ({ mark: MARKS[numbers[2 * at]], at: numbers[2 * at + 1] }));
}
