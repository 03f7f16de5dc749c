import { mkdirSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Agent, capabilityOf, type EventName, type NativeEvent, namesFor, TOOL_KINDS } from '@piton/contracts';
import type { GuardedPlaces, GuardMode, HookDefinition } from '@piton/hooks';
import { guardSnapshotText } from '@piton/lifecycle';

interface Ports {
  readonly environment: string;
  readonly agents: readonly Agent[];
  /** The built-in guard, as whoever stands in for the server can make it again. */
  readonly guard: { readonly mode: () => GuardMode; readonly places: () => GuardedPlaces };
  readonly trouble: (what: string, remedy: string) => void;
}

/**
 * What must hold without a server: the `fail_closed` hooks for the client to run, and for each registration that
 * they could deny the exact native bytes, which the forwarder prints when nothing else answers.
 */
export class Snapshot {
  readonly #ports: Ports;
  readonly #guards = new Map<string, HookDefinition>();
  #mode: GuardMode | undefined;
  #written = '';
  #denies: ReadonlyMap<string, string> = new Map();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** The roots for which an earlier server wrote guards: their hooks are looked up again at the start. */
  earlierRoots(): string[] {
    try {
      const { hooks } = JSON.parse(readFileSync(this.#file(), 'utf8')) as { hooks: HookDefinition[] };
      return [...new Set(hooks.flatMap((hook) => hook.root ?? []))];
    } catch {
      return [];
    }
  }

  /** Replaces what is known of these places by what is in force there now. */
  update(roots: readonly (string | null)[], hooks: readonly HookDefinition[]): void {
    const places = new Set(roots);
    for (const [id, hook] of this.#guards) if (places.has(hook.root)) this.#guards.delete(id);
    for (const hook of hooks) if (isGuard(hook)) this.#guards.set(`${hook.root ?? ''}\0${hook.id}`, hook);
    this.#write();
  }

  /** A guard that an event met and the snapshot does not know yet. Cheap when there is none. */
  meet(hooks: readonly HookDefinition[]): void {
    const changed = hooks[0]?.builtIn !== undefined && this.#ports.guard.mode() !== this.#mode;
    const news = hooks.filter((hook) => isGuard(hook) && this.#guards.get(`${hook.root ?? ''}\0${hook.id}`) !== hook);
    if (news.length === 0 && !changed) return;
    for (const hook of news) this.#guards.set(`${hook.root ?? ''}\0${hook.id}`, hook);
    this.#write();
  }

  /** The native deny of a registration that a guard could deny. */
  denyFor(agent: string, nativeEvent: string): string | undefined {
    return this.#denies.get(`${agent}.${nativeEvent}`);
  }

  #file(): string {
    return join(this.#ports.environment, 'registry.json');
  }

  #write(): void {
    const hooks = [...this.#guards.values()];
    const { mode, places } = this.#ports.guard;
    this.#mode = mode();
    const text = guardSnapshotText({ hooks, guard: { mode: this.#mode, places: places() } });
    if (text === this.#written) return;
    try {
      writeAtomically(this.#file(), text);
      this.#writeDenies(hooks);
      this.#written = text;
    } catch (error) {
      this.#ports.trouble(
        `could not save the fail_closed hooks: ${(error as Error).message}`,
        'make the disk writable. Without a server these hooks would not run',
      );
    }
  }

  #writeDenies(hooks: readonly HookDefinition[]): void {
    const directory = join(this.#ports.environment, 'deny');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const wanted = new Map<string, string>();
    for (const agent of this.#ports.agents) {
      for (const native of agent.events) {
        const guards = hooks.filter(
          (hook) => couldFire(hook, native, agent.id) && capabilityOf(agent.capabilities, native.event, 'deny').how === 'now',
        );
        if (guards.length === 0) continue;
        wanted.set(`${agent.id}.${native.name}`, denyOf(agent, native, guards));
      }
    }
    this.#denies = wanted;
    // For every directory: a session may be far from its root by now. Who is in force there the client can tell.
    for (const [name, deny] of wanted) writeAtomically(join(directory, name), deny);
    for (const name of readdirSync(directory)) if (!wanted.has(name)) unlinkSync(join(directory, name));
  }
}

/** One that cannot run denies as well: only what was never trusted has no say. */
const isGuard = (hook: HookDefinition): boolean => hook.failClosed && hook.enabled && hook.status.kind !== 'not-trusted';

function couldFire(hook: HookDefinition, native: NativeEvent, agent: string): boolean {
  if (hook.targets !== undefined && !hook.targets.includes(agent)) return false;
  const names: readonly EventName[] = [native.event, ...TOOL_KINDS.flatMap((kind) => namesFor(native.event, kind))];
  return names.includes(hook.event);
}

function denyOf(agent: Agent, native: NativeEvent, guards: readonly HookDefinition[]): string {
  const event = agent.decode({}, { nativeEvent: native.name, cwd: '/', variables: {} });
  const names = [...new Set(guards.map((hook) => hook.name))].join(', ');
  const reason = `Piton could not run a required hook (${names}). Ask the user to run: piton doctor`;
  return agent.encode(event, { decision: 'deny', verdict: 'deny', reason }, { attended: false }).answer.stdout;
}

function writeAtomically(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
}
