import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type GitKeyClass = 'program' | 'leads' | 'data';

const FIXTURE = new URL('../fixtures/git-keys.txt', import.meta.url);

/** Every key of git's configuration that we have looked at, by its name in `git help --config`. */
export function classifiedGitKeys(): ReadonlyMap<string, GitKeyClass> {
  const rows = readFileSync(FIXTURE, 'utf8').split('\n');
  const keys = rows.filter((row) => row !== '' && !row.startsWith('#')).map((row) => row.split(/ +/) as [GitKeyClass, string]);
  return new Map(keys.map(([kind, key]) => [key, kind]));
}

/** The keys that the installed git knows. */
export function installedGitKeys(): string[] {
  const listed = execFileSync('git', ['help', '--config'], { encoding: 'utf8' });
  return listed.split('\n').filter((line) => /^[a-z][\w-]*\./i.test(line));
}

/** A name where git takes any. Attributes of the hostile repository use the same. */
const ANY: Readonly<Record<string, string>> = {
  '<driver>': 'odd name',
  '<name>': 'evil',
  '<tool>': 'evil',
  '<token>': 'evil',
  '<cmd>': 'log',
  '<format>': 'openpgp',
  '<url>': 'https://example.invalid',
  '<id>': 'evil',
};

/** What makes git reach for its programs. Those without a value would only break the repository for everybody. */
const LEADING: Readonly<Record<string, string | undefined>> = {
  'remote.<name>.promisor': 'true',
  'remote.<name>.partialclonefilter': 'blob:none',
  'protocol.<name>.allow': 'always',
  'protocol.allow': 'always',
  'extensions.partialClone': 'evil',
  'log.showSignature': 'true',
  'commit.gpgSign': 'true',
  'tag.gpgSign': 'true',
  'tag.forceSignAnnotated': 'true',
  'push.gpgSign': 'true',
  'merge.verifySignatures': 'true',
  'gpg.format': 'openpgp',
  'gc.auto': '1',
  'gc.autoDetach': 'false',
  'maintenance.auto': 'true',
  'submodule.recurse': 'true',
  'diff.submodule': 'diff',
  'status.submoduleSummary': 'true',
  'fetch.recurseSubmodules': 'true',
  'push.recurseSubmodules': 'on-demand',
  'filter.<driver>.required': 'true',
  'diff.tool': 'evil',
  'diff.guitool': 'evil',
  'merge.tool': 'evil',
  'merge.guitool': 'evil',
};

/** One setting, as `git config` takes it: `section[.subsection].name`. */
export type GitSetting = readonly [key: string, value: string];

const HOOKS =
  'applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman post-index-change'.split(
    ' ',
  );

/** Programs that write down that they ran. Whatever they are called for, they pass on what they are given. */
export class Canaries {
  readonly log: string;
  readonly hooks: string;
  readonly #directory: string;

  /** The log may lie where not everybody who runs them can write. */
  constructor(directory: string, log = join(directory, 'ran')) {
    this.#directory = directory;
    this.log = log;
    this.hooks = join(directory, 'hooks');
    mkdirSync(this.hooks, { recursive: true });
    for (const hook of HOOKS) this.program(`hook.${hook}`, join(this.hooks, hook));
  }

  program(name: string, path = join(this.#directory, name.replace(/[^\w.-]/g, '_'))): string {
    writeFileSync(path, `#!/bin/sh\n{ echo '${name}' >> '${this.log}'; } 2> /dev/null\n[ -p /dev/stdin ] && exec cat\nexit 0\n`);
    chmodSync(path, 0o755);
    return path;
  }

  /** The names of those that ran since the last time. */
  ran(): string[] {
    const names = existsSync(this.log) ? readFileSync(this.log, 'utf8').split('\n').filter(Boolean) : [];
    rmSync(this.log, { force: true });
    return [...new Set(names)].sort();
  }

  /** Every setting that names a program, with a program; and those that make git reach for them. */
  settings(): GitSetting[] {
    const settings: GitSetting[] = [];
    for (const [key, kind] of classifiedGitKeys()) {
      const name = key.replace(/<[a-z]+>/g, (any) => ANY[any] ?? 'evil').replace(/\*$/, 'helper');
      if (key === 'core.hooksPath') settings.push([name, this.hooks]);
      else if (key === 'submodule.<name>.update') settings.push([name, `!${this.program(key)}`]);
      else if (key === 'remote.<name>.vcs') continue;
      else if (kind === 'program') settings.push([name, this.program(key)]);
      else if (kind === 'leads' && LEADING[key] !== undefined) settings.push([name, LEADING[key]]);
    }
    return [
      ...settings,
      ['remote.evil.url', `ext::${this.program('remote.url')} %S`],
      ['remote.origin.url', `ext::${this.program('remote.url')} %S`],
      ['protocol.ext.allow', 'always'],
      [`url.ext::${this.program('url.insteadOf')} .insteadOf`, 'https://'],
      ['hook.evil.event', 'reference-transaction'],
      ['hook.evil.event', 'post-index-change'],
    ];
  }

  /** Attributes that use the drivers; names of drivers cannot hold spaces there, so they get one more each. */
  attributes(): { readonly text: string; readonly settings: readonly GitSetting[] } {
    const ways = ['filter.clean', 'filter.smudge', 'diff.textconv', 'diff.command', 'merge.driver'];
    const settings = ways.map((way): GitSetting => {
      const [section, name] = way.split('.');
      return [`${section}.zz.${name}`, this.program(`attribute.${way}`)];
    });
    return { text: '* filter=zz diff=zz merge=zz\n', settings };
  }
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

/** The settings as a configuration file. */
export function configText(settings: readonly GitSetting[]): string {
  return settings
    .map(([key, value]) => {
      const [, section = '', subsection, name = ''] = /^([^.]+)(?:\.(.*))?\.([^.]+)$/s.exec(key) ?? [];
      const head = subsection === undefined ? section : `${section} "${escaped(subsection)}"`;
      return `[${head}]\n\t${name} = "${escaped(value)}"\n`;
    })
    .join('');
}

/** Where a repository may have settings. `embedded` and `submodule` are repositories inside another. */
export const GIT_SCOPES = ['repository', 'worktree', 'included', 'conditional', 'global'] as const;
export type GitScope = (typeof GIT_SCOPES)[number];

/** Puts the settings into one scope of a repository; `home` is where its user's configuration lies. */
export function configure(gitDir: string, home: string, scope: GitScope, settings: readonly GitSetting[]): void {
  const file = join(gitDir, 'config');
  const text = configText(settings);
  const elsewhere = join(gitDir, 'more-settings');
  if (scope === 'repository') appendFileSync(file, text);
  else if (scope === 'global') appendFileSync(join(home, '.gitconfig'), text);
  else if (scope === 'worktree') {
    appendFileSync(file, configText([['extensions.worktreeConfig', 'true']]));
    appendFileSync(join(gitDir, 'config.worktree'), text);
  } else {
    writeFileSync(elsewhere, text);
    appendFileSync(file, configText([[scope === 'included' ? 'include.path' : 'includeIf.gitdir:/**.path', elsewhere]]));
  }
}
