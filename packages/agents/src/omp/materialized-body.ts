/** The part of a materialized hook's extension that knows oh-my-pi. It is the text of a file of its own, which imports nothing of ours. */
export const MATERIALIZED_BODY = `
const MOST_REFUSALS = 8;
const OF_SUBAGENT = /_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\/.+\\.jsonl$/i;

export default async (host) => {
  // Context for the model, until the run that it belongs to begins.
  let waiting = "";
  let refusals = 0;
  let goOn;
  // What was said before a compaction; the request after it has it.
  let handoff = "";
  const hidden = (content) => ({ customType: "piton", content, display: false });
  const joined = (...texts) => texts.filter(Boolean).join("\\n");
  const isSubagent = ({ sessionManager }) => OF_SUBAGENT.test(sessionManager.getSessionFile() ?? "");
  const isEnvelope = ({ toolName, input }) => toolName === "write" && /^xd:\\/\\//i.test(String(input?.path).trim());

  function tell(name, event, context) {
    const { cwd, mode, hasUI, model, sessionManager } = context;
    const ctx = { cwd, mode, hasUI, sessionId: sessionManager.getSessionId(), sessionFile: sessionManager.getSessionFile(), model: model?.id };
    return ask(name, { ...event, ctx }, cwd);
  }
  // An error in a handler would deny, so none gets out.
  const on = (name, handler) =>
    host.on(name, async (event, context) => {
      try {
        return await handler(event, context);
      } catch {
        return undefined;
      }
    });

  on("session_start", async ({ type }, context) => {
    const name = isSubagent(context) ? "session_start.child" : "session_start";
    const old = context.sessionManager.getEntries?.().some((entry) => entry?.type === "message");
    if (wants(name)) waiting = joined((await tell(name, { type, reason: old ? "resume" : "startup" }, context)).context);
  });
  on("before_agent_start", async ({ type, prompt }, context) => {
    if (!isSubagent(context) && prompt !== goOn) {
      refusals = 0;
      const answer = wants("before_agent_start") ? await tell("before_agent_start", { type, prompt }, context) : {};
      if (answer.deny !== undefined) {
        if (context.hasUI) context.ui.notify(answer.deny, "warning");
        context.abort();
        return undefined;
      }
      waiting = joined(waiting, answer.context);
    }
    const content = waiting;
    waiting = "";
    return content === "" ? undefined : { message: hidden(content) };
  });
  if (wants("tool_call"))
    on("tool_call", async (event, context) => {
      if (isEnvelope(event) || !fits(event.toolName)) return undefined;
      const answer = await tell("tool_call", event, context);
      return answer.deny === undefined ? undefined : { block: true, reason: answer.deny };
    });
  on("tool_result", async (event, context) => {
    const name = event.isError === true ? "tool_result.error" : "tool_result";
    if (!wants(name) || isEnvelope(event) || !fits(event.toolName)) return undefined;
    const added = (await tell(name, event, context)).context;
    return added === undefined ? undefined : { content: [...(event.content ?? []), { type: "text", text: added }] };
  });
  on("session_stop", async ({ type, turn_id, last_assistant_message: last }, context) => {
    const failed = last?.stopReason === "error";
    const name = failed ? "session_stop.error" : "session_stop";
    if (!wants(name)) return undefined;
    const lastText = (last?.content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\\n");
    const answer = await tell(name, { type, turn_id, continued: refusals > 0, ...(failed ? { error: last.errorMessage ?? "unknown" } : { lastText }) }, context);
    if (failed || answer.continue === undefined || ++refusals > MOST_REFUSALS) return undefined;
    goOn = answer.continue;
    return { continue: true, additionalContext: answer.continue };
  });
  if (wants("agent_end.child"))
    on("agent_end", async ({ type }, context) => {
      if (isSubagent(context)) await tell("agent_end.child", { type }, context);
    });
  if (wants("session_before_compact"))
    on("session_before_compact", async ({ type, customInstructions }, context) => {
      const answer = await tell("session_before_compact", { type, customInstructions }, context);
      handoff = answer.context ?? "";
      return answer.deny === undefined ? undefined : { cancel: true };
    });
  on("session_compact", async ({ type, fromExtension }, context) => {
    if (handoff !== "") host.sendMessage(hidden(handoff), { triggerTurn: false });
    handoff = "";
    if (wants("session_compact")) await tell("session_compact", { type, fromExtension }, context);
  });
  if (wants("session_shutdown"))
    on("session_shutdown", async (event, context) => {
      if (!isSubagent(context)) await tell("session_shutdown", event, context);
    });
};
`;
