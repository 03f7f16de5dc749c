import { COLLECTED, looksMixed } from './rule.ts';

/** A secret without a prefix of its own. It is looked for where a run of letters and digits of this length ends in front of `next`. */
export interface Shape {
  readonly kind: string;
  readonly page: string;
  readonly next: string;
  readonly lengths: readonly [least: number, most: number];
  /** For the whole secret, from the beginning of the run. */
  readonly whole: string;
  readonly test?: (secret: string) => boolean;
}

export const SHAPES: readonly Shape[] = [
  {
    kind: 'discord',
    page: 'https://docs.discord.com/developers/reference',
    next: '.',
    lengths: [24, 28],
    whole: '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}',
    test: looksMixed,
  },
  { kind: 'terraform', page: COLLECTED, next: '.', lengths: [14, 14], whole: '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,70}' },
  {
    kind: 'telegram',
    page: 'https://core.telegram.org/bots/api#authorizing-your-bot',
    next: ':',
    lengths: [8, 10],
    whole: '[0-9]{8,10}:A[A-Za-z0-9_-]{34}(?![A-Za-z0-9_-])',
  },
  {
    kind: 'azure',
    page: 'https://learn.microsoft.com/en-us/purview/sit-defn-azure-ad-client-secret',
    next: '~',
    lengths: [5, 5],
    whole: '[A-Za-z0-9_-]{3}[0-9]Q~[A-Za-z0-9_.~-]{31,34}',
  },
  { kind: 'mailchimp', page: COLLECTED, next: '', lengths: [36, 37], whole: '[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9_-])' },
  { kind: 'mailgun', page: COLLECTED, next: '', lengths: [50, 50], whole: '[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9_-])' },
  {
    kind: 'azure',
    page: 'https://learn.microsoft.com/en-us/azure/devops/organizations/accounts/use-personal-access-tokens-to-authenticate',
    next: '',
    lengths: [84, 84],
    whole: '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9_-])',
  },
  { kind: 'maxmind', page: COLLECTED, next: '', lengths: [40, 40], whole: '[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![A-Za-z0-9_-])' },
];
