import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { ARTIFACT_FILE } from '@piton/hooks';
import { Command } from 'commander';
import { refuseUnderAgent } from '../../catalogue/accept.ts';
import { digestOf, HOOK_NAMESPACE, SIGNATURE_FILE, signedTextOf } from '../../catalogue/origin.ts';
import { gitSetting, signWith } from '../../catalogue/ssh-keygen.ts';
import { shellPath } from '../../command-name.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { type Change, showDryRun } from '../../install/change.ts';
import { readConfig, writeConfig } from '../../install/config-file.ts';
import { readSource } from '../../library/artifact-source.ts';
import { lintFolder } from '../../lint/lint-folder.ts';

/** Others have to read it. */
const MODES = { file: 0o644, directory: 0o755 };

interface Options {
  readonly key?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function hooksSignCommand(context: Context): Command {
  const command = new Command('sign')
    .argument('<folder>', 'The folder of the hook')
    .option('--key <file>', "A key of ssh's, private or with ssh's agent (default: git's user.signingKey)")
    .option('--dry-run', 'Show what would be written, and write nothing')
    .option('--json', 'Print JSON')
    .action((folder: string, options: Options) => run(context, folder, options));
  return withExamples(command, ['hooks sign ./no-force-push', 'hooks sign ./no-force-push --key ~/.ssh/id_ed25519']);
}

/** A signature of an agent would be the person's word for what they have not seen. */
function run(context: Context, folder: string, { key, dryRun, json }: Options): void {
  refuseUnderAgent(context, 'signing');
  const root = resolve(context.cwd, folder);
  if (!existsSync(join(root, ARTIFACT_FILE)))
    throw new Failure(`no hook is there: the folder has no ${ARTIFACT_FILE}`, { where: root, usage: true });
  const [error] = lintFolder(root).filter(({ severity }) => severity === 'error');
  if (error)
    throw new Failure(`it was not signed: ${error.what}`, {
      where: `${error.file}:${error.line}`,
      ...(error.remedy && { remedy: error.remedy }),
    });
  const { files } = readSource(root, true);
  const file = join(root, SIGNATURE_FILE);
  const name = basename(root);
  if (dryRun) {
    const change: Change = { action: existsSync(file) ? 'change' : 'create', path: file, what: 'its signature', mode: MODES.file };
    return showDryRun(context, [change], json === true);
  }
  const signature = signWith(context, keyOf(context, key), signedTextOf(name, files));
  writeConfig(file, signature, readConfig(file).bytes, MODES);
  const digest = digestOf(files);
  if (json) return printJson(context, { name, digest, signature: file });
  printLine(context, `${context.paint('green', '✓')} ${context.paint('bold', name)} is signed`);
  printLine(context, `  digest     ${digest}`);
  printLine(context, `  signature  ${shellPath(context, file)}`);
  printLine(context, `  Others know you by a line in their list of signers: <you> namespaces="${HOOK_NAMESPACE}" <your public key>`);
}

function keyOf(context: Context, key: string | undefined): string {
  if (key !== undefined) return resolve(context.cwd, key.replace(/^~(?=\/|$)/, context.env.HOME || homedir()));
  const found = gitSetting(context, 'user.signingKey');
  if (found !== undefined) return found;
  throw new Failure('no key to sign with', {
    remedy: 'name one: --key ~/.ssh/id_ed25519. Or set it for git: git config --global user.signingKey',
    usage: true,
  });
}
