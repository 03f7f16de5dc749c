import type { CandidateKind } from './candidates.ts';

/** What the argument of a command names, where only the store or the repository knows. */
const ARGUMENTS: Readonly<Record<string, CandidateKind>> = {
  'events show': 'event-ids',
  'hooks explain': 'event-ids',
  'sessions show': 'sessions',
  'sessions ledger': 'sessions',
  'observations show': 'observations',
  'observations delete': 'observations',
  'hooks record': 'sessions',
  'hooks replay': 'sessions',
  'checkpoints show': 'checkpoints',
  'checkpoints diff': 'checkpoints',
  rewind: 'checkpoints',
  explain: 'checkpoints',
  resume: 'checkpoints',
  export: 'sessions',
  handoff: 'sessions',
  'hooks add': 'library',
  'hooks new': 'hook-kinds',
  'hooks remove': 'hooks',
  'hooks outdated': 'hooks',
  'hooks update': 'hooks',
  'hooks test': 'hooks',
  'hooks backtest': 'hooks',
  'hooks promote': 'hooks',
  materialize: 'hooks',
  trust: 'hooks',
  untrust: 'hooks',
  agents: 'agents',
  'settings get': 'settings',
  'settings set': 'settings',
  'settings unset': 'settings',
  schema: 'schemas',
};

/** The same for the value of an option, whatever its command. */
const OPTIONS: Readonly<Record<string, CandidateKind>> = {
  '--session': 'sessions',
  '--sessions': 'sessions',
  '--agent': 'agents',
  '--agents': 'agents',
  '--to': 'agents',
  '--as': 'agents',
  '--event': 'events',
  '--hook': 'hooks',
};

export const argumentKind = (path: readonly string[]): CandidateKind | undefined => ARGUMENTS[path.join(' ')];
export const optionKind = (flags: readonly string[]): CandidateKind | undefined => flags.flatMap((flag) => OPTIONS[flag] ?? [])[0];
