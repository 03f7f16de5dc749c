import type { CommandEntry } from '../command-table.ts';

/** The commands, in the order of the help. */
export const SECTIONS: readonly { readonly title: string; readonly commands: readonly CommandEntry[] }[] = [
  {
    title: 'Set up',
    commands: [
      {
        usage: 'init [options]',
        summary: 'Set up Piton and register it with the agents on this machine',
        load: async () => (await import('./set-up/init.ts')).initCommand,
      },
      {
        usage: 'status [options]',
        summary: 'Send a test event through each registration and check that it is stored',
        load: async () => (await import('./set-up/status.ts')).statusCommand,
      },
      {
        usage: 'doctor [options]',
        summary: 'List problems and how to fix them. Exits 1 if there are any',
        load: async () => (await import('./set-up/doctor.ts')).doctorCommand,
      },
      {
        usage: 'uninstall [options]',
        summary: "Remove Piton from your agents' configuration. Recorded data stays",
        load: async () => (await import('./set-up/uninstall.ts')).uninstallCommand,
      },
      {
        usage: 'demo [options]',
        summary: 'Replay recorded agent sessions through a real server, in a temporary home',
        load: async () => (await import('./set-up/demo.ts')).demoCommand,
      },
    ],
  },
  {
    title: 'Inspect',
    commands: [
      {
        usage: 'ui [options]',
        summary: 'Open a page in your browser: who waits for you, what agents do, what it cost',
        load: async () => (await import('../ui/command.ts')).uiCommand,
      },
      {
        usage: 'events',
        summary: 'List, show or follow events',
        load: async () => (await import('./inspect/events.ts')).eventsCommand,
      },
      {
        usage: 'sessions',
        summary: 'List agent sessions and show their turns',
        load: async () => (await import('./inspect/sessions.ts')).sessionsCommand,
      },
      {
        usage: 'search [options] <words...>',
        summary: 'Search prompts, answers, commands, files and errors of all sessions',
        load: async () => (await import('./inspect/search.ts')).searchCommand,
      },
      {
        usage: 'observations',
        summary: 'List, show and delete what was learnt from sessions: commands, errors and fixes',
        load: async () => (await import('../observations/command.ts')).observationsCommand,
      },
      {
        usage: 'agents [options] [name]',
        summary: 'List supported agents, and which decisions each honours on which event',
        load: async () => (await import('./inspect/agents.ts')).agentsCommand,
      },
    ],
  },
  {
    title: 'Work',
    commands: [
      {
        usage: 'checkpoints',
        summary: 'List and inspect the checkpoints of this repository',
        load: async () => (await import('./work/checkpoints.ts')).checkpointsCommand,
      },
      {
        usage: 'rewind [options] [checkpoint]',
        summary: 'Restore files from a checkpoint. A rewind can be undone',
        load: async () => (await import('./work/rewind.ts')).rewindCommand,
      },
      {
        usage: 'explain [options] <what>',
        summary: 'Show which session and prompt produced a commit, a checkpoint or a line',
        load: async () => (await import('./work/explain.ts')).explainCommand,
      },
      {
        usage: 'blame [options] <file>',
        summary: 'Show who wrote each line of a file: which agent, session and prompt, or you',
        load: async () => (await import('./work/blame.ts')).blameCommand,
      },
      {
        usage: 'resume [options] [what]',
        summary: 'Print the command that resumes the session of a branch, commit or checkpoint',
        load: async () => (await import('./work/resume.ts')).resumeCommand,
      },
      {
        usage: 'handoff [options] [session]',
        summary: 'Continue a session in another agent, with what was done and what is open',
        load: async () => (await import('../handoff/command.ts')).handoffCommand,
      },
      {
        usage: 'export [options] [what]',
        summary: 'Write what agents did on a branch, commit, checkpoint or session, for reviewers',
        load: async () => (await import('./work/export.ts')).exportCommand,
      },
    ],
  },
  {
    title: 'Hooks',
    commands: [
      {
        usage: 'hooks',
        summary: 'Create, list, test and explain hooks',
        load: async () => (await import('./hooks.ts')).hooksCommand,
      },
      {
        usage: 'trust [options] [hook...]',
        summary: "Review this project's hooks and let them run, as copies of what you reviewed",
        load: async () => (await import('./trust.ts')).trustCommand,
      },
      {
        usage: 'untrust [options] [hook...]',
        summary: "Withdraw trust, so that this project's hooks no longer run",
        load: async () => (await import('./untrust.ts')).untrustCommand,
      },
      {
        usage: 'lint [options] [path...]',
        summary: 'Check hooks for mistakes before they run',
        load: async () => (await import('./lint.ts')).lintCommand,
      },
      {
        usage: 'import [options]',
        summary: "Copy your agents' existing hooks into Piton, so they run in every agent",
        load: async () => (await import('./import.ts')).importCommand,
      },
      {
        usage: 'materialize [options] <artifact...>',
        summary: "Write hooks into your agents' configuration, to run there without Piton. Reports what is lost",
        load: async () => (await import('./materialize.ts')).materializeCommand,
      },
    ],
  },
  {
    title: 'More',
    commands: [
      {
        usage: 'server',
        summary: 'Manage the server, which runs hooks and records events. It starts on its own',
        load: async () => (await import('./server.ts')).serverCommand,
      },
      {
        usage: 'mcp',
        summary: 'Let agents ask what happened in this repository, as an MCP server',
        load: async () => (await import('../mcp/command.ts')).mcpCommand,
      },
      {
        usage: 'team',
        summary: 'Report what agents do here to the server of a team, and see what leaves',
        load: async () => (await import('../team/command.ts')).teamCommand,
      },
      {
        usage: 'settings',
        summary: 'Read and change settings',
        load: async () => (await import('./settings.ts')).settingsCommand,
      },
      {
        usage: 'redact [options] [file]',
        summary: 'Replace secrets in a text, by the rules that protect the store. Reads stdin',
        load: async () => (await import('./redact.ts')).redactCommand,
      },
      {
        usage: 'clean [options]',
        summary: 'Delete old recordings, checkpoints and versions. Lists them first',
        load: async () => (await import('./clean.ts')).cleanCommand,
      },
      {
        usage: 'schema [options] [name]',
        summary: "Print a JSON Schema (2020-12) of one of Piton's formats, or list them",
        load: async () => (await import('./schema.ts')).schemaCommand,
      },
      {
        usage: 'completion <shell>',
        summary: 'Print a completion script for your shell',
        load: async () => (await import('./completion.ts')).completionCommand,
      },
    ],
  },
];

export const HIDDEN: readonly CommandEntry[] = [
  {
    usage: 'candidates <kind> [beginning]',
    summary: 'print the words that completion offers',
    load: async () => (await import('./candidates.ts')).candidatesCommand,
  },
  {
    usage: 'ui-answers',
    summary: 'answer what the page of `piton ui` asks, as its thread',
    load: async () => (await import('../ui/answers-command.ts')).uiAnswersCommand,
  },
  {
    usage: 'team-sender',
    summary: 'send what is new to the server of the team',
    load: async () => (await import('../team/sender-command.ts')).teamSenderCommand,
  },
  {
    usage: 'reference',
    summary: 'print the command reference as Markdown',
    load: async () => (await import('./reference.ts')).referenceCommand,
  },
];
