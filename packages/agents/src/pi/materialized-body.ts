/** The part of a materialized hook's extension that knows pi. It is the text of a file of its own, which imports nothing of ours. */
export const MATERIALIZED_BODY = `
const MOST_REFUSALS = 8;

export default async (pi) => {
  // Context for the model, until the run that it belongs to begins.
  let waiting = "";
  let refusals = 0;
  // What was said before a compaction; the request after it is the first that has it.
  let handoff;
  const hidden = (content) => ({ customType: "piton", content, display: false });
  const joined = (...texts) => texts.filter(Boolean).join("\\n");

  function tell(name, event, context) {
    const { cwd, mode, hasUI, model, sessionManager } = context;
    const ctx = { cwd, mode, hasUI, sessionId: sessionManager.getSessionId(), sessionFile: sessionManager.getSessionFile(), model: model?.id };
    return ask(name, { ...event, ctx }, cwd);
  }
  // An error in a handler would deny, so none gets out.
  const on = (name, handler) =>
    pi.on(name, async (event, context) => {
      try {
        return await handler(event, context);
      } catch {
        return undefined;
      }
    });

  if (wants("session_start"))
    on("session_start", async (event, context) => {
      waiting = joined((await tell("session_start", event, context)).context);
    });
  on("input", async (event, context) => {
    refusals = 0;
    if (!wants("input")) return undefined;
    const { images: _, ...rest } = event;
    const answer = await tell("input", rest, context);
    if (answer.deny !== undefined) {
      if (context.hasUI) context.ui.notify(answer.deny, "warning");
      return { action: "handled" };
    }
    waiting = joined(waiting, answer.context);
    return undefined;
  });
  on("before_agent_start", async () => {
    const content = waiting;
    waiting = "";
    return content === "" ? undefined : { message: hidden(content) };
  });
  if (wants("tool_call"))
    on("tool_call", async (event, context) => {
      if (!fits(event.toolName)) return undefined;
      const answer = await tell("tool_call", event, context);
      return answer.deny === undefined ? undefined : { block: true, reason: answer.deny };
    });
  on("tool_result", async (event, context) => {
    const name = event.isError === true ? "tool_result.error" : "tool_result";
    if (!wants(name) || !fits(event.toolName)) return undefined;
    const added = (await tell(name, event, context)).context;
    return added === undefined ? undefined : { content: [...(event.content ?? []), { type: "text", text: added }] };
  });
  on("agent_before_settle", async ({ type, outcome }, context) => {
    const name = outcome === "error" ? "agent_before_settle.error" : "agent_before_settle";
    if (!wants(name)) return undefined;
    const answer = await tell(name, { type, outcome, continued: refusals > 0 }, context);
    if (answer.continue === undefined || ++refusals > MOST_REFUSALS) return undefined;
    return { entries: [{ type: "custom_message", customType: "piton", content: answer.continue, display: true }], continue: true };
  });
  if (wants("session_before_compact"))
    on("session_before_compact", async ({ type, reason, customInstructions, willRetry }, context) => {
      const answer = await tell("session_before_compact", { type, reason, customInstructions, willRetry }, context);
      handoff = answer.context === undefined ? undefined : { content: answer.context, given: false };
      return answer.deny === undefined ? undefined : { cancel: true };
    });
  on("context", async ({ messages }) => {
    if (!handoff?.given || messages.some(({ content }) => content === handoff.content)) return undefined;
    return { messages: [...messages, { role: "custom", ...hidden(handoff.content), timestamp: 0 }] };
  });
  on("session_compact", async ({ type, reason, fromExtension, willRetry }, context) => {
    if (handoff?.given === false) {
      handoff.given = true;
      pi.sendMessage(hidden(handoff.content), { triggerTurn: false });
    }
    if (wants("session_compact")) await tell("session_compact", { type, reason, fromExtension, willRetry }, context);
  });
  if (wants("session_shutdown"))
    on("session_shutdown", async (event, context) => {
      await tell("session_shutdown", event, context);
    });
};
`;
