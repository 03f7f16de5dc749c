import type { Story, Workspace } from '@piton/testing';
import { describe, expect, test } from 'vitest';
import { playable } from './cells.ts';
import { lastHook, switchOn } from './hooks.ts';
import { broadScene, type Play, playOf } from './plays.ts';
import { endServer, installRecorder, recordedCalls, storedCalls } from './recorder.ts';
import { playSessions } from './session.ts';
import { findingOf, sessionsFor, type Tale } from './tale.ts';

/** All that can be seen in a session with every permission, with a recorder beside it. */
export function inOneSession(tale: Tale): void {
  const { agent, driver, ledger } = tale;
  const playsIn = (repo: string): Play[] => playable(tale).flatMap((cell) => playOf(cell, driver.tools, repo) ?? []);
  const plays = playsIn('');
  const dress = (workspace: Workspace): Partial<Story> => {
    switchOn(workspace, { event: 'session_start', decision: 'replace' }, 'always');
    switchOn(workspace, { event: 'subagent_start', decision: 'replace' }, 'always');
    switchOn(workspace, { event: 'subagent_stop', decision: 'continue' }, 'once');
    return {
      prompt: 'Do the scripted work: user_prompt_submit-replace.',
      before: driver.inProcess ? [] : [installRecorder(workspace)],
      after: [...(agent.events.some(({ event }) => event === 'session_end') ? [lastHook(workspace)] : []), endServer],
    };
  };
  describe('in one session', () => {
    const sessions = sessionsFor(tale, () => playSessions(driver, (repo) => [...playsIn(repo), broadScene(driver.tools, repo)], dress));
    test.each(plays.map((play) => [play.cell.decision, play.cell.event, play] as const))('%s at %s', (_decision, _event, play) => {
      ledger.enter(play.cell, findingOf(sessions(), plays, play));
    });
    // No process stands between a plugin and the server, whose calls a recorder could write down.
    if (driver.inProcess) return;
    test('the store has each payload once, as the agent sent it', () => {
      for (const workspace of sessions().rooms) {
        const sent = recordedCalls(workspace);
        expect(sent.length).toBeGreaterThan(2);
        expect(storedCalls(workspace)).toEqual(sent);
      }
      ledger.promise('the store has each payload once, as the agent sent it');
    });
  });
}
