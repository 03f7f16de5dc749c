import type { CandidateKind } from './candidates.ts';

/** What the argument of a command names, where only the store or the repository knows. */
const ARGUMENTS: Readonly<Record<string, CandidateKind>> = {
  'events show': 'event-ids',
  'hooks explain': 'event-ids',
  'sessions show': 'sessions',
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
  'hooks test': 'hooks',
  'hooks backtest': 'hooks',
  'hooks promote': 'hooks',
  trust: 'hooks',
  untrust: 'hooks',
  agents: 'agents',
};

/** The same for the value of an option, whatever its command. */
const OPTIONS: Readonly<Record<string, CandidateKind>> = {
  '--session': 'sessions',
  '--sessions': 'sessions',
  '--agent': 'agents',
  '--as': 'agents',
  '--event': 'events',
  '--hook': 'hooks',
};

export const argumentKind = (path: readonly string[]): CandidateKind | undefined => ARGUMENTS[path.join(' ')];
export const optionKind = (flags: readonly string[]): CandidateKind | undefined => flags.flatMap((flag) => OPTIONS[flag] ?? [])[0];
