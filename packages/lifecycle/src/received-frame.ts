import { type Agent, type CanonicalEvent, type Frame, parseExactly } from '@piton/contracts';
import { type HookDefinition, plan } from '@piton/hooks';
import { type DecodedEvent, decodeEvent } from './decoded-event.ts';
import { derivedRuns, followsFromDeny } from './derived-events.ts';
import { once } from './once.ts';
import { withResolvedPaths } from './paths/resolved-paths.ts';
import type { LifecyclePorts } from './ports.ts';
import { hooksOfAnyKind, type PreparedFrame, prepare } from './prepared-frame.ts';
import { lacksLastMessage, withLastMessage } from './transcripts/last-message.ts';
import { hooksWithoutTranscript, withTranscript } from './transcripts/transcript-for-hooks.ts';

/** A frame whose payload is decoded on first use, and only once: an agent waits for it. */
export interface ReceivedFrame {
  readonly frame: Frame;
  /** Does it need a command? For a plugin's frame this is checked before it counts as received, and leaves no state. */
  wantsCommand(): boolean;
  /** What takes a look at the disk, for hooks that may ask: where links lead, the last message of a turn. Undefined where none does. To be awaited before `prepare`. */
  complete(): Promise<void> | undefined;
  prepare(): PreparedFrame;
}

export function receiveFrame(ports: LifecyclePorts, frame: Frame): ReceivedFrame {
  const asSent = once(() => decodeEvent(frame, ports.agentFor, ports.home, parseExactly));
  let resolved: DecodedEvent | undefined;
  const decoded = (): DecodedEvent => resolved ?? asSent();
  return {
    frame,
    wantsCommand: () => wantsCommand(ports, frame, decoded()),
    complete() {
      const { event, agent } = asSent();
      if (agent === undefined) return undefined;
      const context = ports.contextReady?.(event, frame);
      if (context !== undefined) return context;
      const hasFiles = event.tool !== undefined && event.tool.files.length > 0;
      const wanting = hooksWithoutTranscript(ports, hasFiles ? withAnyFile(event) : event, frame);
      const looks = hasFiles || lacksLastMessage(event, agent);
      if (wanting.length === 0 && (!looks || !ports.hooksFor(event, frame).some(({ builtIn }) => !builtIn))) return undefined;
      return lookedUp(ports, frame, event, agent, wanting).then((complete) => {
        resolved = { ...asSent(), event: complete };
      });
    },
    prepare() {
      const startedUs = ports.nowUs();
      return prepare(ports, frame, decoded(), startedUs);
    },
  };
}

async function lookedUp(
  ports: LifecyclePorts,
  frame: Frame,
  event: CanonicalEvent,
  agent: Agent,
  wanting: readonly HookDefinition[],
): Promise<CanonicalEvent> {
  let found = event;
  if (event.tool?.files.length) found = await withResolvedPaths(event, ports.repositoryOf(event.cwd)?.root ?? event.cwd, ports.links);
  else if (lacksLastMessage(event, agent)) found = await withLastMessage(event, agent, ports.transcripts);
  return wanting.length === 0 ? found : withTranscript(ports, found, frame, wanting);
}

function wantsCommand(ports: LifecyclePorts, frame: Frame, { event, agent, unreadable }: DecodedEvent): boolean {
  if (agent === undefined) return false;
  const hooks = ports.hooksFor(event, frame);
  // Nobody has followed links yet: a condition on a file may hold.
  const { deciding, observing } = plan(withAnyFile(event), hooks);
  return (
    (unreadable ? hooksOfAnyKind(ports, event, frame) : [...deciding, ...observing]).some(isCommand) ||
    (deciding.length > 0 && runsCommandOnDeny(ports, frame, event))
  );
}

const withAnyFile = (event: CanonicalEvent): CanonicalEvent =>
  event.tool?.files.length ? { ...event, tool: { ...event.tool, resolved: event.tool.files.map(() => null) } } : event;

/** Were this event denied, would a command run on what follows from that? Then somebody must be there who can run it. */
export const runsCommandOnDeny = (ports: Pick<LifecyclePorts, 'hooksFor'>, frame: Frame, event: CanonicalEvent): boolean =>
  derivedRuns(ports, frame, event, followsFromDeny(event), {}).some(({ hooks }) => hooks.some(isCommand));

export const isCommand = ({ module, builtIn }: HookDefinition): boolean => module === undefined && builtIn === undefined;
