// The text of docs/agents.md and docs/agents-proof.md: what each agent claims, and what was seen of it.

/** `known`: the functions of packages/agents that compute the matrix (`earliestContextEvent`, `matrixOf`, `proofOf`, …). */
const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells) => `| ${cells.map(cell).join(' | ')} |`;
const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
const code = (text) => `\`${text}\``;

function matrix(agent, proof, { MARKS, matrixOf, notesOf, decisions }) {
  const cells = matrixOf(agent, proof);
  const markOf = (event, decision) => MARKS[cells.find((one) => one.event === event && one.decision === decision).result];
  const columns = decisions.filter((name) => name !== 'observe');
  const events = [...new Set(cells.map(({ event }) => event))];
  const rows = events.map((event) => [code(event), markOf(event, 'observe'), ...columns.map((decision) => markOf(event, decision))]);
  const notes = notesOf(cells).map((note) => `- ${note.text} (${note.events.map(code).join(', ')})`);
  return [table(['event', 'received', ...columns.map(code)], rows), ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n');
}

/** Asks the installer itself: the page says what `init` does. */
function registeredBy(agent) {
  const target = { scope: 'user', forwarder: '/runtime/current/piton-forward', forwarderBelowHome: null, wanted: [] };
  const added = agent.installer.configFiles('user', {}).flatMap((file) => {
    const result = agent.installer.install(null, target, file);
    if (!result.ok) throw new Error(`${agent.id}: ${result.error}`);
    return result.edit.added;
  });
  return new Set(added.map(({ nativeEvent }) => nativeEvent));
}

function filesOf(agent, scope) {
  if (scope === 'project' && agent.installer.userOnly !== undefined) return 'none';
  const labels = agent.installer.configFiles(scope, {}).map(({ label }) => label);
  if (labels.length <= 2) return labels.map(code).join(', ');
  return `${code(labels[0])} and ${labels.length - 1} beside it`;
}

function overview(agents, proofs, { earliestContextEvent, matrixOf, proofOf }) {
  const head = ['agent', 'id', 'version', "user's file", "project's file", 'context from', 'processes a tool call', "vendor's page"];
  const rows = agents.map((agent) => {
    const proof = proofOf(proofs, agent);
    const door = earliestContextEvent(matrixOf(agent, proof));
    return [
      agent.title,
      code(agent.id),
      agent.provenVersion ?? '**unproven**',
      filesOf(agent, 'user'),
      filesOf(agent, 'project'),
      door ? code(door) : '',
      proof?.processes ? `${proof.processes.all} → ${proof.processes.ours}` : '',
      `[hooks](${agent.vendorPage})`,
    ];
  });
  return table(head, rows);
}

/** How much context of hooks arrives, and what becomes of more. */
function contextLines({ contextLimits }) {
  const named = Object.entries(contextLimits).map(([event, { size, unit, longer }]) => {
    const what = longer === 'cut' ? 'a longer one is cut by Piton, with a note' : `of a longer one the model sees ${longer.shows}`;
    return `${event === 'any' ? 'a text' : code(event)}: ${size.toLocaleString('en')} ${unit}; ${what}`;
  });
  return named.length === 0 ? [] : [`*Context of hooks*: ${named.join('. ')}.`];
}

function section(agent, proofs, known) {
  const proof = known.proofOf(proofs, agent);
  const proven = agent.provenVersion
    ? `Driven for real with version ${agent.provenVersion}.`
    : '**Unproven**: it cannot be driven by our test bed. This is what its documentation says; none of it was seen.';
  const aliases = agent.aliases.length > 0 ? `, also ${agent.aliases.map(code).join(', ')}` : '';
  const registered = registeredBy(agent);
  const events = agent.events.map((native) => [
    code(native.name),
    code(native.event),
    `${native.timeoutMs / 1000} s`,
    registered.has(native.name) ? 'yes' : `no${native.costly ? `: ${native.costly}` : ''}`,
  ]);
  const quirks = agent.quirks.map((quirk) => [code(quirk.id), quirk.behaviour, quirk.versions, quirk.answer]);
  return [
    `## ${agent.title}`,
    `${code(agent.id)}${aliases}. [Its own page](${agent.vendorPage}). ${proven}`,
    '### Events and decisions',
    matrix(agent, proof, known),
    ...contextLines(agent),
    '### Native events',
    table(['native event', 'event', 'timeout', 'registered by `piton init`'], events),
    ...(quirks.length > 0 ? ['### Quirks', table(['quirk', 'what it does', 'versions', 'our answer'], quirks)] : []),
  ].join('\n\n');
}

const LEGEND = [
  'Which events each agent sends, and which decision it honours on which event. `observe` is honoured wherever an event is received.',
  [
    '| mark | means |',
    '| --- | --- |',
    '| ● | verified: a run of the real agent showed it, by a file that appeared or did not, or by what the model read |',
    '| ◐ | deferred, and seen to arrive later |',
    '| ◌ | degraded, and seen to be so; the list below says how |',
    '| ○ | not provoked: claimed, but no scripted run can trigger it; the list says why |',
    '| ? | claimed, not seen |',
    '| | not possible: the agent does not support it, and the trace says so |',
  ].join('\n'),
  'The runs are made by `npm run test:agents`; [the proof](agents-proof.md) names the assertion behind every mark. *Context from*: the first event at which a hook can add context for the model. *Processes a tool call*: how many the agent starts, with all its native events registered → as `piton init` registers them, counted in those runs. The runs are unattended, so the marks of `ask` are those without a person to answer.',
];

/** Agents that were tried and have no folder, because what they do could not be seen. */
const NOT_DRIVEN = [
  [
    'Continue (`@continuedev/cli` 1.5.47)',
    'loads hooks from `~/.continue/settings.json` and the files of Claude Code, and has functions that fire them. Nothing in its program calls these functions, headless or on a terminal: no hook runs',
  ],
  ['Amp (`@sourcegraph/amp` 0.0.1790142911)', 'needs its own server: `amp -x` stops at once without it'],
  [
    'Qoder (`@qoder-ai/qodercli` 1.1.52)',
    'has hooks in the form of Claude Code. Without a login it says `Not logged in`; a token from the environment is first exchanged with its own server, from which models of the person come as well',
  ],
];

export const agentPage = (agents, proofs, known) =>
  `${[
    '<!-- Generated by `npm run pages` from packages/agents. Do not edit. -->',
    '# Agents',
    ...LEGEND,
    overview(agents, proofs, known),
    ...agents.map((agent) => section(agent, proofs, known)),
    '## Agents without a table',
    'These were tried, and what their hooks do could not be seen. Piton does not register with them. Where one of them runs the hooks of another agent, it is [guarded and reported](troubleshooting.md#something-else-runs-my-agents-hooks).',
    table(['agent', 'what was seen'], NOT_DRIVEN),
  ].join('\n\n')}\n`;

function proofSection(agent, proof) {
  const rows = proof.rows.map((one) => [code(one.event), code(one.decision), one.result, one.how ?? '', one.assertion]);
  const promises = proof.promises.map((one) => [one.promise, one.how ?? '', one.assertion]);
  return [
    `## ${agent.title} ${proof.version}`,
    table(['event', 'decision', 'result', 'how', 'assertion'], rows),
    ...(promises.length > 0 ? [table(['promise', 'how', 'assertion'], promises)] : []),
  ].join('\n\n');
}

export const proofPage = (agents, proofs, { proofOf }) =>
  `${[
    '<!-- Generated by `npm run pages` from packages/agents/src/proven.json, which `npm run test:agents -- --write` writes. Do not edit. -->',
    '# What was seen of each agent',
    'Every row was produced by a run of the real agent, with Piton installed by `piton init`, against a scripted model. Its assertion is a test in `scenarios/real-agents`. `npm run test:agents` plays them again and fails when a row is missing or new. What these rows mean for hooks: [agents](agents.md).',
    ...agents.flatMap((agent) => {
      const proof = proofOf(proofs, agent);
      return proof ? [proofSection(agent, proof)] : [];
    }),
  ].join('\n\n')}\n`;
