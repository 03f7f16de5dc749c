import { type AgentDriver, type ModelRequest, type ModelTurn, type Story, unfolded, type Workspace } from '@piton/testing';
import { writeHooks } from './hooks.ts';
import { type Scene, type Seen, SUBTASK, writeFiles } from './plays.ts';
import { newStage, removeRoom, runWithPiton } from './setup.ts';

const FINISHED: ModelTurn = { text: 'Finished.' };
const SUB = { name: 'sub', match: SUBTASK, turns: [] };

export interface Sessions {
  /** What was seen of each scene, in order. */
  readonly seen: readonly Seen[];
  readonly rooms: readonly Workspace[];
  remove(): void;
}

/**
 * Plays them all in one session. Some agents end their run at a deny: what was not reached then is played in a session of its
 * own, and so on.
 */
export async function playSessions(
  driver: AgentDriver,
  scenesIn: (repo: string) => readonly Scene[],
  dress: (workspace: Workspace) => Partial<Story>,
): Promise<Sessions> {
  const rooms: Workspace[] = [];
  const seen: Seen[] = [];
  for (;;) {
    const workspace = newStage(driver);
    rooms.push(workspace);
    writeHooks(workspace);
    writeFiles(workspace);
    const scenes = scenesIn(workspace.repo).slice(seen.length);
    const turns = scenes.flatMap((scene) => scene.turns);
    const facts = await runWithPiton(driver, workspace, {
      script: [{ name: 'main', turns: [...turns, FINISHED] }, SUB],
      ...dress(workspace),
    });
    if (facts.timedOut) throw new Error(`the session did not end\n${facts.stdout}\n${facts.stderr}`);
    const requests = facts.requests.filter(({ conversation }) => conversation === 'main');
    const before = seen.length;
    let at = 0;
    for (const scene of scenes) {
      // What needs no turn of its own has been played as soon as the model was asked at all.
      if (requests.length < (scene.turns.length > 0 ? at + 1 : 1)) break;
      const from = at;
      at += unfolded(scene.turns).length;
      seen.push({ facts, results: resultsOf(requests, from, at) });
    }
    if (scenes.length === 0 || seen.length - before === scenes.length) break;
    if (seen.length === before) throw new Error(`the agent did not begin: exit ${facts.exit}\n${facts.stdout}\n${facts.stderr}`);
  }
  return {
    seen,
    rooms,
    remove: () => rooms.forEach(removeRoom),
  };
}

/** Every request repeats the talk so far: what the next one has more is what these turns brought. */
function resultsOf(requests: readonly ModelRequest[], from: number, to: number): string {
  const known = requests[from]?.ask?.toolResults.length ?? 0;
  const later = requests[to] ?? requests.at(-1);
  return (later?.ask?.toolResults ?? [])
    .slice(known)
    .map(({ text }) => text)
    .join('\n');
}
