import type { LogEntry, LogState } from '@sightline/telemetry/log.ts';

/** The page "Sent events": all events that left this machine or are queued, as recorded. */
export function sentText(
  entries: readonly LogEntry[],
  { server, account }: { server: string; account: string },
): string {
  const head = [
    '# Sent events',
    '',
    `To ${server}, as ${account}. Newest first, ${entries.length === 0 ? 'no events' : `the last ${entries.length}`}.`,
    'Also sent: that this editor is open, its extensions and MCP servers, those of Claude Code, Codex and Gemini CLI if you allow it, and the current repository and branch.',
    'Typed and copied text is never sent.',
  ];
  return [...head, ...entries.flatMap((entry) => ['', ...linesOf(entry)]), ''].join('\n');
}

const words: Record<LogState, string> = { waiting: 'waiting', sent: 'sent', dropped: 'rejected' };

const names: Partial<Record<LogEntry['type'], string>> = {
  commit: 'Commit',
  ide_clipboard: 'Copy',
  other: 'Extension',
};

function linesOf({ type, state, reason, happenedAt, identifiers }: LogEntry): string[] {
  const why = reason === '' ? '' : ` (${reason})`;
  return [
    `## ${names[type] ?? type}, ${happenedAt}: ${words[state]}${why}`,
    '',
    ...Object.entries(identifiers).map(([name, value]) => `- ${name}: ${value}`),
  ];
}
