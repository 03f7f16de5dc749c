import { AGENTS } from '@piton/agents';
import { type Agent, type Installer, parseRegistrationArgs, type Readiness, type Registration, registrationArgs } from '@piton/contracts';

const EVENTS = ['Before', 'After', 'Rare'];
const MARK = '# piton: ';

/** An agent that runs one executable per event: ours is a line in a file that may contain another's script. */
const installer: Installer = {
  configFiles: () => [fileOf('Before'), fileOf('After'), fileOf('Rare')],
  install(text, target, file) {
    const event = eventOf(file.path);
    if (text?.startsWith('binary')) return { ok: false, error: 'no script' };
    const wanted = event !== 'Rare' || target.wanted.includes('Rare');
    const registration: Registration = { agent: 'filed', nativeEvent: event, scope: target.scope, timeoutMs: 1000, variables: [] };
    const line = `${MARK}${[target.forwarder, ...registrationArgs(registration)].join(' ')}\n`;
    const rest = without(text ?? '');
    const next = wanted ? `${rest}${line}` : rest === '' ? null : rest;
    return { ok: true, edit: { text: next, added: wanted && next !== text ? [registration] : [], removed: [] } };
  },
  uninstall(text) {
    const rest = without(text);
    return { ok: true, edit: { text: rest === '' ? null : rest, added: [], removed: [] } };
  },
  installed(text) {
    const words = text
      .split('\n')
      .find((line) => line.startsWith(MARK))
      ?.slice(MARK.length)
      .split(' ');
    const registration = words && parseRegistrationArgs(words.slice(1));
    return registration && words ? [{ registration, command: { argv: words } }] : [];
  },
};

const fileOf = (event: string) => ({ path: `.filed/hooks/${event}`, label: `~/.filed/hooks/${event}`, executable: true as const });
const eventOf = (path: string): string => EVENTS.find((event) => path.endsWith(event)) ?? '';
const without = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.startsWith(MARK))
    .join('\n');

/** It requires its own trust: its program reports whether it has it, and a file stores it. */
const readiness: Readiness = {
  files: () => [{ path: '~/.filed/trust', label: '~/.filed/trust' }],
  probe: ({ project }) => ({ argv: ['filed', 'status', project], stdin: 'ask\n', until: /\n/ }),
  judge: ({ texts, probed, installed }) =>
    texts['~/.filed/trust']?.includes('piton: yes')
      ? { runs: true, note: probed?.trim() ?? 'nobody to ask' }
      : {
          runs: false,
          why: `${installed.length} hooks are new (${probed?.trim() ?? 'nobody to ask'})`,
          remedy: 'start filed and say yes',
          consent: {
            question: 'Trust them?',
            file: { path: '~/.filed/trust', label: '~/.filed/trust' },
            edit: (text) => ({ ok: true, edit: { text: `${text ?? ''}piton: yes\n`, added: [], removed: [] } }),
          },
        },
};

export const fileAgent: Agent = { ...(AGENTS[0] as Agent), id: 'filed', title: 'Filed', aliases: [], installer, readiness };
