// Posts the event of a hook to the address in post.json, and prints the answer.
import { readFileSync } from 'node:fs';

const LONGEST_ANSWER = 1_000_000;
const { url, headers, variables, timeoutMs } = JSON.parse(readFileSync(new URL('post.json', import.meta.url), 'utf8'));
const filled = (text) =>
  text.replace(/\$\{(\w+)\}|\$(\w+)/g, (_, braced, bare) => {
    const name = braced ?? bare;
    return variables.includes(name) ? (process.env[name] ?? '') : '';
  });
const fail = (why) => {
  process.stderr.write(`${new URL(url).origin}: ${why}\n`);
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
  if (!answer.ok) fail(`answered with ${answer.status}`);
  const chunks = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    if (length > LONGEST_ANSWER) fail('answered with more than a megabyte');
    chunks.push(chunk);
  }
  process.stdout.write(Buffer.concat(chunks));
} catch (error) {
  fail(error.name === 'TimeoutError' ? `did not answer in ${timeoutMs / 1000} s` : (error.cause?.code ?? error.message));
}
