import type { Answer, Payload } from '../../parts/payload.ts';
import { GUARDS, type Guard, type Row, rowsOf } from './rows.ts';

/** Given from outside: each guard reads files beside itself, and a script bundles it where it lies. */
export type Guards = Readonly<Record<Guard, (payload: Payload) => Answer>>;
/** Nothing is there: the answers do not depend on this machine. */
const PROJECT = '/code/app';

/** Denied, or asked about. */
export function isStopped({ guard, tool: { kind, name, input } }: Row, guards: Guards): boolean {
  const file = input.file_path;
  const files = kind === 'edit' && typeof file === 'string' ? [file] : [];
  const command = typeof input.command === 'string' ? { command: input.command } : {};
  const payload: Payload = {
    cwd: PROJECT,
    tool_name: name,
    tool_input: input,
    piton: { repo: PROJECT, tool: { kind, files, ...command } },
  };
  return guards[guard](payload) !== undefined;
}

export interface Count {
  readonly guard: Guard;
  readonly class: string;
  readonly isAttack: boolean;
  readonly rows: number;
  readonly stopped: number;
  /** Of those that were written after the rules. */
  readonly later: { readonly rows: number; readonly stopped: number };
}

/** By guard and class, attacks first. */
export function libraryCounts(guards: Guards): Count[] {
  return GUARDS.flatMap((guard) => {
    const rows = rowsOf(guard).map((row) => ({ ...row, stopped: isStopped(row, guards) }));
    return [true, false].flatMap((isAttack) => {
      const side = rows.filter((row) => row.isAttack === isAttack);
      return [...new Set(side.map((row) => row.class))].map((name) => {
        const own = side.filter((row) => row.class === name);
        return { guard, class: name, isAttack, ...sizeOf(own), later: sizeOf(own.filter(({ isLater }) => isLater)) };
      });
    });
  });
}

const sizeOf = (rows: readonly { readonly stopped: boolean }[]): { rows: number; stopped: number } => ({
  rows: rows.length,
  stopped: rows.filter(({ stopped }) => stopped).length,
});
