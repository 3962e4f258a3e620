import { scriptMentions } from './commands.ts';
import type { ToolReference } from './detection.ts';

/** Returns the tools that the processes of a Procfile run: one per line, `name: command`. */
export const procfileMentions = (content: string): ToolReference[] =>
  content.split(/\r?\n/).flatMap((line, index) => {
    const command = /^[\w-]+:\s*(.+)$/.exec(line)?.[1];
    return command === undefined ? [] : scriptMentions({ text: command, lineAt: () => index + 1 });
  });
