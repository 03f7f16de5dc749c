import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseSettings } from '@piton/lifecycle/settings-text';
import { createRedactor, installKey, NO_OWN_RULES, type OwnRules, type Redactor, readOwnRules } from '@piton/redact';

export interface LiveRedactor extends Redactor {
  /** Loads changed settings. Cheap if nothing has changed. */
  refresh(): void;
}

type ReportProblem = (what: string, remedy: string) => void;

/**
 * The redactor of this install, with the rules of the user's settings. A repository's settings are ignored:
 * whoever can write them could allow everything.
 */
export function liveRedactor(key: Uint8Array, config: string, reportProblem: ReportProblem): LiveRedactor {
  const path = join(config, 'settings.json');
  let seen = '';
  let redactor = createRedactor({ key });
  const refresh = (): void => {
    const stamp = stampOf(path);
    if (stamp === seen) return;
    seen = stamp;
    const own = stamp === '' ? NO_OWN_RULES : ownRulesIn(path, reportProblem);
    if (own !== undefined) redactor = createRedactor({ key, own });
  };
  refresh();
  return {
    refresh,
    get version() {
      return redactor.version;
    },
    value: (value, found) => redactor.value(value, found),
    text: (text, found) => redactor.text(text, found),
    stream: () => redactor.stream(),
    holdsToken: (text) => redactor.holdsToken(text),
  };
}

/** A log must be redacted even if no key can be saved. Then equal secrets get equal placeholders only within one server process. */
export function keyForLogs(home: string): Uint8Array {
  try {
    return installKey(home);
  } catch {
    return randomBytes(32);
  }
}

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.mtimeMs} ${found.size} ${found.ino}`;
}

/** Undefined while the file is being edited: the previous rules stay in force. */
function ownRulesIn(path: string, reportProblem: ReportProblem): OwnRules | undefined {
  try {
    const { value, errors } = parseSettings(readFileSync(path, 'utf8'));
    if (errors.length > 0) return undefined;
    const { own, problems } = readOwnRules((value as { redact?: unknown } | undefined)?.redact);
    for (const problem of problems) reportProblem(`${problem}. Ignored`, `fix it in ${path}`);
    return own;
  } catch {
    return undefined;
  }
}
