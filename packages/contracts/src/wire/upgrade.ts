import { ENVELOPE_VERSION } from './envelope.ts';

type Step = (older: Record<string, unknown>) => Record<string, unknown>;

/** `STEPS[n]` turns version n into n + 1. Version 1 is the first release: there is no step yet. */
const STEPS: Readonly<Record<number, Step>> = {};

export type UpgradeResult =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly problem: 'newer' | 'malformed'; readonly error: string };

/** Brings an envelope of any older release to today's version. A newer one is refused with a clear word. */
export function upgradeEnvelope(value: unknown): UpgradeResult {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return malformed('an envelope is a JSON object');
  let current = value as Record<string, unknown>;
  const version = current.schemaVersion;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    return malformed('schemaVersion must be a whole number from 1');
  if (version > ENVELOPE_VERSION) {
    return {
      ok: false,
      problem: 'newer',
      error: `envelope version ${version} is newer than this server, which reads up to ${ENVELOPE_VERSION}: upgrade Piton`,
    };
  }
  for (let at = version; at < ENVELOPE_VERSION; at++) {
    const step = STEPS[at];
    if (step === undefined) return malformed(`no upgrade from version ${at}`);
    current = step(current);
  }
  return { ok: true, value: current };
}

const malformed = (error: string): UpgradeResult => ({ ok: false, problem: 'malformed', error });
