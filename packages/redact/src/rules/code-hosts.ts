import { COLLECTED, END, END_WORD, looksMixed, looksRandom, type Rule } from './rule.ts';

const GITHUB = 'https://github.blog/engineering/behind-githubs-new-authentication-token-formats/';
const GITLAB = 'https://docs.gitlab.com/security/tokens/';

/** Where code lies, where packages come from, and what builds them. */
export const CODE_HOSTS: readonly Rule[] = [
  { kind: 'github', page: GITHUB, prefixes: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], rest: '[A-Za-z0-9]{30,255}' },
  { kind: 'github', page: GITHUB, prefixes: ['github_pat_'], rest: '[A-Za-z0-9_]{22,255}' },
  {
    kind: 'gitlab',
    page: GITLAB,
    prefixes: ['glpat-', 'gldt-', 'glrt-', 'glrtr-', 'glptt-', 'glft-', 'glsoat-', 'glcbt-', 'glagent-', 'gloas-', 'glimt-', 'glffct-'],
    rest: '[A-Za-z0-9_.-]{20,255}',
  },
  {
    kind: 'bitbucket',
    page: 'https://support.atlassian.com/bitbucket-cloud/docs/app-passwords/',
    prefixes: ['ATBB'],
    rest: `[A-Za-z0-9]{32}${END}`,
  },
  {
    kind: 'bitbucket',
    page: 'https://support.atlassian.com/bitbucket-cloud/docs/access-tokens/',
    prefixes: ['ATCTT3'],
    rest: '[A-Za-z0-9_=-]{100,300}',
  },
  { kind: 'atlassian', page: COLLECTED, prefixes: ['ATATT3'], rest: '[A-Za-z0-9_=-]{100,300}' },
  { kind: 'sourcegraph', page: COLLECTED, prefixes: ['sgp_'], rest: `(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}${END}` },
  { kind: 'npm', page: 'https://docs.npmjs.com/about-access-tokens', prefixes: ['npm_'], rest: `[A-Za-z0-9]{36}${END}` },
  { kind: 'pypi', page: 'https://pypi.org/help/#apitoken', prefixes: ['pypi-AgE'], rest: '[A-Za-z0-9_-]{50,1000}' },
  { kind: 'rubygems', page: COLLECTED, prefixes: ['rubygems_'], rest: `[a-f0-9]{48}${END}` },
  {
    kind: 'crates',
    page: 'https://github.com/rust-lang/crates.io/blob/main/crates/crates_io_database/src/utils/token.rs',
    prefixes: ['cio'],
    rest: `[A-Za-z0-9]{32}${END}`,
    test: looksMixed,
  },
  {
    kind: 'nuget',
    page: 'https://learn.microsoft.com/en-us/nuget/nuget-org/publish-a-package',
    prefixes: ['oy2'],
    rest: `[a-z0-9]{43}${END}`,
    test: looksRandom,
  },
  {
    kind: 'docker',
    page: 'https://docs.docker.com/security/access-tokens/',
    prefixes: ['dckr_pat_', 'dckr_oat_'],
    rest: '[A-Za-z0-9_-]{27,64}',
  },
  { kind: 'artifactory', page: COLLECTED, prefixes: ['AKCp'], rest: `[A-Za-z0-9]{69}${END}` },
  { kind: 'clojars', page: COLLECTED, prefixes: ['CLOJARS_'], rest: `[a-z0-9]{60}${END}` },
  {
    kind: 'circleci',
    page: 'https://circleci.com/docs/managing-api-tokens/',
    prefixes: ['CCIPAT_', 'CCIPRJ_'],
    rest: '[A-Za-z0-9]{16,40}_[a-f0-9]{40}',
  },
  { kind: 'buildkite', page: 'https://buildkite.com/docs/apis/managing-api-tokens', prefixes: ['bkua_'], rest: `[a-f0-9]{40}${END}` },
  { kind: 'sonar', page: COLLECTED, prefixes: ['squ_', 'sqp_', 'sqa_'], rest: `[a-f0-9]{40}${END}` },
  { kind: 'octopus', page: COLLECTED, prefixes: ['API-'], rest: `[A-Z0-9]{26}${END}`, test: looksRandom },
  { kind: 'scalingo', page: COLLECTED, prefixes: ['tk-us-'], rest: `[A-Za-z0-9_-]{48}${END_WORD}` },
  { kind: 'prefect', page: COLLECTED, prefixes: ['pnu_', 'pnb_'], rest: `[A-Za-z0-9]{36}${END}`, test: looksMixed },
];
