// The text of docs/agents.md and docs/agents-proof.md: what each agent claims, and what was seen of it.

const MARKS = { verified: '●', deferred: '◐', degraded: '◌', 'not provoked': '○' };
const UNSEEN = '?';

const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells) => `| ${cells.map(cell).join(' | ')} |`;
const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
const code = (text) => `\`${text}\``;

const proofOf = (proofs, agent) => proofs.find((proof) => proof.agent === agent.id && proof.version === agent.provenVersion);
const rowOf = (proof, event, decision) => proof?.rows.find((one) => one.event === event && one.decision === decision);

/** What a cell shows: what was seen, or that a claim was not. Undefined where nothing is claimed. */
function cellOf(agent, proof, event, decision) {
  const claim = agent.capabilities[event]?.[decision];
  if (!claim || claim.how === 'none') return undefined;
  const seen = rowOf(proof, event, decision);
  return seen
    ? { mark: MARKS[seen.result], result: seen.result, how: seen.how }
    : { mark: UNSEEN, result: 'claimed, not seen', how: claim.becomes ?? claim.until };
}

function matrix(agent, proof, { events, decisions }) {
  const said = decisions.filter((name) => name !== 'observe');
  const heard = events.filter((event) => agent.capabilities[event] || rowOf(proof, event, 'observe'));
  const rows = heard.map((event) => [
    code(event),
    MARKS[rowOf(proof, event, 'observe')?.result] ?? UNSEEN,
    ...said.map((decision) => cellOf(agent, proof, event, decision)?.mark ?? ''),
  ]);
  const found = heard.flatMap((event) =>
    ['observe', ...said].flatMap((decision) => {
      const seen = decision === 'observe' ? rowOf(proof, event, decision) : cellOf(agent, proof, event, decision);
      return seen?.how ? [{ event, text: `${code(decision)}, ${seen.result}: ${seen.how}` }] : [];
    }),
  );
  // What is the same at several events is said once.
  const notes = [...new Set(found.map(({ text }) => text))].map((text) => {
    const events = found.filter((one) => one.text === text).map(({ event }) => code(event));
    return `- ${text} (${events.join(', ')})`;
  });
  return [table(['event', 'heard', ...said.map(code)], rows), ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n');
}

/** The installer itself is asked: the page says what `init` does. */
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
  const labels = agent.installer.configFiles(scope, {}).map(({ label }) => label);
  if (labels.length <= 2) return labels.map(code).join(', ');
  return `${code(labels[0])} and ${labels.length - 1} beside it`;
}

/** The first place at which the model of this agent reads what a hook wants to tell it. */
const DOORS = ['session_start', 'user_prompt_submit', 'pre_tool_use', 'post_tool_use'];
const doorOf = (proof) => DOORS.find((event) => rowOf(proof, event, 'replace')?.result === 'verified');

function overview(agents, proofs) {
  const head = ['agent', 'id', 'version', "user's file", "project's file", 'context from', 'processes a tool call', "vendor's page"];
  const rows = agents.map((agent) => {
    const proof = proofOf(proofs, agent);
    const door = doorOf(proof);
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

function section(agent, proofs, words) {
  const proof = proofOf(proofs, agent);
  const proven = agent.provenVersion
    ? `Driven for real with version ${agent.provenVersion}.`
    : '**Unproven**: it cannot be driven by our test bed. What stands here is what its documentation says, and nothing of it was seen.';
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
    matrix(agent, proof, words),
    '### Native events',
    table(['native event', 'event', 'timeout', 'registered by `piton init`'], events),
    ...(quirks.length > 0 ? ['### Quirks', table(['quirk', 'what it does', 'versions', 'our answer'], quirks)] : []),
  ].join('\n\n');
}

const LEGEND = [
  'What each agent tells, and which decision it honours on which event. `observe` is honoured wherever an event is heard.',
  [
    '| mark | means |',
    '| --- | --- |',
    '| ● | verified: a run of the real agent showed it, by a file that appeared or did not, or by what the model read |',
    '| ◐ | deferred, and seen to arrive later |',
    '| ◌ | degraded, and seen to be so; the list below says how |',
    '| ○ | not provoked: claimed, and no scripted run can bring it about; the list says why |',
    '| ? | claimed, not seen |',
    '| | not possible: the agent offers no way, and the trace says so |',
  ].join('\n'),
  'The runs are made by `npm run test:agents`; [the proof](agents-proof.md) names the assertion behind every mark. *Context from*: the first event at which the model reads what a hook wants to tell it. *Processes a tool call*: how many the agent starts, with all its native events registered → as `piton init` registers them, counted in those runs. Nobody was there to answer a question: what `ask` does then is shown.',
];

export const agentPage = (agents, proofs, words) =>
  `${[
    '<!-- Generated by `npm run pages` from packages/agents. Do not edit. -->',
    '# Agents',
    ...LEGEND,
    overview(agents, proofs),
    ...agents.map((agent) => section(agent, proofs, words)),
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

export const proofPage = (agents, proofs) =>
  `${[
    '<!-- Generated by `npm run pages` from packages/agents/src/proven.json, which `npm run test:agents -- --write` writes. Do not edit. -->',
    '# What was seen of each agent',
    'Every row was produced by a run of the real agent, with Piton installed by `piton init`, against a scripted model. Its assertion is a test in `scenarios/real-agents`. `npm run test:agents` plays them again and fails when a row is missing or new. What these rows mean for hooks: [agents](agents.md).',
    ...agents.flatMap((agent) => {
      const proof = proofOf(proofs, agent);
      return proof ? [proofSection(agent, proof)] : [];
    }),
  ].join('\n\n')}\n`;
