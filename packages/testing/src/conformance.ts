import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Agent,
  type ConfigFile,
  capabilityOf,
  DECISION_NAMES,
  type DecisionName,
  type EventName,
  type InstallTarget,
  type NativeAnswer,
  type NativeContext,
  OBSERVE,
  parseEventName,
  type Reduced,
  registrationArgs,
  type ToolKind,
} from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { BROKEN_JSONC, JSONC_CORPUS } from './config-corpus.ts';

export { JSONC_CORPUS };

/** What an agent would do with an answer, according to its documentation, not to our encoder. */
export interface AgentEffect {
  readonly denied?: string;
  readonly asked?: string;
  readonly allowed?: boolean;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly context?: string;
  readonly goesOn?: string;
}

export interface RecordedPayload {
  readonly name: string;
  readonly payload: unknown;
  readonly context: NativeContext;
}

export interface ConfigCorpus {
  readonly good: Readonly<Record<string, string>>;
  readonly broken: Readonly<Record<string, { readonly text: string; readonly says: RegExp }>>;
}

type Fields = Readonly<Record<string, unknown>>;

export interface Conformance {
  /** The agent's `fixtures/` and the directory of its tests: a quirk names a file in one of them. */
  readonly fixtures: string;
  readonly tests: string;
  readonly recorded: readonly RecordedPayload[];
  /** How the recorded payloads name the session and the tool, and the kind of each tool that occurs in them. */
  sessionOf(payload: Fields): unknown;
  toolOf(payload: Fields): unknown;
  readonly toolKinds: Readonly<Record<string, ToolKind>>;
  /** Texts that the configuration may contain, for all files or for each. Default: JSONC. */
  readonly configs?: ConfigCorpus | ((file: ConfigFile) => ConfigCorpus);
  /** A payload for each native event that has a canonical name. */
  sample(nativeEvent: string): unknown;
  read(answer: NativeAnswer, nativeEvent: string): AgentEffect;
}

/** At which levels it can be registered. */
const targetsOf = ({ installer: { userOnly } }: Agent): readonly InstallTarget[] =>
  userOnly === undefined ? TARGETS : TARGETS.slice(0, 1);
const TARGETS: readonly InstallTarget[] = (['user', 'project'] as const).map((scope) => ({
  scope,
  forwarder: '/home/some one/.local/state/piton/runtime/current/piton-forward',
  forwarderBelowHome: '.local/state/piton/runtime/current/piton-forward',
  wanted: [],
}));

const REASON = 'because "quoted" \\ and\nnew line';
const SAID: Readonly<Record<Exclude<DecisionName, 'observe'>, Reduced>> = {
  deny: { decision: 'deny', verdict: 'deny', reason: REASON },
  ask: { decision: 'ask', verdict: 'ask', reason: REASON },
  allow: { decision: 'allow', verdict: 'allow', reason: REASON },
  modify: { decision: 'modify', verdict: 'observe', input: { command: 'true', deep: { a: [1] } } },
  rewrite: { decision: 'rewrite', verdict: 'observe', output: 'other output' },
  continue: { decision: 'continue', verdict: 'observe', continue: REASON },
  replace: { decision: 'replace', verdict: 'observe', content: REASON },
};
const MEANS: Readonly<Record<Exclude<DecisionName, 'observe'>, (effect: AgentEffect) => void>> = {
  deny: (effect) => expect(effect.denied).toBe(REASON),
  ask: (effect) => expect(effect.asked).toBe(REASON),
  allow: (effect) => expect(effect.allowed).toBe(true),
  modify: (effect) => expect(effect.input).toEqual({ command: 'true', deep: { a: [1] } }),
  rewrite: (effect) => expect(JSON.stringify(effect.output)).toContain('other output'),
  continue: (effect) => expect(effect.goesOn).toBe(REASON),
  replace: (effect) => expect(effect.context).toBe(REASON),
};
const PARTS = DECISION_NAMES.filter((name) => name !== 'observe');
const ATTENDED = { attended: true };

/** Tests that every agent must pass. */
export function conformance(agent: Agent, given: Conformance): void {
  describe(`${agent.id} keeps the contract`, () => {
    const { configs = { good: JSONC_CORPUS, broken: BROKEN_JSONC } } = given;
    configuration(agent, typeof configs === 'function' ? configs : () => configs);
    registrations(agent);
    answers(agent, given);
    decisionsOnRecorded(agent, given);
    payloads(agent, given);
    it.each(agent.quirks.map((quirk) => [quirk.id, quirk.fixture]))('shows the quirk %s by a fixture or a test', (_id, fixture) => {
      expect(existsSync(join(given.fixtures, fixture)) || namesTest(given.tests, fixture)).toBe(true);
    });
    it('names each quirk once, and only known ones as a reason to cost', () => {
      const ids = agent.quirks.map((quirk) => quirk.id);
      expect(ids).toEqual([...new Set(ids)]);
      for (const { costly } of agent.events) if (costly !== undefined) expect(ids).toContain(costly);
    });
  });
}

function configuration(agent: Agent, configsOf: (file: ConfigFile) => ConfigCorpus): void {
  const { installer } = agent;
  for (const target of targetsOf(agent)) {
    const edited = (result: ReturnType<typeof installer.install>) => {
      if (!result.ok) throw new Error(result.error);
      return result.edit;
    };
    const files = installer.configFiles(target.scope, {}).map((file) => [file.label, file] as const);
    describe.each(files)(`in the ${target.scope} configuration %s`, (_label, file) => {
      const configs = configsOf(file);
      const corpus: readonly (readonly [string, string | null])[] = [['no file', null], ...Object.entries(configs.good)];
      const install = (text: string | null) => installer.install(text, target, file);
      const installedIn = (text: string | null) => installer.installed(text ?? '', target, file);
      it.each(corpus)('gives back, byte for byte: %s', (_name, text) => {
        const installed = edited(install(text)).text;
        expect(installed).not.toBe(text);
        expect(edited(installer.uninstall(installed ?? '', target, file)).text).toBe(text);
      });
      it.each(corpus)('changes nothing the second time: %s', (_name, text) => {
        const once = edited(install(text));
        expect(edited(install(once.text))).toEqual({ text: once.text, added: [], removed: [] });
        expect(installedIn(once.text).map((found) => found.registration)).toEqual(expect.arrayContaining([...once.added]));
      });
      it.each(Object.entries(configs.broken))('says where it is broken and edits nothing: %s', (_name, { text, says }) => {
        expect(install(text)).toEqual({ ok: false, error: expect.stringMatching(says) });
        expect(installedIn(text)).toEqual([]);
      });
    });
  }
}

/** For all files of a level together: an agent may have one per event. */
function registrations(agent: Agent): void {
  const { installer } = agent;
  describe.each(targetsOf(agent).map((target) => [target.scope, target] as const))('registered for the %s', (scope, target) => {
    const files = installer.configFiles(scope, {});
    const installedWith = (wanted: readonly string[]) =>
      files.flatMap((file) => {
        const result = installer.install(null, { ...target, wanted }, file);
        if (!result.ok) throw new Error(result.error);
        return installer.installed(result.edit.text ?? '', target, file);
      });
    const namesOf = (wanted: readonly string[]) => installedWith(wanted).map(({ registration }) => registration.nativeEvent);

    it('is every event with a canonical name that is not costly, once, and nothing else', () => {
      const expected = agent.events.filter(({ event, costly }) => event !== 'other' && costly === undefined).map(({ name }) => name);
      expect(namesOf([]).sort()).toEqual(expected.sort());
    });
    it('is by name what each event has and by time what it may take', () => {
      for (const { registration } of installedWith([])) {
        const { timeoutMs } = agent.events.find(({ name }) => name === registration.nativeEvent) ?? {};
        expect(registration).toEqual({ ...registration, agent: agent.id, scope, timeoutMs });
      }
    });
    it('comes to the forwarder by the very command line that stands there', () => {
      for (const { registration, command } of installedWith([])) {
        const args = registrationArgs(registration);
        if ('argv' in command) expect(command.argv).toEqual([target.forwarder, ...args]);
        else expect(command.shell).toContain(args.slice(0, 2).join(' '));
      }
    });
    it('takes no event away when more are wanted', () => {
      const costly = agent.events.filter((event) => event.costly !== undefined).map(({ name }) => name);
      expect(namesOf(costly)).toEqual(expect.arrayContaining(namesOf([])));
    });
    it('lies in files that no two events share by mistake', () => {
      const paths = files.map(({ path }) => path);
      expect(paths).toEqual([...new Set(paths)]);
      for (const file of files.filter(({ executable }) => executable)) {
        const result = installer.install(null, target, file);
        expect(result.ok && result.edit.text).toMatch(/^#!\//);
      }
    });
  });
}

/** Every recorded payload with every decision: the agent accepts the answer, and the trace says how it was delivered. */
function decisionsOnRecorded(agent: Agent, given: Conformance): void {
  it.each(given.recorded.map((recorded) => [recorded.name, recorded] as const))(
    'takes every decision: %s',
    (_name, { payload, context }) => {
      const event = agent.decode(payload, context);
      for (const part of PARTS) {
        const claims = event.names.map((name) => capabilityOf(agent.capabilities, name, part).how);
        for (const context of [ATTENDED, { attended: false }]) {
          const { answer, delivered } = agent.encode(event, SAID[part], context);
          expect(answer).toMatchObject({ stderr: '', exitCode: 0 });
          const [{ how, note } = { how: undefined, note: undefined }] = delivered.filter(({ decision }) => decision === part);
          const said = `${part} on ${event.names.join(', ')}`;
          expect(how, said).toBeDefined();
          // Nothing is delivered beyond the claims of its names, and less only with a reason.
          if (how === 'now') expect(claims, said).toContain('now');
          else expect(note, said).toBeTruthy();
          const effect = given.read(answer, event.nativeEvent);
          if (how === 'none' || how === 'deferred') expect(effect, said).toEqual({});
        }
      }
    },
  );
}

function answers(agent: Agent, given: Conformance): void {
  const heard = agent.events.map((event) => [event.name, event.event] as const);
  const decode = (name: string) => agent.decode(given.sample(name), { nativeEvent: name, cwd: '/', variables: {} });
  const main = heard.filter(([, event]) => event !== 'other');

  it.each(heard)('answers no decision with the true no-op: %s', (name) => {
    const encoded = agent.encode(decode(name), OBSERVE, ATTENDED);
    expect(encoded).toEqual({ answer: agent.noop(name), delivered: [] });
    expect(encoded.answer).toMatchObject({ stderr: '', exitCode: 0 });
    expect(given.read(encoded.answer, name)).toEqual({});
  });
  it.each(main.flatMap(([name, event]) => PARTS.map((part) => [part, name, event] as const)))(
    'does with %s on %s what its table says',
    (part, name, event) => {
      const capability = capabilityOf(agent.capabilities, event, part);
      const { answer, delivered, deferred } = agent.encode(decode(name), SAID[part], ATTENDED);
      expect(delivered).toMatchObject([{ decision: part, how: capability.how }]);
      expect(answer).toMatchObject({ stderr: '', exitCode: 0 });
      if (capability.how === 'now') MEANS[part](given.read(answer, name));
      else expect(delivered[0]?.note).toBeTruthy();
      if (capability.how === 'deferred') expect(deferred).toBe(REASON);
      if (capability.how === 'deferred' || capability.how === 'none') expect(answer).toEqual(agent.noop(name));
    },
  );
  it('claims capabilities for canonical events only, and for none that it never hears', () => {
    const names = new Set([
      ...main.flatMap(([name]) => decode(name).names),
      ...given.recorded.flatMap(({ payload, context }) => agent.decode(payload, context).names),
    ]);
    for (const event of Object.keys(agent.capabilities)) {
      expect(parseEventName(event)).toBe(event);
      const generic: readonly EventName[] = main.map(([, canonical]) => canonical);
      expect(generic.includes(event as EventName) || names.has(event as EventName) || isKind(event)).toBe(true);
    }
  });
}

const isKind = (event: string): boolean => /_execution$|_file$|_file_edit$|^todo_update$/.test(event);

function payloads(agent: Agent, given: Conformance): void {
  it.each(given.recorded.map((recorded) => [recorded.name, recorded] as const))(
    'decodes without loss: %s',
    (_name, { payload, context }) => {
      const before = structuredClone(payload);
      const event = agent.decode(payload, context);
      const fields = payload as Fields;
      expect(event.raw).toEqual(before);
      expect(event.problems).toBeUndefined();
      expect(event).toMatchObject({ agent: agent.id, nativeEvent: context.nativeEvent, sessionId: given.sessionOf(fields) });
      const tool = given.toolOf(fields);
      expect(event.tool?.nativeName).toBe(tool);
      // One call alone is the call itself: hooks see the file in its input.
      expect(event.tool?.calls?.length).not.toBe(1);
      if (typeof tool === 'string') expect(event.tool?.kind).toBe(given.toolKinds[tool]);
    },
  );
  const nonsense = [null, undefined, 0, '', 'text', [], [1], {}, { hook_event_name: 7, tool_name: [], tool_input: 'x', session_id: {} }];
  it.each(nonsense.map((payload) => [payload]))('decodes nonsense into an event with problems: %j', (payload) => {
    for (const { name } of agent.events) {
      const event = agent.decode(payload, { nativeEvent: name, cwd: '/w', variables: {} });
      expect(event.problems?.length).toBeGreaterThan(0);
      expect(event).toMatchObject({ agent: agent.id, sessionId: '', cwd: '/w' });
      for (const part of PARTS) expect(agent.encode(event, SAID[part], { attended: false }).answer.exitCode).toBe(0);
    }
  });
  it('passes on an event that it does not know', () => {
    const event = agent.decode({}, { nativeEvent: 'SomethingNew', cwd: '/w', variables: {} });
    expect(event).toMatchObject({ event: 'other', names: ['other'], nativeEvent: 'SomethingNew' });
  });
}

function namesTest(directory: string, name: string): boolean {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .some((file) => readFileSync(join(directory, file), 'utf8').includes(`'${name}'`));
}
