export type Fill = (text: string) => string;

/** What must stay: the home directory, the root, the working directory and what is above it, the history. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
const KEPT = ['~', '/', '"$HOME"', '/etc', '.', '.git', '..', '${HOME}/', '"$PWD"', '/usr/lib', '~/.ssh', '/home'];
/** What may go. */
const MADE = [
  'dist',
  './build',
  'node_modules',
  '/tmp/work',
  'coverage/',
  '"$PWD/out"',
  'packages/*/dist',
  '~/.cache/app',
  '.next',
  'target/debug',
];
const PROTECTED = [
  '.env',
  'config/.env.production',
  'certs/server.pem',
  '.git/config',
  '.git/hooks/pre-commit',
  'deploy/id_ed25519',
  'package-lock.json',
  '.github/workflows/ci.yml',
  '.netrc',
  'a/../.env',
  'keys/tls.key',
  'go.sum',
];
const FREE = [
  '.env.example',
  'src/app.ts',
  'README.md',
  'docs/env.md',
  'src/keys.ts',
  'package.json',
  '.gitignore',
  'test/pem.test.ts',
  '.github/CODEOWNERS',
  'lock.json',
];

/** Letters and digits that look drawn, the same each time. */
function drawn(length: number, seed: number, alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'): string {
  let state = seed * 7919 + 12_345;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return alphabet[Math.floor((state / 2_147_483_648) * alphabet.length)];
  }).join('');
}
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Shapes as the services describe them. Put together here, so that no scanner takes this file for a leak. */
const SECRETS: readonly ((seed: number) => string)[] = [
  (seed) => `ghp_${drawn(36, seed)}`,
  (seed) => `AKIA${drawn(16, seed, UPPER)}`,
  (seed) => `glpat-${drawn(20, seed)}`,
  (seed) => `sk_live_${drawn(24, seed)}`,
  (seed) => `npm_${drawn(36, seed)}`,
  (seed) => `xoxb-${drawn(12, seed, '0123456789')}-${drawn(12, seed + 1, '0123456789')}-${drawn(24, seed + 2)}`,
  (seed) => `AIza${drawn(35, seed)}`,
  (seed) => `SG.${drawn(22, seed)}.${drawn(43, seed + 1)}`,
  (seed) => `sk-ant-api03-${drawn(93, seed)}AA`,
  (seed) => `github_pat_${drawn(22, seed)}_${drawn(59, seed + 1)}`,
  (seed) => `-----BEGIN RSA PRIVATE KEY-----\n${drawn(64, seed)}\n${drawn(64, seed + 1)}\n-----END RSA PRIVATE KEY-----`,
];
/** What stands where a secret would, and is none. */
const EXAMPLES = [
  'your-key-here',
  'changeme',
  '<token>',
  'xxxxxxxxxxxxxxxx',
  'process.env.TOKEN',
  'test1234',
  'dummy-token-for-tests',
  '$' + '{TOKEN}',
];

const SETS: Readonly<Record<string, readonly ((seed: number) => string)[]>> = {
  K: KEPT.map((text) => () => text),
  M: MADE.map((text) => () => text),
  P: PROTECTED.map((text) => () => text),
  U: FREE.map((text) => () => text),
  T: SECRETS,
  E: EXAMPLES.map((text) => () => text),
};
const VARIANTS = 4;

/** A command in another place: its words stay, where it stands changes. */
const WRAPPINGS: readonly ((command: string) => string)[] = [
  (command) => command,
  (command) => `set -e; ${command}`,
  (command) => (/['\n]|<</.test(command) ? `true && ${command}` : `bash -c '${command}'`),
  (command) => (/<<|\n|^\w+=|;/.test(command) ? command : `( ${command} )`),
  (command) => `echo start && ${command}`,
];

/** For each row that a line stands for, what fills it in. `{{K}}` and its like stand for several; others are one row. */
export function expandText(text: string, number: number): Fill[] {
  const names = [...new Set([...text.matchAll(/\{\{([KMPUTE])\}\}/g)].map(([, name]) => name as string))];
  return Array.from({ length: names.length > 0 ? VARIANTS : text.startsWith('{"') ? 1 : 2 }, (_, variant) => (given: string) => {
    const filled = given.replace(/\{\{([KMPUTE])\}\}/g, (_whole, name: string) => {
      const set = SETS[name] ?? [];
      return set[(number + variant * 5) % set.length]?.(number * 31 + variant) ?? '';
    });
    const isCommand = given === text;
    return isCommand ? (WRAPPINGS[(number + variant) % WRAPPINGS.length]?.(filled) ?? filled) : filled;
  });
}
