import type { Places } from '@piton/contracts/places';
import { Command } from 'commander';
import { withCommandName } from '../../command-name.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { runChecks } from '../../doctor/all-checks.ts';
import type { CheckInput, Finding } from '../../doctor/finding.ts';
import { scanSecrets } from '../../doctor/secrets.ts';
import { withExamples } from '../../examples.ts';
import { reasonOf } from '../../failure.ts';
import { existingPlaces, userHome } from '../../locations.ts';
import { table } from '../../output/table.ts';
import { oneLine, plural } from '../../output/text.ts';
import { wrapRemedy } from '../../output/wrap-remedy.ts';
import { redactorHere } from '../../redactor.ts';

interface Options {
  readonly fix?: boolean;
  readonly secrets?: boolean;
  readonly json?: boolean;
}

type FindingResult = Finding & { readonly fixed?: string };

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
    return printLine(context, `${context.paint('red', '✗')} ${finding.what}\n    fix: ${withCommandName(context, finding.remedy)}`);
  }
  if (options.secrets) return checkSecrets(context, places, options);
  const input: CheckInput = { context, places, home: userHome(context) };
  const results: FindingResult[] = [];
  for await (const { name, findings } of runChecks(input)) {
    const now = options.fix ? await applyFixes(findings) : findings;
    results.push(...now);
    if (!options.json) report(context, name, now);
  }
  const open = results.filter((each) => each.kind === 'problem' && each.fixed === undefined);
  context.exit.code = open.length > 0 ? 1 : 0;
  if (options.json)
    return printJson(context, {
      ok: open.length === 0,
      findings: results.map(({ fix, ...finding }) => ({ ...finding, fixable: fix !== undefined })),
    });
  conclude(context, open, options);
}

async function checkSecrets(context: Context, places: Places, { fix = false, json }: Options): Promise<void> {
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
    return printLine(context, `${paint('green', '✓')} no secrets in ${plural(report.looked, 'record')} (rules ${report.rules})`);
  printLine(
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
  printLine(
    context,
    ok
      ? `\n${plural(report.rewritten, 'record')} redacted.`
      : `\nRedact them: ${paint('bold', withCommandName(context, 'piton doctor --secrets --fix'))}`,
  );
}

async function applyFixes(found: readonly Finding[]): Promise<FindingResult[]> {
  const results: FindingResult[] = [];
  for (const finding of found) {
    try {
      results.push(finding.fix ? { ...finding, fixed: await finding.fix() } : finding);
    } catch (error) {
      results.push({ ...finding, remedy: `${finding.remedy} (--fix failed: ${reasonOf(error)})` });
    }
  }
  return results;
}

/** It may contain text of others: their lines must not look like ours. */
const indented = ({ width }: Context, text: string, used = 4): string => wrapRemedy(oneLine(text), { width, used, indent: '    ' });

function report(context: Context, name: string, found: readonly FindingResult[]): void {
  const { paint } = context;
  if (found.length === 0) return printLine(context, `${paint('green', '✓')} ${name}`);
  for (const finding of found) {
    const mark = finding.fixed !== undefined ? paint('green', '✓') : finding.kind === 'note' ? paint('yellow', '!') : paint('red', '✗');
    printLine(context, `${mark} ${indented(context, `${name}: ${withCommandName(context, finding.what)}`, 2)}`);
    if (finding.where) printLine(context, `    ${indented(context, `where: ${finding.where}`)}`);
    const end = finding.fixed === undefined ? `fix: ${withCommandName(context, finding.remedy)}` : `fixed: ${finding.fixed}`;
    printLine(context, `    ${indented(context, end)}`);
  }
}

function conclude(context: Context, open: readonly FindingResult[], options: Options): void {
  if (open.length === 0) return printLine(context, '\nNo problems found.');
  const fixable = open.filter((each) => each.fix !== undefined).length;
  printLine(
    context,
    `\n${plural(open.length, 'problem')}.${fixable > 0 && !options.fix ? ` ${context.paint('bold', withCommandName(context, 'piton doctor --fix'))} fixes ${fixable === open.length ? 'all of them' : `${fixable} of them`}.` : ''}`,
  );
}
