const LITERALS: ReadonlySet<string> = new Set(
  'true false null none nil undefined include omit same-origin value string number boolean object any unknown yes no on off required optional str int bytes void self bool text varchar hidden never auto default disabled enabled empty invalid missing expired password passwd secret token apikey api_key bearer basic header cookie query body env environment keychain prompt stdin file plain hash hashed encrypted'.split(
    ' ',
  ),
);
/** Variables, templates, masks, and addresses in a vault. */
const POINTER =
  /^(?:\$\{|\$$|\$\(|\$[A-Z_][A-Z0-9_]*$|\$\$|%[A-Za-z({]|<|\{\{|\{[A-Za-z_]|#\{|\*{2,}|•|x{3,}$|X{3,}$|\.{2,}$|…|op:\/\/|vault:|ssm:|env[:.(]|file:|secretsmanager:|arn:|projects\/|ref\+|https?:\/\/|process\.env|import\.meta|os\.(?:environ|getenv)|ENV\[|@Microsoft\.KeyVault)/;
/** What documentation writes where a reader puts an own value. */
const EXAMPLE =
  /^(?:your|my|insert|enter|put|add|some|the)[-_ ](?:[a-z0-9]+[-_ ]){0,5}(?:password|passwd|secret|token|key|pass|credentials?|here)\b|[-_ ]here$|^(?:changeme|placeholder|redacted|example|dummy|todo|tbd|n\/a|foo|bar|baz)$|^\[[a-z _-]{1,64}\]$/i;
const SHELL_VARIABLE = /^\$[A-Za-z_]/;
const PATH = /^(?:~?\/|\.{1,2}\/)[A-Za-z0-9_.-]|^[A-Za-z]:\\/;
const FILE =
  /^[A-Za-z0-9_./-]{1,200}\.(?:pem|key|crt|cer|p12|pfx|jks|json|ya?ml|toml|txt|env|ini|cfg|conf|ts|tsx|js|jsx|mjs|cjs|py|go|rs|rb|java|kt|php|sh|md|html|sql|xml|lock)$/;
const CODE_PATH = /^[A-Za-z_$][A-Za-z0-9_$]*(?:(?:\??\.|::|->)[A-Za-z_$][A-Za-z0-9_$]*)+$/;
const IDENTIFIER = /^[A-Za-z_$][A-Za-z_$]*$/;
/** The length of an AWS secret, which may begin with a slash and is no path. */
const AWS_SECRET_LENGTH = 40;

/** What stands beside a secret name but only points to a secret: a variable, a type, a mask, a path, a label. */
export function isReference(value: string, quoted: boolean): boolean {
  if (value.trim() === '' || POINTER.test(value) || LITERALS.has(value.toLowerCase())) return true;
  if (value.length <= 128 && EXAMPLE.test(value)) return true;
  if (PATH.test(value) && value.length !== AWS_SECRET_LENGTH) return true;
  if (value.length <= 200 && FILE.test(value)) return true;
  return !quoted && (SHELL_VARIABLE.test(value) || (value.length <= 256 && CODE_PATH.test(value)));
}

/** `password: 'Password'`, `token: 'Your token is invalid'`: what a program says to people. */
export function isLabel(name: string, value: string): boolean {
  if (value.length > 256 || /[0-9]/.test(value)) return false;
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');
  if (plain(value) === plain(name)) return true;
  // Keys of translations have dots, and their values are words.
  if (name.includes('.') && /^\p{Lu}[\p{Ll} ]+$/u.test(value)) return true;
  return /\s/.test(value) && /pass(?:word|phrase|code)|secret|token|api key|credential|cookie|authoriz/i.test(value);
}

/** A bare word that code hands on: `connect(token=tok)`. */
export const isIdentifier = (value: string): boolean => IDENTIFIER.test(value);
