import type { ToolKind } from '@piton/contracts';

/** An agent that has no folder here, but may run the configuration of one that has. */
interface Stranger {
  readonly title: string;
  /** Fields by which its payloads are known: all of them are there. */
  readonly fields: readonly string[];
}

/** From their documentation and source, as far as it is public: enough to say who seems to call. */
export const STRANGERS: readonly Stranger[] = [
  { title: 'Windsurf', fields: ['agent_action_name', 'trajectory_id'] },
  { title: 'Antigravity', fields: ['conversationId', 'workspacePaths'] },
  { title: 'Goose', fields: ['event', 'working_dir'] },
];

/** Tools of agents without a folder, spelled as `foldedName` makes it. */
export const STRANGE_TOOLS: Readonly<Record<string, ToolKind>> = {
  run_terminal_cmd: 'shell',
  run_command: 'shell',
  execute_bash: 'shell',
  exec: 'shell',
  terminal: 'shell',
  text_editor: 'edit',
  fs_write: 'edit',
  edit_file: 'edit',
  delete_file: 'edit',
  write_code: 'edit',
  fs_read: 'read',
  read_code: 'read',
};
