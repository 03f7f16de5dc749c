import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Room, type Step, selectAll } from '@piton/testing';
import { piton, shell, stateOf } from './stage.ts';

export const recordedIn = (room: Room): string => join(room.state, 'recorded');

/**
 * Stands between the agent and the forwarder, knows nothing of either, and writes down what goes by: whatever the agent starts
 * for an event passes here. Laid after `piton init`.
 */
export const laidRecorder = (room: Room): Step =>
  shell(
    'lay the recorder',
    `set -e
mkdir -p '${recordedIn(room)}'
cd '${stateOf(room)}/runtime/current'
mv piton-forward forward-itself
cat > piton-forward <<'PROGRAM'
#!/bin/sh
name="${recordedIn(room)}/$(date +%s%N).$$"
cat > "$name.stdin"
printf '%s' "$2" > "$name.event"
"${stateOf(room)}/runtime/current/forward-itself" "$@" < "$name.stdin"
PROGRAM
chmod +x piton-forward`,
  );

/** What the agent sent, in the order in which it came by. */
export function recordedSteps(room: Room): { readonly event: string; readonly payload: unknown }[] {
  const directory = recordedIn(room);
  return readdirSync(directory)
    .filter((name) => name.endsWith('.event'))
    .sort()
    .map((name) => ({
      event: readFileSync(join(directory, name), 'utf8'),
      payload: JSON.parse(readFileSync(join(directory, name.replace(/event$/, 'stdin')), 'utf8')) as unknown,
    }));
}

/** The same, in a form that can be compared. */
export const recordedCalls = (room: Room): string[] =>
  recordedSteps(room)
    .map(({ event, payload }) => `${event} ${JSON.stringify(payload)}`)
    .sort();

/** Events are answered first and stored a moment later: when the server has ended, they are. */
export const endServer: Step = piton('server', 'stop');

/** What is stored of it, read with SQL of our own. */
export const storedCalls = (room: Room): string[] =>
  selectAll(join(stateOf(room), 'piton.db'), 'SELECT native_event, payload FROM events WHERE derived = 0 AND canary = 0')
    .map(({ native_event: event, payload }) => `${String(event)} ${JSON.stringify(JSON.parse(String(payload)))}`)
    .sort();
