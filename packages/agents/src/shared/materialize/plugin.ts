import { type ConfigFile, EVENT_FACTS, type EventName, type MaterializePlace, type Materializer } from '@piton/contracts';
import { isDeniable } from './answers.ts';
import { type Draft, draftOf } from './draft.ts';
import type { MaterializeFacts } from './facts.ts';
import { folderFiles, folderOf, parentOf } from './folder.ts';
import { inComment } from './run-script.ts';
import { anchoredPattern } from './tools.ts';

/** An agent whose hooks are functions of a file that it loads: one file a hook, which runs the hook's script. */
export interface PluginAgent {
  readonly facts: MaterializeFacts;
  /** The file of `piton init` at this level: ours stand beside it. */
  file(place: Pick<MaterializePlace, 'scope' | 'env'>): ConfigFile;
  /** JavaScript below the constants `hook`, `ask`, `wants`, `fits`: the export by which the agent finds it. */
  readonly body: string;
  activation(scope: 'user' | 'project'): string | null;
}

const MARK = (id: string): string => `// piton-hooks/${id}:`;

export function pluginMaterializer(agent: PluginAgent): Materializer {
  const pathOf = (id: string, place: MaterializePlace): string => `${parentOf(agent.file(place))}/piton-hook-${id}.js`;
  const directoryOf = (place: MaterializePlace): string => parentOf({ path: parentOf(agent.file(place)), label: '' });
  return {
    activation: agent.activation,
    materialize(hook, place) {
      const draft = draftOf(hook, agent.facts);
      if (!draft.ok) return draft;
      const path = pathOf(hook.id, place);
      const there = place.text(path);
      if (there !== null && !there.startsWith(MARK(hook.id)))
        return {
          ok: false,
          code: 'materialize.config_invalid',
          why: `${path} is there and was not written by Piton: move it away, then run this again`,
        };
      const folder = folderOf(directoryOf(place), hook.id);
      const files = [...folderFiles(folder, draft), { path, text: pluginText(draft, agent) }];
      return { ok: true, folder, files, nativeEvents: draft.events.map(({ name }) => name), losses: draft.losses };
    },
    remove(id, place) {
      const path = pathOf(id, place);
      const isOurs = place.text(path)?.startsWith(MARK(id)) === true;
      return { ok: true, folder: folderOf(directoryOf(place), id), files: isOurs ? [{ path, text: null }] : [] };
    },
  };
}

/** After which end of a tool it runs. */
function endsOf(event: EventName): { readonly success: boolean; readonly failure: boolean } {
  const { only } = EVENT_FACTS[event];
  return { success: only !== 'failure', failure: only !== 'success' };
}

const factsFor = ({ hook, events, tools }: Draft) => ({
  id: hook.id,
  events: events.map(({ name }) => name),
  tools: tools === null ? null : anchoredPattern(tools),
  timeoutMs: hook.timeoutMs,
  failClosed: hook.failClosed && isDeniable(hook.event),
  ...endsOf(hook.event),
});

function pluginText(draft: Draft, { facts, body }: PluginAgent): string {
  const { hook } = draft;
  return `${MARK(hook.id)} ${inComment(hook.name)} ${inComment(hook.version)}, written for ${facts.title} by piton materialize. It runs without Piton.
// Please do not edit: piton materialize writes it anew, and with --remove takes it away.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const hook = ${JSON.stringify(factsFor(draft))};
const program = join(dirname(fileURLToPath(import.meta.url)), "../piton-hooks", hook.id, "run.sh");
${RUNNER}
${body}`;
}

const RUNNER = `
const wants = (event) => hook.events.includes(event);
const fits = (tool) => hook.tools === null || new RegExp(hook.tools).test(tool);

// What the hook says: { deny, context, continue }. Nothing that breaks here breaks the agent.
function ask(event, payload, cwd) {
  return new Promise((resolve) => {
    const broken = (why) => resolve(hook.failClosed ? { deny: hook.id + " " + why } : {});
    const child = spawn(program, [event], { cwd, detached: true, stdio: ["pipe", "pipe", "ignore"] });
    const limit = setTimeout(() => {
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {}
      broken("took too long");
    }, hook.timeoutMs);
    let out = "";
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(payload) + "\\n");
    child.stdout.setEncoding("utf8").on("data", (text) => {
      if (out.length < 1000000) out += text;
    });
    child.once("error", () => {
      clearTimeout(limit);
      broken("could not be started");
    });
    child.once("close", (code) => {
      clearTimeout(limit);
      code === 0 ? resolve(read(out)) : broken("failed");
    });
  });
}

// JSON that the hook printed itself counts in the forms that most hooks are written in.
function read(text) {
  let said;
  try {
    said = JSON.parse(text);
  } catch {
    return {};
  }
  if (said === null || typeof said !== "object") return {};
  const own = said.hookSpecificOutput ?? {};
  const verdict = own.permissionDecision ?? said.decision;
  const reason = own.permissionDecisionReason ?? said.reason ?? said.stopReason ?? hook.id + " gave no reason";
  const refused = verdict === "deny" || verdict === "block" || verdict === "ask" || said.continue === false;
  const context = said.context ?? own.additionalContext ?? said.additionalContext ?? said.content;
  return {
    ...(said.deny !== undefined ? { deny: said.deny } : refused && { deny: reason }),
    ...(typeof context === "string" && { context }),
    ...(typeof said.continue === "string" ? { continue: said.continue } : (refused || verdict === "continue") && { continue: reason }),
  };
}`;
