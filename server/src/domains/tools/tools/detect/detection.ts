import type { ToolSource } from '@sightline/contract/tools/tools.ts';
import type { ToolEntry } from '../catalog/entry.ts';

/** A reference to a tool in a file. */
export interface Detection {
  tool: ToolEntry;
  /** Counted from 1; null for the entire file. */
  line: number | null;
  /** The text in the file, without potential secrets. */
  text: string;
  version: string | null;
  source: ToolSource;
}

/** A reference that a detector found; the caller adds the source. */
export type ToolReference = Omit<Detection, 'source'>;

export const MAX_TEXT_LENGTH = 200;

/** Returns one reference per tool and line, preferably one with a version. */
export function distinctReferences<Item extends ToolReference>(mentions: readonly Item[]): Item[] {
  const byLine = new Map<string, Item>();
  for (const mention of mentions) {
    const key = `${mention.tool.id}\n${mention.line}`;
    const other = byLine.get(key);
    if (!other || (other.version === null && mention.version !== null)) byLine.set(key, mention);
  }
  return [...byLine.values()];
}
