import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type EventName, registrationName } from '@piton/contracts';
import { type HookDefinition, type LastResortPorts, readLastResorts, refreshLastResort, refreshLastResorts } from '@piton/hooks';

interface Ports extends LastResortPorts {
  readonly reportProblem: (what: string, remedy: string) => void;
}

/**
 * Keeps `<home>/last-resort` as this server finds the hooks: what must hold where no server answers. Other servers of this home, and
 * the command, write there too; each replaces the file of a root only when it has just read that root.
 */
export class LastResorts {
  readonly #ports: Ports;
  #seen = new WeakSet<HookDefinition>();
  /** The user's, as they were last read. */
  #policies: readonly HookDefinition[] = [];
  #guarded: boolean | undefined;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** After a start or a change. A project's file is written by whoever trusts it, and when one of its hooks is met. */
  refresh(): void {
    this.#attempt(() => {
      this.#policies = refreshLastResorts(this.#ports, 'missing');
      removeFormerFiles(this.#ports.home);
    });
    this.#seen = new WeakSet(this.#policies);
    this.#guarded = this.#ports.registry.guardMode() !== 'off';
  }

  /** Hooks that an event met under these names: a root is read and written again where something differs. Cheap where nothing does. */
  meet(hooks: readonly HookDefinition[], names: readonly EventName[]): void {
    let roots: Set<string | null> | undefined;
    for (const hook of hooks) {
      if (!this.#isNews(hook)) continue;
      roots ??= new Set();
      roots.add(hook.root);
    }
    if (this.#policies.some((hook) => names.includes(hook.event) && !hooks.some(({ root, id }) => root === null && id === hook.id))) {
      roots ??= new Set();
      roots.add(null);
    }
    if (roots === undefined) return;
    for (const root of roots) {
      this.#attempt(() => {
        const policies = refreshLastResort(this.#ports, root);
        if (root === null) this.#policies = policies;
      });
    }
  }

  /** The native deny that is kept for a registration. */
  denyFor(agent: string, nativeEvent: string): string | undefined {
    const name = registrationName(agent, nativeEvent);
    return readLastResorts(this.#ports.home).flatMap(({ kept }) => kept?.denies.get(name) || [])[0];
  }

  #isNews(hook: HookDefinition): boolean {
    if (hook.builtIn !== undefined) {
      const changed = this.#guarded !== hook.enabled;
      this.#guarded = hook.enabled;
      return changed;
    }
    if (!hook.failClosed || this.#seen.has(hook)) return false;
    this.#seen.add(hook);
    return true;
  }

  #attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#ports.reportProblem(
        `could not save which hooks are required: ${(error as Error).message}`,
        'make the disk writable. Without a server these hooks may not run',
      );
    }
  }
}

/** Each environment once had its own, which no other could read. */
function removeFormerFiles(home: string): void {
  for (const hash of readdirSync(join(home, 'env')))
    for (const name of ['registry.json', 'deny']) rmSync(join(home, 'env', hash, name), { recursive: true, force: true });
}
