import type { AgentDriver } from '@piton/testing';
import { describe, test } from 'vitest';
import { playable } from './cells.ts';
import { type Play, permissionPlays } from './plays.ts';
import { playSessions } from './session.ts';
import { findingOf, sessionsFor, type Tale } from './tale.ts';

/** The agent wants a permission for all that it does: what a hook says about it is seen by what runs. */
export function withoutPermission(tale: Tale): void {
  const { driver, ledger } = tale;
  if (!driver.cautious) return;
  const cautious: AgentDriver = { ...driver, ...driver.cautious };
  const pairs = (repo: string) => permissionPlays(playable(tale), driver.tools, repo);
  const playsIn = (repo: string): Play[] => pairs(repo).flatMap((pair) => [pair.control, pair]);
  const all = pairs('');
  const plays: Play[] = all.flatMap((pair) => [pair.control, pair]);
  if (all.length === 0) return;
  describe('without permission', () => {
    const sessions = sessionsFor(tale, () => playSessions(cautious, playsIn, () => ({})));
    test.each(all.map((pair) => [pair.cell.decision, pair.cell.event, pair] as const))('%s at %s', (_decision, _event, pair) => {
      const { event, decision } = pair.cell;
      const asked = findingOf(sessions(), plays, pair.control).honoured;
      if (!asked) return ledger.unprovoked(event, decision, 'it does not ask before this tool');
      ledger.enter(pair.cell, findingOf(sessions(), plays, pair));
    });
  });
}
