export {
  agentArgv,
  agentCache,
  agentCommand,
  agentDirectory,
  isInstalled,
  PINNED_AGENTS,
  type PinnedAgent,
  pinnedAgent,
} from './bed/agents.ts';
export type { AgentDriver, AgentSetup, AgentTools, Compaction, OnTerminal } from './bed/driver.ts';
export { auggieDriver } from './bed/drivers/auggie.ts';
export { addClaudeHooks, type ClaudeHook, claudeDriver, claudeSettings } from './bed/drivers/claude.ts';
export { bash, broadSession } from './bed/drivers/claude-session.ts';
export { clineDriver } from './bed/drivers/cline.ts';
export { CODEX_ANY_HOOK, codexConfig, codexDriver, codexPatch } from './bed/drivers/codex.ts';
export { copilotDriver } from './bed/drivers/copilot.ts';
export { droidDriver } from './bed/drivers/droid.ts';
export { geminiDriver, geminiSettings } from './bed/drivers/gemini.ts';
export { grokDriver } from './bed/drivers/grok.ts';
export { kimiDriver } from './bed/drivers/kimi.ts';
export { ompDriver } from './bed/drivers/omp.ts';
export { kiloDriver, opencodeDriver } from './bed/drivers/opencode.ts';
export { piDriver } from './bed/drivers/pi.ts';
export { qwenDriver, qwenSettings } from './bed/drivers/qwen.ts';
export { DRIVERS } from './bed/drivers.ts';
export { isolated, whyNotIsolated } from './bed/isolation.ts';
export { type BedJob, type BedResult, type BedStep, MODEL_URL, type StepResult } from './bed/job.ts';
export { mcpServer } from './bed/mcp/server.ts';
export { type Recording, recordClaude, recorded, writeRecording } from './bed/recorder.ts';
export { describeIsolated, describeReal, RUN_LIMIT_MS } from './bed/requirement.ts';
export { baseEnvironment, type Facts, runAgent, type Story } from './bed/run-agent.ts';
export { runJob } from './bed/runner.ts';
export { atTerminal } from './bed/terminal/at-terminal.ts';
export { atVersion, CI_EDGES, driverAt, EDGES, type OtherVersion } from './bed/versions.ts';
export { commitAll, createWorkspace, git, type Workspace } from './bed/workspace.ts';
export { describeConfined, pathWithBubblewrap } from './bubblewrap.ts';
export {
  COMMAND,
  type CommandCall,
  type CommandEnd,
  runPiton,
  runPitonSync,
  type TerminalCalls,
  terminalScript,
} from './command/command.ts';
export { execute, lockDatabase, selectAll } from './database.ts';
export {
  ask,
  createTestHome,
  eventually,
  type ForwarderRun,
  keptForUser,
  killServers,
  pause,
  registration,
  removeHome,
  removeHomeNow,
  runForwarder,
  serverPids,
  startServer,
  type TestHome,
  writeHook,
} from './home.ts';
export { keep, proofsOf, proofText, readShown, type Shown } from './matrix.ts';
export type { Ask, Protocol, ToolResult } from './model/protocol.ts';
export { type Conversation, type ModelCall, type ModelScript, type ModelTurn, talk, unfolded } from './model/script.ts';
export { type ModelOptions, type ModelRequest, type ModelServer, startModel } from './model/server.ts';
export { mutate, mutateText } from './mutation.ts';
export { startPulse, stopPulse } from './pulse.ts';
export { type SeededRandom, seededRandom } from './random.ts';
export { describeWhere } from './requirement.ts';
