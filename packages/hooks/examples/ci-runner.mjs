// Holds recorded events against a team's hooks, as a CI job does: exit 1 if one is denied.
//   node ci-runner.mjs hooks.json events.jsonl
// hooks.json: [{ "name", "event", "matcher", "command", … }]; a line of events.jsonl: { "event", "toolName", "toolInput", … }
import { readFileSync } from 'node:fs';
import { fire, hookProblem } from '@piton/hooks';

const [hooksFile, eventsFile] = process.argv.slice(2);
const hooks = JSON.parse(readFileSync(hooksFile, 'utf8'));
const events = readFileSync(eventsFile, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));

const broken = hooks.flatMap((hook) => hookProblem(hook) ?? []);
for (const problem of broken) console.log(`broken: ${problem}`);

let denied = 0;
for (const { event, ...happening } of events) {
  // In CI nobody waits for long, and no hook needs the job's credentials.
  const { decision, trace } = await fire(hooks, event, { ...happening, budget: 10_000, unset: ['NPM_TOKEN', 'CI_*', 'GITHUB_*'] });
  const why = decision.reason ? `: ${decision.reason}` : '';
  console.log(`${decision.verdict.padEnd(7)} ${event} ${happening.toolName ?? ''}${why}`);
  for (const entry of trace) if (entry.did === 'ran' && entry.failed) console.log(`        ${entry.hook} failed: ${entry.note}`);
  if (decision.verdict === 'deny') denied++;
}
console.log(`${events.length} events, ${denied} denied, ${broken.length} broken hooks`);
process.exitCode = denied > 0 || broken.length > 0 ? 1 : 0;
