import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor, installKey, NO_OWN_RULES, type OwnRules, type Redactor, readOwnRules } from '@piton/redact';
import { parseSettings } from '../process/settings-text.ts';

export interface LiveRedactor extends Redactor {
  /** Takes up what the user has changed in the settings since. Cheap if that is nothing. */
  refresh(): void;
}

type Trouble = (what: string, remedy: string) => void;

/**
 * The redactor of this install, with the rules of the user's own settings. A repository's settings do not count:
 * whoever can write them could allow everything.
 */
export function liveRedactor(key: Uint8Array, config: string, trouble: Trouble): LiveRedactor {
  const path = join(config, 'settings.json');
  let seen = '';
  let redactor = createRedactor({ key });
  const refresh = (): void => {
    const stamp = stampOf(path);
    if (stamp === seen) return;
    seen = stamp;
    const own = stamp === '' ? NO_OWN_RULES : ownRulesIn(path, trouble);
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
  };
}

/** A log must be redacted even where no key can be kept: then equal secrets are equal for one server's life only. */
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

/** Undefined while somebody is in the middle of an edit: the rules before that hold on. */
function ownRulesIn(path: string, trouble: Trouble): OwnRules | undefined {
  try {
    const { value, errors } = parseSettings(readFileSync(path, 'utf8'));
    if (errors.length > 0) return undefined;
    const { own, problems } = readOwnRules((value as { redact?: unknown } | undefined)?.redact);
    for (const problem of problems) trouble(`${problem}. Ignored`, `fix it in ${path}`);
    return own;
  } catch {
    return undefined;
  }
}
