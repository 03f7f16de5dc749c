import type { Places } from '@piton/contracts/places';
import { Command } from 'commander';
import { spelled } from '../command-name.ts';
import { type Context, printJson, say } from '../context.ts';
import { agentsCheck } from '../doctor/agent-checks.ts';
import type { Check, Finding, Patient } from '../doctor/finding.ts';
import { hooksCheck } from '../doctor/hook-checks.ts';
import { journalCheck } from '../doctor/journal-checks.ts';
import { diskCheck, liftedCheck, nodeCheck, privacyCheck } from '../doctor/machine-checks.ts';
import { repositoriesCheck } from '../doctor/repository-checks.ts';
import { runtimeCheck } from '../doctor/runtime-checks.ts';
import { scanSecrets } from '../doctor/secrets.ts';
import { serverCheck } from '../doctor/server-checks.ts';
import { settingsCheck } from '../doctor/settings-checks.ts';
import { storeCheck } from '../doctor/store-checks.ts';
import { withExamples } from '../examples.ts';
import { Failure, reasonOf } from '../failure.ts';
import { existingPlaces, userHome } from '../locations.ts';
import { table } from '../output/table.ts';
import { plural, printable } from '../output/text.ts';
import { redactorHere } from '../redactor.ts';

interface Options {
  readonly fix?: boolean;
  readonly secrets?: boolean;
  readonly json?: boolean;
}

/** From the ground up: what stands on something broken is looked at after it. */
const CHECKS: readonly (readonly [string, Check])[] = [
  ['disk', diskCheck],
  ['private directories', privacyCheck],
  ['Node', nodeCheck],
  ['runtime', runtimeCheck],
  ['agents', agentsCheck],
  ['repositories', repositoriesCheck],
  ['server', serverCheck],
  ['journal', journalCheck],
  ['store', storeCheck],
  ['settings', settingsCheck],
  ['hooks', hooksCheck],
  ['environment', liftedCheck],
];

type Treated = Finding & { readonly fixed?: string };

export function doctorCommand(context: Context): Command {
  const command = new Command('doctor')
    .option('--fix', 'Fix what can be fixed without asking')
    .option('--secrets', 'Scan everything stored for secrets, by the current rules. With --fix, redact them')
    .option('--json', 'Print JSON')
    .action((options: Options) => run(context, options));
  return withExamples(command, ['doctor', 'doctor --fix', 'doctor --secrets', 'doctor --secrets --fix', 'doctor --json']);
}

async function run(context: Context, options: Options): Promise<void> {
  const places = existingPlaces(context);
  if (!places) {
    context.exit.code = 1;
    const finding = { id: 'piton.absent', kind: 'problem', what: 'Piton is not set up', remedy: 'piton init' };
    if (options.json) return printJson(context, { ok: false, findings: [finding] });
    return say(context, `${context.paint('red', '✗')} ${finding.what}\n    fix: ${spelled(context, finding.remedy)}`);
  }
  if (options.secrets) return lookForSecrets(context, places, options);
  const patient: Patient = { context, places, home: userHome(context) };
  const treated: Treated[] = [];
  for (const [name, check] of CHECKS) {
    const found = await examine(name, check, patient);
    const now = options.fix ? await treat(found) : found;
    treated.push(...now);
    if (!options.json) report(context, name, now);
  }
  const open = treated.filter((each) => each.kind === 'problem' && each.fixed === undefined);
  context.exit.code = open.length > 0 ? 1 : 0;
  if (options.json)
    return printJson(context, {
      ok: open.length === 0,
      findings: treated.map(({ fix, ...finding }) => ({ ...finding, fixable: fix !== undefined })),
    });
  conclude(context, open, options);
}

async function lookForSecrets(context: Context, places: Places, { fix = false, json }: Options): Promise<void> {
  const report = await scanSecrets(context, places, redactorHere(context), fix);
  const found = [...report.kinds.values()].sort((a, b) => b.count - a.count || a.kind.localeCompare(b.kind));
  const ok = report.affected === report.rewritten;
  context.exit.code = ok ? 0 : 1;
  if (json)
    return printJson(context, {
      ok,
      rules: report.rules,
      looked: report.looked,
      affected: report.affected,
      rewritten: report.rewritten,
      found: found.map(({ where, events, ...kind }) => ({ ...kind, where: [...where].sort(), events: [...events] })),
    });
  const { paint } = context;
  if (report.affected === 0)
    return say(context, `${paint('green', '✓')} no secrets in ${plural(report.looked, 'record')} (rules ${report.rules})`);
  say(
    context,
    `${ok ? paint('green', '✓') : paint('red', '✗')} ${plural(report.affected, 'record')} of ${report.looked} contained secrets (rules ${report.rules})\n`,
  );
  context.out(
    table(context, found, [
      { title: 'KIND', value: ({ kind }) => kind },
      { title: 'COUNT', value: ({ count }) => String(count) },
      { title: 'WHERE', value: ({ where }) => [...where].sort().join(', '), flexible: true },
      { title: 'EVENTS', value: ({ events }) => [...events].join(' '), colour: () => 'dim' },
    ]),
  );
  say(
    context,
    ok
      ? `\n${plural(report.rewritten, 'record')} redacted.`
      : `\nRedact them: ${paint('bold', spelled(context, 'piton doctor --secrets --fix'))}`,
  );
}

/** A check that fails itself is a finding too, and keeps none of the others from running. */
async function examine(name: string, check: Check, patient: Patient): Promise<readonly Finding[]> {
  try {
    return await check(patient);
  } catch (error) {
    const failure = error instanceof Failure ? error : undefined;
    return [
      {
        id: 'doctor.check',
        kind: 'problem',
        what: `the check of ${name} failed: ${reasonOf(error)}`,
        ...(failure?.where && { where: failure.where }),
        remedy: failure?.remedy ?? 'report this as a bug',
      },
    ];
  }
}

async function treat(found: readonly Finding[]): Promise<Treated[]> {
  const treated: Treated[] = [];
  for (const finding of found) {
    try {
      treated.push(finding.fix ? { ...finding, fixed: await finding.fix() } : finding);
    } catch (error) {
      treated.push({ ...finding, remedy: `${finding.remedy} (--fix failed: ${reasonOf(error)})` });
    }
  }
  return treated;
}

/** It may quote others: a line of theirs is none of ours. */
const told = (text: string): string => printable(text).replaceAll('\n', '\n    ');

function report(context: Context, name: string, found: readonly Treated[]): void {
  const { paint } = context;
  if (found.length === 0) return say(context, `${paint('green', '✓')} ${name}`);
  for (const finding of found) {
    const mark = finding.fixed !== undefined ? paint('green', '✓') : finding.kind === 'note' ? paint('yellow', '!') : paint('red', '✗');
    say(context, `${mark} ${name}: ${told(spelled(context, finding.what))}`);
    if (finding.where) say(context, `    where: ${told(finding.where)}`);
    say(context, `    ${told(finding.fixed === undefined ? `fix: ${spelled(context, finding.remedy)}` : `fixed: ${finding.fixed}`)}`);
  }
}

function conclude(context: Context, open: readonly Treated[], options: Options): void {
  if (open.length === 0) return say(context, '\nNo problems found.');
  const fixable = open.filter((each) => each.fix !== undefined).length;
  say(
    context,
    `\n${plural(open.length, 'problem')}.${fixable > 0 && !options.fix ? ` ${context.paint('bold', spelled(context, 'piton doctor --fix'))} fixes ${fixable === open.length ? 'all of them' : `${fixable} of them`}.` : ''}`,
  );
}
