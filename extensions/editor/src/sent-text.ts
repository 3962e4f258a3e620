import type { LogEntry, LogState } from '@sightline/telemetry/log.ts';

/** The page "What was sent": all that left this machine, or waits to, as it was put down. */
export function sentText(
  entries: readonly LogEntry[],
  { server, account }: { server: string; account: string },
): string {
  const head = [
    '# What was sent',
    '',
    `To ${server}, as ${account}. The newest first; ${entries.length === 0 ? 'so far nothing' : `the last ${entries.length}`}.`,
    'Beside these: that this editor is open, which extensions it has, and the repository and branch you look at.',
    'None of it holds what you typed or copied.',
  ];
  return [...head, ...entries.flatMap((entry) => ['', ...linesOf(entry)]), ''].join('\n');
}

const words: Record<LogState, string> = { waiting: 'waiting', sent: 'sent', dropped: 'not taken' };

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
