import type { JsonObject, NativeHook } from '@piton/contracts';
import { isObject, textOf } from '../json-fields.ts';

/** What a hook of the type `http` is as a command: a script that posts the event and prints the answer. */
type Posted = Pick<NativeHook, 'command' | 'bundled' | 'requires'>;

const SCRIPT = 'scripts/post.mjs';
const CONFIG = 'scripts/post.json';

/** Only to this machine, or encrypted: the event may hold what others must not read. */
function addressProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'its address cannot be read';
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return 'its address holds a password: put it into a header, by a variable';
  if (protocol === 'https:') return undefined;
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
  return protocol === 'http:' && isLoopback ? undefined : 'it would send events in the clear: only https, or http to this machine';
}

export function postHook(handler: JsonObject, timeoutMs: number): Posted | { readonly what: string; readonly why: string } {
  const url = textOf(handler, 'url') ?? '';
  const problem = addressProblem(url);
  if (problem !== undefined) return { what: 'a hook of the type http', why: problem };
  const headers = Object.entries(isObject(handler.headers) ? handler.headers : {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  const variables = (Array.isArray(handler.allowedEnvVars) ? handler.allowedEnvVars : []).filter((one) => typeof one === 'string');
  const config = { url, headers: Object.fromEntries(headers), variables, timeoutMs };
  return {
    command: `node ${SCRIPT}`,
    bundled: [
      { path: SCRIPT, text: PROGRAM },
      { path: CONFIG, text: `${JSON.stringify(config, null, 2)}\n` },
    ],
    requires: ['node'],
  };
}

/**
 * As Claude Code does it: the event as the body; an answer with a status of 2xx is the hook's output, everything else a failure
 * that decides nothing. It follows no redirect: that would send the event to an address that nobody has looked at.
 */
const PROGRAM = `// Posts the event of a hook to the address in post.json, and prints the answer.
import { readFileSync } from 'node:fs';

const LONGEST_ANSWER = 1_000_000;
const { url, headers, variables, timeoutMs } = JSON.parse(readFileSync(new URL('post.json', import.meta.url), 'utf8'));
const filled = (text) =>
  text.replace(/\\$\\{(\\w+)\\}|\\$(\\w+)/g, (_, braced, bare) => {
    const name = braced ?? bare;
    return variables.includes(name) ? (process.env[name] ?? '') : '';
  });
const fail = (why) => {
  process.stderr.write(\`\${new URL(url).origin}: \${why}\\n\`);
  process.exit(1);
};

try {
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      'content-type': 'application/json',
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
    },
    body: readFileSync(0),
  });
  if (!answer.ok) fail(\`answered with \${answer.status}\`);
  const chunks = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    if (length > LONGEST_ANSWER) fail('answered with more than a megabyte');
    chunks.push(chunk);
  }
  process.stdout.write(Buffer.concat(chunks));
} catch (error) {
  fail(error.name === 'TimeoutError' ? \`did not answer in \${timeoutMs / 1000} s\` : (error.cause?.code ?? error.message));
}
`;
