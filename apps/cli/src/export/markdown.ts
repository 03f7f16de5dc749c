import type { ExportCommit, ExportDocument, ExportSession, ExportTurn } from '@piton/contracts';
import { plural, printable } from '../output/text.ts';
import { dayAndTime, durationBetween, groupTools, share, shorten, summaryOf, type ToolGroup, titleOf, tokenWords } from './facts.ts';

/** Forges limit the description of a pull request to 65,536 characters. */
const MAX_CHARACTERS = 60_000;

interface Limits {
  readonly prompt: number;
  readonly answer: number;
  readonly tools: number;
  readonly turns: number;
  readonly inputs: boolean;
}
const FULL: Limits = { prompt: Infinity, answer: Infinity, tools: Infinity, turns: Infinity, inputs: true };
/** Each is shorter than the one before. The first that fits is used. */
const COMPACT: readonly Limits[] = [
  { prompt: 1200, answer: 600, tools: 20, turns: 100, inputs: false },
  { prompt: 400, answer: 200, tools: 8, turns: 60, inputs: false },
  { prompt: 160, answer: 0, tools: 3, turns: 30, inputs: false },
  { prompt: 80, answer: 0, tools: 0, turns: 10, inputs: false },
];

export function toMarkdown(document: ExportDocument, full: boolean): string {
  if (full) return render(document, FULL);
  const last = COMPACT.at(-1) ?? FULL;
  const fitting = COMPACT.map((limits) => render(document, limits)).find((text) => text.length <= MAX_CHARACTERS);
  return fitting ?? cutToFit(render(document, last));
}

function cutToFit(text: string): string {
  const whole = text.slice(0, MAX_CHARACTERS);
  return `${whole.slice(0, whole.lastIndexOf('\n<details>'))}\n\n*Shortened. In full: \`piton export --full\`.*\n`;
}

const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '@': '&#64;\u200b', '#': '&#35;\u200b' };

/**
 * Escapes untrusted text, so that it produces no markup, no mention of a person and no reference to an issue. Forges look for
 * these in the rendered text, where an entity is a plain character again, so a zero-width space separates the sign from the name.
 */
export const escaped = (text: string): string =>
  printable(text)
    .replace(/[&<>@#]/g, (mark) => MARKS[mark] as string)
    .replace(/[\\`*_{}[\]|~!$]/g, '\\$&')
    .replace(/\b(https?):\/\//gi, '$1:\u200b//')
    .replace(/\bwww\.|\bGH-(?=\d)|!(?=\d)/gi, '$&\u200b')
    .replace(/^(\s*)([-+=])/gm, '$1\\$2')
    .replace(/^(\s*\d+)([.)])(?=\s|$)/gm, '$1\\$2');

const inline = (text: string, length: number): string => escaped(shorten(text.replace(/\s+/g, ' ').trim(), length));

/** In a code span only its closing delimiter is special: use one more back-tick than the longest run inside. */
export function code(text: string): string {
  const plain = printable(text).replace(/\s+/g, ' ').trim();
  if (plain === '') return '';
  const longest = Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const gap = plain.startsWith('`') || plain.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${plain}${gap}${fence}`;
}

const quoted = (text: string, length: number): string =>
  escaped(shorten(text.trim(), length))
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

function render(document: ExportDocument, limits: Limits): string {
  const { commits, sessions } = document;
  return [
    `## ${escaped(titleOf(document))}`,
    summaryOf(document).map(escaped).join(' · '),
    ...(commits.length > 0 ? [commitTable(commits, document)] : []),
    ...sessions.map((session) => sessionText(session, limits)),
    ...(sessions.length === 0 ? ['*No recorded session contributed to this.*'] : []),
    `<sub>Recorded and redacted by Piton ${escaped(document.piton)}, ${dayAndTime(document.createdAt)}.</sub>`,
    '',
  ].join('\n\n');
}

const MAX_ROWS = 50;

function commitTable(commits: readonly ExportCommit[], { sessions }: ExportDocument): string {
  const titles = new Map(sessions.map(({ providerRef, title }) => [providerRef, title]));
  const rows = commits.slice(-MAX_ROWS).map(({ sha, subject, lines, sessions: refs }) => {
    const percent = share(lines);
    const who = [...new Set(refs.map((ref) => titles.get(ref) ?? 'an agent'))].join(', ');
    const by = percent === null ? '' : `${lines.agent} (${percent} %)`;
    return `| ${code(sha.slice(0, 10))} | ${inline(subject, 80)} | ${by} | ${lines.human}${lines.shared ? ` + ${lines.shared} shared` : ''} | ${escaped(who)} |`;
  });
  const more = commits.length > MAX_ROWS ? [`| | *and ${commits.length - MAX_ROWS} earlier* | | | |`] : [];
  return ['| commit | | lines by agents | by people | |', '|---|---|--:|--:|---|', ...more, ...rows].join('\n');
}

function sessionText(session: ExportSession, limits: Limits): string {
  const { title, model, turns, files, usage, notes, startedAt, providerRef } = session;
  const tools = turns.reduce((sum, turn) => sum + turn.tools.length, 0);
  const facts = [
    dayAndTime(startedAt),
    plural(turns.length, 'turn'),
    plural(tools, 'tool call'),
    ...(files.length > 0 ? [plural(files.length, 'file')] : []),
  ];
  const shown = turns.slice(0, limits.turns);
  return [
    `<details>\n<summary><b>${escaped(title)}</b>${model ? ` (${escaped(model)})` : ''} · ${facts.join(' · ')}</summary>`,
    ...shown.map((turn) => turnText(turn, limits)),
    ...(turns.length > shown.length ? [`*${plural(turns.length - shown.length, 'more turn')}: \`piton export --full\`.*`] : []),
    [
      ...usage.map(
        ({ model: name, requests, tokens }) =>
          `- ${escaped(name ?? 'model unknown')}: ${plural(requests, 'request')}, ${tokenWords(tokens)}`,
      ),
      ...notes.map((note) => `- ${escaped(note)}`),
      ...(providerRef === '' ? [] : [`- session ${code(providerRef)}`]),
    ].join('\n'),
    '</details>',
  ].join('\n\n');
}

function turnText(turn: ExportTurn, limits: Limits): string {
  const { number, prompt, answer, tools, checkpoints, startedAt, endedAt, tokens } = turn;
  const facts = [durationBetween(startedAt, endedAt), tokens && tokenWords(tokens)].filter(Boolean).join(' · ');
  const groups = groupTools(tools);
  const shown = limits.inputs ? tools.map((tool) => groupTools([tool])[0] as ToolGroup) : groups.slice(0, limits.tools);
  const rest = limits.inputs ? 0 : groups.slice(limits.tools).reduce((sum, { times }) => sum + times, 0);
  const commits = checkpoints.flatMap(({ commit }) => commit ?? []);
  return [
    `**Turn ${number}**${facts ? ` · ${facts}` : ''}`,
    ...(prompt === null ? [] : [quoted(prompt, limits.prompt)]),
    ...(shown.length + rest > 0
      ? [[...shown.map((group) => toolLine(group, limits)), ...(rest > 0 ? [`- ${plural(rest, 'more tool call')}`] : [])].join('\n')]
      : []),
    ...(answer === null || limits.answer === 0 ? [] : [escaped(shorten(answer.trim(), limits.answer))]),
    ...(checkpoints.length === 0
      ? []
      : [
          `Checkpoints ${checkpoints.map(({ id }) => code(id.slice(0, 12))).join(', ')}${commits.length > 0 ? `, in ${commits.map((sha) => code(sha.slice(0, 10))).join(', ')}` : ''}`,
        ]),
  ].join('\n\n');
}

function toolLine({ tool, subject, times }: ToolGroup, { inputs }: Limits): string {
  const marks = [times > 1 ? `${times} ×` : '', tool.subagent ? 'in a subagent' : '', tool.failed ? '**failed**' : '']
    .filter(Boolean)
    .join(', ');
  const head = `- ${tool.denied === null ? '' : '🛑 '}${escaped(tool.name)}${subject ? ` ${code(shorten(subject, inputs ? 4000 : 160))}` : ''}${marks ? ` (${marks})` : ''}`;
  const denied = tool.denied === null ? '' : `: denied, ${inline(tool.denied, 300)}`;
  return inputs && tool.input !== null ? `${head}${denied}\n  ${code(tool.input)}` : head + denied;
}
