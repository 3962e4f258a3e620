/** The mapping of one commit email address in a `.mailmap`, limited to one name if `commitName` is set. */
export interface MailmapEntry {
  properName: string | null;
  properEmail: string | null;
  commitName: string | null;
  /** Lower case, like `properEmail`: git compares addresses case-insensitively. */
  commitEmail: string;
}

export const MAX_MAILMAP_BYTES = 256 * 1024;
export const MAX_MAILMAP_ENTRIES = 5_000;

/**
 * Parses a `.mailmap` like git, see gitmailmap(5): four line formats and comments. A later line completes or replaces
 * an earlier one for the same address. Malformed lines are skipped.
 */
export function parseMailmap(text: string): MailmapEntry[] {
  const entries = new Map<string, MailmapEntry>();
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) continue;
    const first = parseParty(line);
    if (!first || first.email === '') continue;
    const second = parseParty(first.rest);
    const entry: MailmapEntry = {
      properName: first.name,
      properEmail: second ? first.email : null,
      commitName: second?.name ?? null,
      commitEmail: second ? second.email : first.email,
    };
    const key = `${entry.commitEmail}\n${entry.commitName?.toLowerCase() ?? ''}`;
    const before = entries.get(key);
    if (!before && entries.size >= MAX_MAILMAP_ENTRIES) continue;
    entries.set(key, {
      ...entry,
      properName: entry.properName ?? before?.properName ?? null,
      properEmail: entry.properEmail ?? before?.properEmail ?? null,
    });
  }
  return [...entries.values()];
}

interface Party {
  name: string | null;
  email: string;
  rest: string;
}

/** Parses an optional name and an address in angle brackets. */
function parseParty(text: string): Party | undefined {
  const left = text.indexOf('<');
  const right = text.indexOf('>', left + 1);
  if (left === -1 || right === -1) return undefined;
  const name = text.slice(0, left).trim();
  return {
    name: name === '' ? null : name,
    email: text
      .slice(left + 1, right)
      .trim()
      .toLowerCase(),
    rest: text.slice(right + 1),
  };
}
