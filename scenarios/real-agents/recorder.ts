import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BedStep, selectAll, type Workspace } from '@piton/testing';
import { piton, shell, stateOf } from './setup.ts';

export const recordedIn = (workspace: Workspace): string => join(workspace.state, 'recorded');

/**
 * Stands between the agent and the forwarder, knows nothing of either, and writes down what goes by: whatever the agent starts
 * for an event passes here; what git starts only passes. Laid after `piton init`.
 */
export const installRecorder = (workspace: Workspace): BedStep =>
  shell(
    'lay the recorder',
    `set -e
mkdir -p '${recordedIn(workspace)}'
cd '${stateOf(workspace)}/runtime/current'
mv piton-forward forward-itself
cat > piton-forward <<'PROGRAM'
#!/bin/sh
case "$0" in
  # A hook of git: the program goes by the name it is called by.
  */piton-forward) ;;
  *)
    as="${stateOf(workspace)}/runtime/current/$(basename "$0")"
    ln -sf forward-itself "$as"
    exec "$as" "$@" ;;
esac
name="${recordedIn(workspace)}/$(date +%s%N).$$"
trap '' TERM
cat > "$name.stdin"
printf '%s' "$2" > "$name.event"
"${stateOf(workspace)}/runtime/current/forward-itself" "$@" < "$name.stdin"
PROGRAM
chmod +x piton-forward`,
  );

export interface SentStep {
  readonly event: string;
  readonly payload: unknown;
}

/** What the agent sent, in the order in which it came by. */
export function recordedSteps(workspace: Workspace): SentStep[] {
  const directory = recordedIn(workspace);
  return readdirSync(directory)
    .filter((name) => name.endsWith('.event'))
    .sort()
    .map((name) => ({
      event: readFileSync(join(directory, name), 'utf8'),
      payload: JSON.parse(readFileSync(join(directory, name.replace(/event$/, 'stdin')), 'utf8')) as unknown,
    }));
}

/** The same, in a form that can be compared. */
export const recordedCalls = (workspace: Workspace): string[] => comparable(recordedSteps(workspace));

const comparable = (steps: readonly SentStep[]): string[] =>
  steps.map(({ event, payload }) => `${event} ${JSON.stringify(payload)}`).sort();

/** Events are answered first and stored a moment later: when the server has ended, they are. */
export const endServer: BedStep = piton('server', 'stop');

/** What is stored, in the order in which it was sent, read with SQL of our own. */
export const storedSteps = (workspace: Workspace): SentStep[] =>
  selectAll(
    join(stateOf(workspace), 'piton.db'),
    'SELECT native_event, payload FROM events WHERE derived = 0 AND canary = 0 ORDER BY monotonic_us',
  ).map(({ native_event: event, payload }) => ({ event: String(event), payload: JSON.parse(String(payload)) as unknown }));

/** The same, in a form that can be compared. */
export const storedCalls = (workspace: Workspace): string[] => comparable(storedSteps(workspace));
