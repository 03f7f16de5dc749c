// How fast secrets are taken out, in a worker as in the server, beside reading the same bytes.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { importTypeScript } from '../scripts/import-typescript.mjs';

const SIZE = 8 * 1024 * 1024;
const ROUNDS = 7;

/** What agents mostly read and write: prose, code and listings, without a secret in it. */
function cleanText() {
  const lines = [
    'The parser reads a line, splits it at the colon and gives back the name and the value.',
    'export function readLine(text, at) { return { name: text.slice(0, at), value: text.slice(at + 1) }; }',
    '{"session_id":"4f9d2c1e-8a7b-4c3d-9e0f-1a2b3c4d5e6f","tool_name":"Bash","tool_input":{"command":"npm test"}}',
    '-rw-r--r-- 1 me me  4096 Nov 15 12:00 src/index.ts',
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8 Merge branch main into feature/listing',
    '    at Object.<anonymous> (/home/me/project/test/parser.test.ts:42:17)',
  ];
  let text = '';
  for (let at = 0; text.length < SIZE; at++) text += `${lines[at % lines.length]} ${at}\n`;
  return text;
}

function denseText() {
  let text = '';
  for (let at = 0; text.length < SIZE / 4; at++)
    text += `line ${at} DB_PASSWORD=hunter${at} gh${'p_'}${String(at).padStart(36, 'aB3')} end\n`;
  return text;
}

/** The cheapest thing that looks at every character. */
function readThrough(text) {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum + text.charCodeAt(at)) | 0;
  return sum;
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

async function measure() {
  const { createRedactor } = await importTypeScript('packages/redact/src/index.ts');
  const redactor = createRedactor({ key: Buffer.alloc(32, 1) });
  // As they come out of a parsed payload: in one piece.
  const [clean, dense] = [cleanText(), denseText()].map((text) => Buffer.from(text).toString());
  const sides = {
    read: () => readThrough(clean),
    clean: () => redactor.text(clean),
    value: () => redactor.value({ tool_response: { stdout: clean } }),
    dense: () => redactor.text(dense),
  };
  const times = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, side] of Object.entries(sides)) {
      // Processor time: what else this machine does makes no difference.
      const before = process.cpuUsage();
      side();
      const { user, system } = process.cpuUsage(before);
      times[name].push((user + system) / 1000);
    }
  }
  const speed = (name, size) => size / 1e6 / (median(times[name]) / 1e3);
  return {
    read: speed('read', clean.length),
    clean: speed('clean', clean.length),
    value: speed('value', clean.length),
    dense: speed('dense', dense.length),
  };
}

export function redaction() {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: 'redaction' });
    worker.on('message', resolve);
    worker.on('error', reject);
  });
}

if (!isMainThread && workerData === 'redaction') parentPort.postMessage(await measure());
