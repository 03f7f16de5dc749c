import { COLLECTED, END, END_WORD, looksMixed, looksRandom, type Rule } from './rule.ts';

const AWS = 'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html';
const GOOGLE = 'https://docs.cloud.google.com/docs/authentication/api-keys';
const HASHICORP = 'https://developer.hashicorp.com/vault/docs/concepts/tokens';
const DOPPLER = 'https://docs.doppler.com/reference/auth-token-formats';

export const CLOUDS: readonly Rule[] = [
  {
    kind: 'aws-key-id',
    page: AWS,
    prefixes: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    rest: `[A-Z0-9]{16}${END}`,
    test: (text) => /[0-9]/.test(text) || isSpread(text),
  },
  { kind: 'google', page: GOOGLE, prefixes: ['AIza'], rest: `[A-Za-z0-9_-]{35}${END_WORD}` },
  { kind: 'google', page: GOOGLE, prefixes: ['ya29.'], rest: '[A-Za-z0-9_-]{20,2048}' },
  { kind: 'google', page: GOOGLE, prefixes: ['GOCSPX-'], rest: `[A-Za-z0-9_-]{28}${END_WORD}` },
  { kind: 'google', page: GOOGLE, prefixes: ['1//0'], rest: '[A-Za-z0-9_-]{40,512}', test: looksMixed },
  { kind: 'alibaba', page: COLLECTED, prefixes: ['LTAI'], rest: `[A-Za-z0-9]{12,24}${END}`, test: looksRandom },
  {
    kind: 'tencent',
    page: 'https://www.tencentcloud.com/document/product/598/34228',
    prefixes: ['AKID'],
    rest: `[A-Za-z0-9]{28,36}${END}`,
    test: looksRandom,
  },
  { kind: 'yandex', page: COLLECTED, prefixes: ['AQVN'], rest: `[A-Za-z0-9_-]{35,38}${END_WORD}` },
  { kind: 'yandex', page: COLLECTED, prefixes: ['t1.9eu'], rest: '[A-Za-z0-9_=-]{20,300}\\.[A-Za-z0-9_-]{86}={0,2}' },
  { kind: 'digitalocean', page: COLLECTED, prefixes: ['dop_v1_', 'doo_v1_', 'dor_v1_'], rest: `[a-f0-9]{64}${END}` },
  { kind: 'cloudflare', page: COLLECTED, prefixes: ['v1.0-'], rest: `[a-f0-9]{24}-[a-f0-9]{146}${END}` },
  { kind: 'heroku', page: COLLECTED, prefixes: ['HRKU-AA'], rest: `[A-Za-z0-9_-]{58}${END_WORD}` },
  { kind: 'fly', page: COLLECTED, prefixes: ['fo1_'], rest: `[A-Za-z0-9_-]{43}${END_WORD}` },
  { kind: 'fly', page: COLLECTED, prefixes: ['fm1a_', 'fm1r_', 'fm2_'], rest: '[A-Za-z0-9+/]{100,4096}={0,3}' },
  { kind: 'deno', page: 'https://docs.deno.com/deploy/', prefixes: ['ddp_', 'ddo_'], rest: `[A-Za-z0-9]{36}${END}` },
  { kind: 'netlify', page: 'https://docs.netlify.com/api/get-started/', prefixes: ['nfp_'], rest: `[A-Za-z0-9]{36}${END}` },
  { kind: 'render', page: 'https://render.com/docs/api', prefixes: ['rnd_'], rest: '[A-Za-z0-9]{24,64}', test: looksRandom },
  { kind: 'supabase', page: 'https://supabase.com/docs/guides/api/api-keys', prefixes: ['sbp_'], rest: `[a-f0-9]{40}${END}` },
  { kind: 'supabase', page: 'https://supabase.com/docs/guides/api/api-keys', prefixes: ['sb_secret_'], rest: '[A-Za-z0-9_-]{24,64}' },
  { kind: 'planetscale', page: COLLECTED, prefixes: ['pscale_tkn_', 'pscale_oauth_', 'pscale_pw_'], rest: '[A-Za-z0-9_=.-]{32,64}' },
  { kind: 'neon', page: 'https://neon.com/docs/manage/api-keys', prefixes: ['napi_'], rest: `[a-z0-9]{64}${END}` },
  { kind: 'databricks', page: COLLECTED, prefixes: ['dapi'], rest: `[a-f0-9]{32}(?:-[0-9])?${END}` },
  { kind: 'pulumi', page: COLLECTED, prefixes: ['pul-'], rest: `[a-f0-9]{40}${END}` },
  { kind: 'vault', page: HASHICORP, prefixes: ['hvs.', 'hvb.', 'hvr.'], rest: '[A-Za-z0-9_-]{24,512}', test: looksRandom },
  {
    kind: 'doppler',
    page: DOPPLER,
    prefixes: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'],
    rest: '(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}',
  },
  {
    kind: 'onepassword',
    page: 'https://developer.1password.com/docs/service-accounts/',
    prefixes: ['ops_eyJ'],
    rest: '[A-Za-z0-9+/_=-]{100,4096}',
  },
  {
    kind: 'tailscale',
    page: 'https://tailscale.com/kb/1252/key-prefixes',
    prefixes: ['tskey-auth-', 'tskey-api-', 'tskey-client-', 'tskey-scim-', 'tskey-webhook-'],
    rest: '[A-Za-z0-9]{6,32}-[A-Za-z0-9]{16,64}',
  },
  { kind: 'age', page: COLLECTED, prefixes: ['AGE-SECRET-KEY-1'], rest: `[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}${END}` },
  { kind: 'openshift', page: COLLECTED, prefixes: ['sha256~'], rest: `[A-Za-z0-9_-]{43}${END_WORD}` },
  { kind: 'infracost', page: COLLECTED, prefixes: ['ico-'], rest: `[A-Za-z0-9]{32}${END}`, test: looksMixed },
  { kind: 'aws-session', page: AWS, prefixes: ['IQoJb3JpZ2lu', 'FwoGZXIvYXdz', 'FQoGZXIvYXdz'], rest: '[A-Za-z0-9+/]{100,4096}={0,2}' },
  {
    kind: 'aws-bedrock',
    page: 'https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html',
    prefixes: ['ABSK'],
    rest: '[A-Za-z0-9+/]{100,300}={0,2}',
  },
  {
    kind: 'aws-bedrock',
    page: 'https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html',
    prefixes: ['bedrock-api-key-'],
    rest: '[A-Za-z0-9+/]{60,4096}={0,2}',
  },
  { kind: 'google', page: GOOGLE, prefixes: ['AQ.Ab'], rest: '[A-Za-z0-9_-]{40,120}', test: looksMixed },
  { kind: 'heroku', page: COLLECTED, prefixes: ['HRKU-'], rest: `[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}${END}` },
  {
    kind: 'mongodb',
    page: 'https://www.mongodb.com/docs/atlas/api/service-accounts/',
    prefixes: ['mdb_sa_sk_'],
    rest: '[A-Za-z0-9_-]{36,64}',
  },
  {
    kind: 'volcengine',
    page: 'https://www.volcengine.com/docs/6291/65568',
    prefixes: ['AKLT'],
    rest: '[A-Za-z0-9]{40,64}',
    test: looksMixed,
  },
  { kind: 'defined', page: COLLECTED, prefixes: ['dnkey-'], rest: '[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}' },
  { kind: 'xata', page: 'https://xata.io/docs', prefixes: ['xau_'], rest: '[A-Za-z0-9]{30,64}', test: looksMixed },
  { kind: 'elastic', page: 'https://www.elastic.co/docs/deploy-manage/api-keys', prefixes: ['essu_'], rest: '[A-Za-z0-9+/]{40,300}={0,2}' },
];

/** Words in capitals without a digit use few letters; an id of a key hardly repeats any. */
const isSpread = (text: string): boolean => new Set(text).size >= 11;
