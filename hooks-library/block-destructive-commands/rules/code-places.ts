/** What code in some language calls the home directory, and the working directory. */
const HOME =
  /(?:process\.|Bun\.|import\.meta\.)env(?:\??\.HOME\b|\[.HOME.\])|(?:require\(.(?:node:)?os.\)\.|\bos\.)?\bhomedir\(\)|(?:\bos\.)?\benviron(?:\[.HOME.\]|\.get\(.HOME.\))|(?:\bos\.|Deno\.env\.)?\bget(?:env)?\(.HOME.\)|(?:\bos\.path\.)?\bexpanduser\(.~\/?.\)|\bPath\(.~\/?.\)\.expanduser\(\)|\bPath\.home\(\)|\bDir\.home\b|\$?\bENV(?:\[.HOME.\]|\.fetch\(.HOME.\)|\{.?HOME.?\})|\$_(?:SERVER|ENV)\[.HOME.\]/g;
const WORKING =
  /\bprocess\.cwd\(\)|(?:\bos\.)?\bgetcwdb?\(\)|\bPath\.cwd\(\)|\bDir\.(?:pwd|getwd)\b|\bDeno\.cwd\(\)|(?:process\.)?\benv(?:iron)?(?:\.PWD\b|\[.PWD.\])|\bENV(?:\[.PWD.\]|\{.?PWD.?\})/g;
/** What leaves a place the same, or lists what is in it. */
const AROUND =
  /\b(?:(?:os\.)?path\.(?:resolve|join|normalize|abspath|realpath)|(?:require\(.(?:node:)?path.\)\.)(?:resolve|join)|File\.(?:join|expand_path)|(?:pathlib\.)?Path|String|str|iterdir|children|listdir|os\.scandir|glob|(?:require\(.(?:node:)?fs.\)\.|fs\.)?readdirSync|await|pathlib|File::(?:Path|Spec)|secure|force|True|true)\b/g;
const DEEPEST = 3;

/** The place that an argument names as a whole; undefined where it names something below, or something else. */
export function placeNamed(argument: string, code: string, depth = 0): 'home' | 'working' | undefined {
  const first = firstOf(argument);
  for (const [place, pattern] of [
    ['home', HOME],
    ['working', WORKING],
  ] as const) {
    const rest = first.replace(pattern, '');
    if (rest !== first && rest.replace(AROUND, '').replace(/[\s()[\]'"`${}+/*.,:=>|]/g, '') === '') return place;
  }
  const name = /^[\s(["'`${@]*([A-Za-z_]\w*)[\s)\]"'`}]*$/.exec(first)?.[1];
  if (name === undefined || depth >= DEEPEST) return undefined;
  if (name === 'HOME' && /\{[^}]{0,200}\bHOME\b[^}]{0,200}\}\s*=\s*process\.env/.test(code)) return 'home';
  const given = new RegExp(`\\b${name}\\s*(?:=(?!=)|\\bin\\b|\\bof\\b)\\s*([^;\\n]{1,300})`).exec(code)?.[1];
  return given === undefined ? undefined : placeNamed(given.replace(/[\])]?\s*:.*$/, ''), code, depth + 1);
}

/** Up to the comma that ends the first argument. */
function firstOf(text: string): string {
  let open = text.trimStart().startsWith('(') ? -1 : 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if ('([{'.includes(char)) open++;
    else if (')]}'.includes(char)) open--;
    else if (char === ',' && open <= 0) return text.slice(0, at);
  }
  return text;
}
