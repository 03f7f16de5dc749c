import type { CanonicalEvent, Frame } from '@piton/contracts';
import { type HookDefinition, plan } from '@piton/hooks';
import { type DecodedEvent, decodeEvent } from './decoded-event.ts';
import { derivedRuns, followsFromDeny } from './derived-events.ts';
import { once } from './once.ts';
import type { LifecyclePorts } from './ports.ts';
import { type PreparedFrame, prepare } from './prepared-frame.ts';

/** A frame whose payload is decoded when somebody first asks for it, and never again: an agent waits for this. */
export interface ReceivedFrame {
  readonly frame: Frame;
  /** Must a command run for it? Asked of a plugin's frame before it counts as received: nothing is remembered of it. */
  wantsCommand(): boolean;
  prepare(): PreparedFrame;
}

export function receiveFrame(ports: LifecyclePorts, frame: Frame): ReceivedFrame {
  const decoded = once(() => decodeEvent(frame, ports.agentFor));
  return {
    frame,
    wantsCommand: () => wantsCommand(ports, frame, decoded()),
    prepare() {
      const startedUs = ports.nowUs();
      return prepare(ports, frame, decoded(), startedUs);
    },
  };
}

function wantsCommand(ports: LifecyclePorts, frame: Frame, { event, agent, unreadable }: DecodedEvent): boolean {
  if (agent === undefined) return false;
  const hooks = ports.hooksFor(event, frame);
  const { deciding, observing } = plan(event, hooks);
  return (
    (unreadable ? hooks : [...deciding, ...observing]).some(isCommand) || (deciding.length > 0 && runsCommandOnDeny(ports, frame, event))
  );
}

/** Were this event denied, would a command run on what follows from that? Then somebody must be there who can run it. */
export const runsCommandOnDeny = (ports: Pick<LifecyclePorts, 'hooksFor'>, frame: Frame, event: CanonicalEvent): boolean =>
  derivedRuns(ports, frame, event, followsFromDeny(event), {}).some(({ hooks }) => hooks.some(isCommand));

export const isCommand = ({ module, builtIn }: HookDefinition): boolean => module === undefined && builtIn === undefined;
