import { COLLECTED, END, END_WORD, looksMixed, looksRandom, type Rule } from './rule.ts';

const UUID = '[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}';

/** What teams plan, watch and build with. */
export const SERVICES: readonly Rule[] = [
  { kind: 'sentry', page: COLLECTED, prefixes: ['sntrys_eyJ'], rest: '[A-Za-z0-9+/=_]{60,600}' },
  { kind: 'sentry', page: COLLECTED, prefixes: ['sntryu_'], rest: `[a-f0-9]{64}${END}` },
  { kind: 'newrelic', page: COLLECTED, prefixes: ['NRAK-', 'NRII-', 'NRJS-'], rest: '[A-Za-z0-9-]{19,40}', test: looksRandom },
  { kind: 'grafana', page: COLLECTED, prefixes: ['glc_'], rest: '[A-Za-z0-9+/]{32,400}={0,3}' },
  { kind: 'grafana', page: COLLECTED, prefixes: ['glsa_'], rest: `[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}${END}` },
  { kind: 'dynatrace', page: COLLECTED, prefixes: ['dt0c01.', 'dt0s01.', 'dt0s16.'], rest: `[A-Z0-9]{24}\\.[A-Z0-9]{64}${END}` },
  { kind: 'posthog', page: 'https://posthog.com/docs/api', prefixes: ['phx_'], rest: '[A-Za-z0-9]{32,64}' },
  { kind: 'linear', page: COLLECTED, prefixes: ['lin_api_', 'lin_oauth_'], rest: '[A-Za-z0-9]{40,64}' },
  { kind: 'notion', page: COLLECTED, prefixes: ['ntn_'], rest: `[0-9]{11}[A-Za-z0-9]{35}${END}` },
  {
    kind: 'notion',
    page: 'https://developers.notion.com/reference/authentication',
    prefixes: ['secret_'],
    rest: `[A-Za-z0-9]{43}${END}`,
    test: looksMixed,
  },
  { kind: 'airtable', page: COLLECTED, prefixes: ['pat'], rest: `[A-Za-z0-9]{14}\\.[a-f0-9]{64}${END}` },
  {
    kind: 'figma',
    page: 'https://developers.figma.com/docs/rest-api/authentication/',
    prefixes: ['figd_', 'figo_'],
    rest: '[A-Za-z0-9_-]{36,64}',
  },
  { kind: 'postman', page: COLLECTED, prefixes: ['PMAK-'], rest: `[a-fA-F0-9]{24}-[a-fA-F0-9]{34}${END}` },
  { kind: 'dropbox', page: COLLECTED, prefixes: ['sl.'], rest: '[A-Za-z0-9_=-]{100,2048}' },
  {
    kind: 'hubspot',
    page: 'https://developers.hubspot.com/docs/apps/legacy-apps/private-apps/overview',
    prefixes: ['pat-na1-', 'pat-na2-', 'pat-na3-', 'pat-eu1-', 'pat-ap1-'],
    rest: `${UUID}${END}`,
  },
  {
    kind: 'contentful',
    page: 'https://www.contentful.com/developers/docs/references/authentication/',
    prefixes: ['CFPAT-'],
    rest: `[A-Za-z0-9_-]{43}${END_WORD}`,
  },
  { kind: 'launchdarkly', page: 'https://launchdarkly.com/docs/home/account/api', prefixes: ['sdk-', 'api-'], rest: `${UUID}${END_WORD}` },
  {
    kind: 'mapbox',
    page: 'https://docs.mapbox.com/help/dive-deeper/access-tokens/',
    prefixes: ['sk.eyJ'],
    rest: '[A-Za-z0-9_-]{40,200}\\.[A-Za-z0-9_-]{20,64}',
  },
  { kind: 'facebook', page: COLLECTED, prefixes: ['EAAC', 'EAAM', 'EAAG', 'EAAB'], rest: '[A-Za-z0-9]{80,400}', test: looksMixed },
  {
    kind: 'twitter',
    page: 'https://docs.x.com/fundamentals/authentication/oauth-2-0/bearer-tokens',
    prefixes: ['AAAAAAAAAAAAAAAAAAAAA'],
    rest: '[A-Za-z0-9%]{40,200}',
    test: looksMixed,
  },
  { kind: 'readme', page: COLLECTED, prefixes: ['rdme_'], rest: `[a-z0-9]{70}${END}` },
  { kind: 'frameio', page: COLLECTED, prefixes: ['fio-u-'], rest: '[A-Za-z0-9_=-]{64}' },
  { kind: 'typeform', page: COLLECTED, prefixes: ['tfp_'], rest: '[A-Za-z0-9_.=-]{50,64}', test: looksRandom },
  { kind: 'intra42', page: COLLECTED, prefixes: ['s-s4t2ud-', 's-s4t2af-'], rest: `[a-f0-9]{64}${END}` },
  { kind: 'harness', page: COLLECTED, prefixes: ['pat.', 'sat.'], rest: `[A-Za-z0-9_-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}${END}` },
  // The header and the claims are JSON in base64; `.` and the signature follow.
  {
    kind: 'jwt',
    page: 'https://www.rfc-editor.org/rfc/rfc7519',
    prefixes: ['eyJ'],
    rest: '[A-Za-z0-9_-]{8,4096}\\.eyJ[A-Za-z0-9_-]{8,8192}\\.[A-Za-z0-9_-]{0,1024}',
  },
  {
    kind: 'jwt',
    page: 'https://www.rfc-editor.org/rfc/rfc7516',
    prefixes: ['eyJ'],
    rest: '[A-Za-z0-9_-]{8,4096}\\.[A-Za-z0-9_-]{0,1024}\\.[A-Za-z0-9_-]{8,64}\\.[A-Za-z0-9_-]{8,8192}\\.[A-Za-z0-9_-]{16,64}',
  },
];
