import {
  allTokens,
  type ExportCommit,
  type ExportDocument,
  type ExportLines,
  type ExportSession,
  type ExportTool,
  type ExportTurn,
} from '@piton/contracts';
import { plural, printable } from '../output/text.ts';
import { costCell, costWords } from './cost.ts';
import { compactNumber, dayAndTime, durationBetween, groupTools, share, shorten, type ToolGroup, titleOf, tokenWords } from './facts.ts';
import { STYLE } from './style.ts';

const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const html = (text: string): string => printable(text).replace(/[&<>"']/g, (mark) => MARKS[mark] as string);

/** The page runs no script and loads nothing, whatever text of an agent is in it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const [LONG_PROMPT, LONG_ANSWER, LONG_SUBJECT] = [6000, 6000, 400];

/** A single self-contained file. */
export function toHtml(document: ExportDocument, full: boolean): string {
  const { commits, sessions, target } = document;
  const body = [
    `<p class="kicker">${html(target.repository ?? 'Piton')}</p>`,
    `<h1>${html(titleOf(document))}</h1>`,
    figures(document),
    ...(commits.length > 0 ? [`<h2>${plural(commits.length, 'commit')}</h2>`, commitList(commits)] : []),
    `<h2>${plural(sessions.length, 'session')}</h2>`,
    ...sessions.map((session) => sessionCard(session, sessions.length === 1, full)),
    ...(sessions.length === 0 ? ['<p class="soft">No recorded session contributed to this.</p>'] : []),
    `<footer>Recorded and redacted by Piton ${html(document.piton)}, ${dayAndTime(document.createdAt)}.</footer>`,
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<title>${html(titleOf(document))}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body.join('\n')}
</main>
</body>
</html>
`;
}

function figures({ totals }: ExportDocument): string {
  const { turns, tools, denials, files, lines, tokens, cost, sessions } = totals;
  const percent = lines && share(lines);
  const cells: [string, string, string?][] = [
    ['Turns', String(turns), `in ${plural(sessions, 'session')}`],
    ['Tool calls', String(tools), denials > 0 ? `${denials} denied` : 'none denied'],
    ['Files edited', String(files)],
    ...(lines && percent !== null
      ? [['Lines by agents', `${percent} %`, `${lines.agent} of ${lines.agent + lines.human + lines.shared}`] as [string, string, string]]
      : []),
    ...(tokens ? [['Tokens', compactNumber(allTokens(tokens)), tokenWords(tokens)] as [string, string, string]] : []),
    ...(cost ? [['Cost', costCell(cost), costWords(cost)] as [string, string, string]] : []),
  ];
  const grid = cells.map(
    ([name, value, more]) => `<div><dt>${name}</dt><dd>${html(value)}${more ? `<small>${html(more)}</small>` : ''}</dd></div>`,
  );
  return `<dl class="figures">${grid.join('')}</dl>${lines && percent !== null ? `${bar(lines, '')}${legend(lines)}` : ''}`;
}

const KINDS = [
  ['agent', 'agents'],
  ['human', 'people'],
  ['shared', 'either'],
] as const;
const colourOf = (kind: (typeof KINDS)[number][0]): string => (kind === 'shared' ? 'either' : kind);

function bar(lines: ExportLines, more: string): string {
  const parts = KINDS.filter(([kind]) => lines[kind] > 0).map(([kind]) => `<i class="${colourOf(kind)}" style="flex:${lines[kind]}"></i>`);
  return `<div class="bar${more}" role="img" aria-label="${lines.agent} lines by agents, ${lines.human} by people">${parts.join('')}</div>`;
}

const legend = (lines: ExportLines): string =>
  `<div class="legend">${KINDS.filter(([kind]) => kind !== 'shared' || lines.shared > 0)
    .map(([kind, word]) => `<span><i class="${colourOf(kind)}"></i>${plural(lines[kind], 'line')} by ${word}</span>`)
    .join('')}<span>${plural(lines.removed, 'line')} removed</span></div>`;

function commitList(commits: readonly ExportCommit[]): string {
  const items = commits.map(({ sha, subject, lines }) => {
    const percent = share(lines);
    const words = percent === null ? `${plural(lines.removed, 'line')} removed` : `${percent} % by agents`;
    return `<li><code>${sha.slice(0, 10)}</code> <b>${html(subject)}</b>${percent === null ? '' : bar(lines, ' slim')}<span class="soft">${words}</span></li>`;
  });
  return `<ul class="commits">${items.join('')}</ul>`;
}

function sessionCard(session: ExportSession, open: boolean, full: boolean): string {
  const { title, model, turns, files, usage, notes, startedAt, providerRef } = session;
  const tools = turns.reduce((sum, turn) => sum + turn.tools.length, 0);
  const facts = [
    model ?? '',
    dayAndTime(startedAt),
    plural(turns.length, 'turn'),
    plural(tools, 'tool call'),
    files.length > 0 ? plural(files.length, 'file') : '',
  ];
  const footnotes = [
    ...usage.map(
      ({ model: name, requests, tokens }) => `${name ?? 'model unknown'}: ${plural(requests, 'request')}, ${tokenWords(tokens)}`,
    ),
    ...notes,
    ...(providerRef === '' ? [] : [`session ${providerRef}`]),
  ];
  const asked = shorten(turns.find(({ prompt }) => prompt)?.prompt?.replace(/\s+/g, ' ') ?? '', 140);
  return `<details class="session"${open ? ' open' : ''}>
<summary><strong>${html(title)}</strong>${facts
    .filter(Boolean)
    .map((fact) => `<span>${html(fact)}</span>`)
    .join('')}${asked ? `<em>${html(asked)}</em>` : ''}</summary>
<div class="inside">
${turns.map((turn) => turnBlock(turn, full)).join('\n')}
<ul class="notes">${footnotes.map((note) => `<li>${html(note)}</li>`).join('')}</ul>
</div>
</details>`;
}

function turnBlock({ number, prompt, answer, tools, checkpoints, startedAt, endedAt, tokens }: ExportTurn, full: boolean): string {
  const facts = [durationBetween(startedAt, endedAt), tokens && tokenWords(tokens)].filter(Boolean).join(' · ');
  const groups = full ? tools.flatMap((tool) => groupTools([tool])) : groupTools(tools);
  const tags = checkpoints.map(({ id, name, commit }) =>
    commit === null
      ? `<span class="tag" title="${html(name)}">checkpoint ${html(id.slice(0, 12))}</span>`
      : `<span class="tag commit" title="${html(name)}">commit ${html(commit.slice(0, 10))}</span>`,
  );
  return `<section class="turn">
<header><b>Turn ${number}</b>${facts ? ` · ${html(facts)}` : ''}</header>
${prompt === null ? '' : `<p class="prompt">${html(full ? prompt : shorten(prompt, LONG_PROMPT))}</p>`}
${groups.length === 0 ? '' : `<ul class="tools">${groups.map((group) => toolItem(group, full)).join('')}</ul>`}
${answer === null ? '' : `<p class="answer">${html(full ? answer : shorten(answer, LONG_ANSWER))}</p>`}
${tags.join('')}
</section>`;
}

function toolItem({ tool, subject, times }: ToolGroup, full: boolean): string {
  const what = subject ? `<code>${html(full ? subject : shorten(subject, LONG_SUBJECT))}</code>` : '';
  const input = full && tool.input !== null ? `<pre>${html(readable(tool.input))}</pre>` : '';
  const head = `<span class="name">${html(tool.name)}</span>${what}${marksOf(tool, times)}${input}`;
  return tool.denied === null
    ? `<li>${head}</li>`
    : `<li class="denied">${head}<br><span class="bad">Denied:</span> ${html(tool.denied)}</li>`;
}

function marksOf({ subagent, failed }: ExportTool, times: number): string {
  const soft = [times > 1 ? `${times} ×` : '', subagent ? 'in a subagent' : ''].filter(Boolean).join(', ');
  return `${soft ? ` <span class="soft">${soft}</span>` : ''}${failed ? ' <span class="bad">failed</span>' : ''}`;
}

function readable(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json; // truncated
  }
}
