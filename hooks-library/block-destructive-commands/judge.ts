import { type Call, FORK_BOMB, HIDDEN_SCRIPT, isUncertain, type Surroundings, UNKNOWN, type Walked, walkCommand } from '@piton/shell';
import type { Finding, Rules } from './rule.ts';
import { CLOUD } from './rules/cloud.ts';
import { DATABASE } from './rules/database.ts';
import { DISK, writesDevice } from './rules/disk.ts';
import { GIT } from './rules/git.ts';
import { awkRules, interpreterRule } from './rules/interpreter.ts';
import { REMOVING } from './rules/remove.ts';

const OTHERS: Rules = {
  [HIDDEN_SCRIPT]: () => ({
    what: 'it runs text that was decoded or changed on its way, so that nobody can read what it does',
    instead: 'Write the commands out.',
  }),
  [FORK_BOMB]: () => ({ what: 'a function that starts itself twice never ends', instead: 'Call it once, with a condition that ends it.' }),
};
const RULES: Rules = { ...REMOVING, ...GIT, ...DISK, ...DATABASE, ...CLOUD, ...OTHERS };

const byInterpreter = interpreterRule(judgeCalls);
const BY_AWK = awkRules(judgeCalls);

/** The first call that must not run. A deny takes precedence over a question. */
function judgeCalls({ calls }: Walked, surroundings: Surroundings): Finding | undefined {
  const findings = calls.map((call) => findingOf(call, surroundings)).filter((finding) => finding !== undefined);
  return findings.find(({ ask }) => !ask) ?? findings[0];
}

function findingOf(call: Call, surroundings: Surroundings): Finding | undefined {
  const { program } = call;
  const own = Object.hasOwn(RULES, program) ? RULES[program] : program.startsWith('mkfs.') ? RULES.mkfs : undefined;
  return (
    writesDevice(call) ??
    own?.(call, surroundings) ??
    byInterpreter(call, surroundings) ??
    (Object.hasOwn(BY_AWK, program) ? BY_AWK[program]?.(call, surroundings) : undefined) ??
    (isUncertain(program) ? unknownProgram(call, surroundings) : undefined)
  );
}

/** `$X -rf ~`: whatever the program is, it gets `-rf` and a protected target. */
function unknownProgram(call: Call, surroundings: Surroundings): Finding | undefined {
  if (!call.program.startsWith(UNKNOWN) && call.program.length > 1) return undefined;
  const force = call.args.some((arg) => /^-[a-zA-Z]*[rR][a-zA-Z]*$/.test(arg));
  return force ? RULES.rm?.(call, surroundings) : undefined;
}

/** Words that make a command that could not be parsed worth a question. */
const DANGEROUS = /\b(?:rm|dd|mkfs|shred|truncate|rmtree|git|drop|terraform|kubectl)\b/i;

export function judgeCommand(command: string, surroundings: Surroundings): Finding | undefined {
  const walked = walkCommand(command, surroundings);
  const finding = judgeCalls(walked, surroundings);
  if (finding || !walked.lost || !DANGEROUS.test(command)) return finding;
  return { what: 'it is too long or too deeply nested to be read to its end', instead: 'Split it into shorter commands.', ask: true };
}
