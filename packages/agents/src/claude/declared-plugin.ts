import { registrationArgs } from '@piton/contracts';
import { quoted } from '../shared/command-line.ts';
import { registeredEvents } from './events.ts';
import { dialect, VARIABLES } from './install.ts';
import { SKILLS, skillText } from './skills.ts';
import { isKnownTo, versions } from './versions.ts';

/** The scope in its command lines: an event that comes through the plugin and through `init` is one event by that difference. */
const SCOPE = 'plugin';

const DESCRIPTION = 'Runs your Piton hooks on the events of Claude Code, and records what happened. Needs Piton: npx @piton/cli init';

/**
 * Said at a session's start, to the person. As JSON, so that no version gives it to the model.
 */
const MISSING = JSON.stringify({
  systemMessage: 'The Piton plugin is enabled, but Piton is not set up on this machine, so no hooks run. Set it up: npx @piton/cli init',
});

/**
 * For a POSIX shell: finds Piton's home as Piton does, and runs its forwarder if there is one. No variable is set, since one that
 * happens to be exported would reach the hooks changed. A relative PITON_HOME is refused by `init`: nothing is there.
 */
function lineFor(nativeEvent: string, timeoutMs: number): string {
  const [agent, event, , ...rest] = registrationArgs({ agent: 'claude', nativeEvent, scope: 'user', timeoutMs, variables: VARIABLES });
  const words = [agent ?? '', event ?? '', SCOPE, ...rest].map(quoted).join(' ');
  const home = `set -- "\${PITON_HOME:+$PITON_HOME/state}"; set -- "\${1:-\${XDG_STATE_HOME:-$HOME/.local/state}/piton}"/runtime/current/piton-forward ${words}`;
  const otherwise = nativeEvent === 'SessionStart' ? `{ echo '${MISSING}'; exit 0; }` : 'exit 0';
  return `${home}; [ -x "$1" ] || ${otherwise}; exec "$@"`;
}

/** Every version in the table takes these events and this form: an unknown event would void all hooks, and `args` was ignored once. */
function hooksText(): string {
  const events = registeredEvents([]).filter((event) => isKnownTo(event, versions.oldest ?? undefined));
  const hooks = events.map(({ name, timeoutMs }) => [
    name,
    [{ hooks: [dialect.handler({ shell: lineFor(name, timeoutMs) }, { timeoutMs })] }],
  ]);
  return json({ description: DESCRIPTION, hooks: Object.fromEntries(hooks) });
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** All files of the plugin below `plugin/`, and of the marketplace at the root. Nothing in them is a program. */
export function declaredPlugin(version: string): { readonly path: string; readonly text: string }[] {
  const about = { name: 'piton', description: DESCRIPTION };
  const author = { name: 'Piton' };
  return [
    { path: 'plugin/.claude-plugin/plugin.json', text: json({ ...about, version, author, license: 'Apache-2.0' }) },
    { path: 'plugin/hooks/hooks.json', text: hooksText() },
    ...SKILLS.map((skill) => ({ path: `plugin/skills/${skill.name}/SKILL.md`, text: skillText(skill) })),
    {
      path: '.claude-plugin/marketplace.json',
      text: json({
        name: 'piton',
        owner: author,
        metadata: { description: DESCRIPTION },
        plugins: [{ ...about, source: './plugin', version }],
      }),
    },
  ];
}
