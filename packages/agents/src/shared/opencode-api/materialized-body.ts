/** The part of a materialized hook's plugin that knows the plugin API. It is the text of a file of its own, which imports nothing of ours. */
export const MATERIALIZED_BODY = `
// The one thing that is thrown on purpose: the agent takes any throw for a deny.
class Denied extends Error {}

// Of the process: the agent may start one plugin twice, and both hear every event.
const children = new Set();
const open = new Set();
const starts = new Map();
const pending = new Set();
const permissions = new Map();
const refusals = new Map();
const ownPrompts = new Map();
const handoffs = new Map();
const seen = new WeakSet();
const seenIds = new Set();
const MOST_REFUSALS = 8;

const once = (id) => id === undefined || (!seenIds.has(id) && seenIds.add(id));
const guarded = (handler) => async (input, output) => {
  if (seen.has(output)) return;
  seen.add(output);
  try {
    await handler(input, output);
  } catch (error) {
    if (error instanceof Denied) throw error;
  }
};

export const PitonHook = async ({ client, directory }) => {
  const tell = (event, payload) => {
    const telling = ask(event, { ...payload, directory }, directory);
    pending.add(telling);
    void telling.finally(() => pending.delete(telling));
    return telling;
  };

  async function hear(event) {
    const properties = event.properties ?? {};
    const info = properties.info ?? {};
    const session = properties.sessionID ?? info.id ?? "";
    const name = children.has(session) ? event.type + ".child" : event.type;
    const input = { event };
    switch (event.type) {
      case "session.created": {
        if (info.parentID !== undefined) children.add(session);
        else open.add(session);
        const start = info.parentID === undefined ? event.type : event.type + ".child";
        if (wants(start)) starts.set(session, tell(start, { input }));
        return;
      }
      case "message.part.updated": {
        const part = properties.part ?? {};
        if (part.type !== "tool" || part.state?.status !== "error" || !fits(part.tool)) return;
        if (wants(event.type) && once("failed " + part.callID)) await tell(event.type, { input });
        return;
      }
      case "permission.asked":
        permissions.set(properties.id, properties);
        if (wants(event.type) && fits(properties.permission)) await tell(event.type, { input });
        return;
      case "permission.replied": {
        const request = permissions.get(properties.requestID);
        permissions.delete(properties.requestID);
        if (wants(event.type) && properties.reply === "reject" && fits(request?.permission ?? "")) await tell(event.type, { input, request });
        return;
      }
      case "session.idle":
        if (wants(name)) await stop(name, session, input);
        return;
      case "session.error":
        if (wants(event.type) && properties.error?.name !== "MessageAbortedError") await tell(event.type, { input });
        return;
      case "session.compacted":
        if (wants(event.type)) await tell(event.type, { input });
        return;
      case "session.deleted":
        if (open.delete(session) && wants(event.type)) await tell(event.type, { input });
    }
  }

  async function stop(name, session, input) {
    const answer = await tell(name, { input });
    const count = (refusals.get(session) ?? 0) + 1;
    if (answer.continue === undefined || children.has(session) || count > MOST_REFUSALS) return void refusals.delete(session);
    refusals.set(session, count);
    ownPrompts.set(session, answer.continue);
    await client.session.promptAsync({ path: { id: session }, body: { parts: [{ type: "text", text: answer.continue }] } });
  }

  return {
    event({ event }) {
      if (!once(event.id)) return;
      const hearing = hear(event).catch(() => undefined);
      pending.add(hearing);
      void hearing.finally(() => pending.delete(hearing));
    },
    async dispose() {
      await Promise.allSettled([...pending]);
      if (wants("dispose")) await Promise.allSettled([...open].map((sessionID) => tell("dispose", { input: { sessionID } })));
      open.clear();
    },
    "chat.message": guarded(async (input, output) => {
      const session = input.sessionID ?? "";
      const texts = [(await starts.get(session))?.context];
      starts.delete(session);
      const [first] = output.parts ?? [];
      const isOwn = first?.text !== undefined && ownPrompts.get(session) === first.text && ownPrompts.delete(session);
      if (wants("chat.message") && !children.has(session) && !isOwn) {
        const answer = await tell("chat.message", { input, output });
        if (answer.deny !== undefined) throw new Denied(answer.deny);
        texts.push(answer.context);
      }
      const text = texts.filter(Boolean).join("\\n");
      if (text === "" || !Array.isArray(output.parts)) return;
      const id = (output.parts.at(-1)?.id ?? "prt_") + "p";
      output.parts.push({ id, sessionID: session, messageID: output.message?.id, type: "text", text, synthetic: true });
    }),
    "tool.execute.before": guarded(async (input, output) => {
      if (!wants("tool.execute.before") || !fits(input.tool)) return;
      const answer = await tell("tool.execute.before", { input, output });
      if (answer.deny !== undefined) throw new Denied(answer.deny);
    }),
    "tool.execute.after": guarded(async (input, output) => {
      const exit = output.metadata?.exit;
      const failed = output.isError === true || (exit !== undefined && exit !== null && exit !== 0);
      if (!wants("tool.execute.after") || !fits(input.tool) || !(failed ? hook.failure : hook.success)) return;
      const { context } = await tell("tool.execute.after", { input, output });
      if (context === undefined) return;
      if (Array.isArray(output.content)) output.content = [...output.content, { type: "text", text: context }];
      else output.output = [output.output, context].filter(Boolean).join("\\n");
    }),
    "experimental.session.compacting": guarded(async (input, output) => {
      if (!wants("experimental.session.compacting")) return;
      const { context } = await tell("experimental.session.compacting", { input, output });
      if (context !== undefined) handoffs.set(input.sessionID, context);
    }),
    // The summary is a text like any other: what is added to it is in the first request after the compaction.
    "experimental.text.complete": async ({ sessionID, messageID }, output) => {
      const handoff = handoffs.get(sessionID);
      if (handoff === undefined) return;
      const found = await client.session.message({ path: { id: sessionID, messageID } }).catch(() => undefined);
      if (found?.data?.info?.summary !== true || !handoffs.delete(sessionID)) return;
      output.text = [output.text, handoff].filter(Boolean).join("\\n\\n");
    },
  };
};
`;
