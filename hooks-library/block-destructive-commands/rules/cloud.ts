import { OUTPUT } from '@piton/shell';
import { type Finding, hasOption, operandsOf, type Rules } from '../rule.ts';
import { statementInContainer } from './database.ts';

const INSTEAD = 'Show what it would do (`plan`, `--dry-run`, `get`, `list`), and let the person run it.';
const gone = (what: string): Finding => ({ what: `it would delete ${what}`, instead: INSTEAD });

const LARGE =
  /^(?:ns|namespaces?|pv|persistentvolumes?|pvc|persistentvolumeclaims?|crds?|customresourcedefinitions?|nodes?|no|clusterroles?)(?:\/.*)?$/;

/** Behind its own options, some of which take a value. */
const COMPOSE: readonly (readonly [RegExp, string])[] = [
  [/(?:-\S+ (?:[^-\s]\S* )??)*down (?:.* )?(?:-v|--volumes)(?: |$)/, 'the volumes of the project with their data'],
  [/(?:-\S+ (?:[^-\s]\S* )??)*rm (?:.* )?(?:-[a-z]*v[a-z]*|--volumes)(?: |$)/, 'the volumes of containers with their data'],
];

/** The subcommands of a call in order, followed by its other arguments: `aws s3 rb`. */
const DELETING: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  aws: [
    [/^s3 rb\b.*--force/, 'a bucket with all that is in it'],
    [/^s3 rm\b.*--recursive/, 'all objects below a place in a bucket'],
    [/^s3api delete-bucket\b/, 'a bucket'],
    [/^ec2 (?:terminate-instances|delete-volume|delete-snapshot|delete-vpc)\b/, 'machines, volumes or snapshots'],
    [/^rds delete-\S+/, 'a database'],
    [/^dynamodb delete-table\b/, 'a table'],
    [/^cloudformation delete-stack\b/, 'a stack'],
    [/^eks delete-\S+/, 'a cluster'],
    [/^iam delete-\S+/, 'an identity'],
  ],
  gcloud: [[/^.*\bdelete\b/, 'something in the cloud']],
  az: [[/^(?:group|vm|storage account|sql (?:db|server)|aks|keyvault) delete\b/, 'something in the cloud']],
  gsutil: [[/^(?:-m )?(?:rm (?:.*-r|.*\*\*)|rb)\b/, 'a bucket or what is in it']],
  gh: [[/^(?:repo delete|release delete|api .*(?:-X|--method)[ =]?DELETE)\b/, 'something on the forge']],
  glab: [[/^repo delete\b/, 'a repository']],
  heroku: [[/^(?:apps:destroy|pg:reset|addons:destroy)\b/, 'an app or its data']],
  fly: [[/^(?:apps? destroy|volumes? destroy|postgres .*destroy)\b/, 'an app or its data']],
  flyctl: [[/^(?:apps? destroy|volumes? destroy)\b/, 'an app or its data']],
  doctl: [[/^.*\bdelete\b/, 'something in the cloud']],
  neonctl: [[/^.*\bdelete\b/, 'a project, a branch or a database']],
  wrangler: [[/^(?:delete|(?:d1|r2 bucket|kv namespace|queues) delete)\b/, 'a worker or its data']],
  firebase: [[/^(?:firestore:delete\b.*--all-collections|database:remove|apps:delete|projects:delete)/, 'data or a project']],
  npm: [[/^unpublish\b/, 'a published package']],
  vercel: [[/^(?:remove|rm)\b/, 'a deployment']],
  cdk: [[/^destroy\b.*(?:--force|-f\b)/, 'a stack']],
  pulumi: [[/^destroy\b.*(?:--yes|-y\b)/, 'a stack']],
  helm: [[/^(?:uninstall|delete)\b/, 'a release']],
  docker: [
    [/^system prune\b.*--volumes/, 'all unused images, containers and volumes'],
    [/^volume prune\b/, 'all unused volumes with their data'],
    [/^volume (?:rm|remove)\b/, 'a volume with its data'],
    ...COMPOSE.map(([verb, what]): [RegExp, string] => [new RegExp(`^compose ${verb.source}`), what]),
  ],
  podman: [
    [/^system (?:prune\b.*--volumes|reset)/, 'all unused images, containers and volumes'],
    [/^volume (?:prune|rm|remove)\b/, 'volumes with their data'],
    ...COMPOSE.map(([verb, what]): [RegExp, string] => [new RegExp(`^compose ${verb.source}`), what]),
  ],
  'docker-compose': COMPOSE,
  'podman-compose': COMPOSE,
};

const LISTED = /^(?:container )?(?:rm|remove) (?:.* )?(?:-[a-z]*f|--force)/;

/** What docker, podman and aws take before the subcommand. */
const GLOBAL =
  /^(?:(?:(?:-H|-c|-l|--host|--context|--config|--log-level|--connection|--url|--profile|--region|--output|--endpoint-url) \S+|--[a-z-]+=\S+|-D|--debug|--tls) )+/;

const terraform = (args: readonly string[]): Finding | undefined => {
  const line = args.join(' ');
  const approved = /-auto-approve|--terragrunt-non-interactive/.test(line);
  const destroys = /(?:^|\s)destroy\b/.test(line) || /\bapply\b.*\s-destroy\b/.test(line);
  return destroys && approved ? gone('what it manages, without asking') : undefined;
};

const deleting = (program: string): Rules => ({
  [program]: ({ args }) => {
    const line = args.join(' ').replace(GLOBAL, '');
    const found = DELETING[program]?.find(([pattern]) => pattern.test(line));
    const inside = statementInContainer(program, args);
    if (inside !== undefined) return inside;
    // `docker rm -f $(docker ps -aq)`: whatever there is.
    if (LISTED.test(line) && args.some((arg) => arg.includes(OUTPUT)))
      return { ...gone('every container that another command lists'), ask: true };
    return found && !hasOption(args, '', '--dry-run') && !args.includes('--dryrun') ? gone(found[1]) : undefined;
  },
});

export const CLOUD: Rules = {
  ...Object.assign({}, ...Object.keys(DELETING).map(deleting)),
  terraform: ({ args }) => terraform(args),
  tofu: ({ args }) => terraform(args),
  terragrunt: ({ args }) => terraform(args),
  kubectl: ({ args }) => {
    const inside = statementInContainer('kubectl', args);
    if (inside !== undefined) return inside;
    const words = operandsOf(args);
    const rest = words.slice(words.indexOf('delete') + 1);
    if (!words.includes('delete') || args.some((arg) => arg.startsWith('--dry-run'))) return undefined;
    const kind = rest.flatMap((word) => word.split(',')).find((word) => LARGE.test(word));
    if (kind !== undefined) return gone(`a whole ${kind}`);
    return args.includes('--all') || args.includes('-A') || args.includes('--all-namespaces') ? gone('all of a kind') : undefined;
  },
};
