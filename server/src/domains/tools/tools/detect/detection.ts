import type { ToolSource } from '@sightline/contract/tools/tools.ts';
import type { ToolEntry } from '../catalog/entry.ts';

/** One place in a file that names a tool. */
export interface Detection {
  tool: ToolEntry;
  /** From 1; null where the file as a whole says it. */
  line: number | null;
  /** As the file says it, without what may be secret in it. */
  text: string;
  version: string | null;
  source: ToolSource;
}

/** What a detector says; whoever asks adds the source. */
export type Mention = Omit<Detection, 'source'>;

export const mostText = 200;

/** The same tool on the same line is one mention; the one that says more stays. */
export function distinct<Said extends Mention>(mentions: readonly Said[]): Said[] {
  const byPlace = new Map<string, Said>();
  for (const mention of mentions) {
    const key = `${mention.tool.id}\n${mention.line}`;
    const other = byPlace.get(key);
    if (!other || (other.version === null && mention.version !== null)) byPlace.set(key, mention);
  }
  return [...byPlace.values()];
}
