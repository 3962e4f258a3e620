import { join } from 'node:path';
import type { LogEntry } from '@sightline/telemetry/log.ts';
import { appendText, parseJson, readTextFile, replaceText } from './shared-file.ts';

const MAX_SENT_ENTRIES = 200;

export interface SentFile {
  add: (entries: readonly LogEntry[]) => Promise<void>;
  /** Newest first. */
  read: () => Promise<LogEntry[]>;
}

/** The recently sent and dropped events of all windows, one entry per line. */
export function createSentFile(folder: string): SentFile {
  const path = join(folder, 'sent.ndjson');

  async function read(): Promise<LogEntry[]> {
    const lines = (await readTextFile(path))?.split('\n') ?? [];
    const entries = lines.map((line) => parseJson(line || undefined)).filter(isEntry);
    return [...new Map(entries.map((entry) => [entry.id, entry])).values()].slice(-MAX_SENT_ENTRIES).reverse();
  }

  return {
    read,
    add: async (entries) => {
      if (entries.length === 0) return;
      await appendText(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      const text = (await readTextFile(path)) ?? '';
      if (text.length < 500_000) return;
      const last = await read();
      await replaceText(
        path,
        last
          .reverse()
          .map((entry) => `${JSON.stringify(entry)}\n`)
          .join(''),
      );
    },
  };
}

const isEntry = (value: unknown): value is LogEntry =>
  typeof value === 'object' && value !== null && 'id' in value && 'identifiers' in value;
