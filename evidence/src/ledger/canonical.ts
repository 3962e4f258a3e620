/** What an entry may hold: no floats. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

/** RFC 8785 for a restricted domain: integers within 2^53, well-formed strings, keys in UTF-16 order. Throws for the rest. */
export function canonical(value: Plain): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new Error('An entry may only contain safe integers');
    return String(value);
  }
  if (typeof value === 'string') return quoted(value);
  if (isList(value)) return `[${value.map(canonical).join(',')}]`;
  // Made for every event that is taken in: a list of its members would cost more than they do.
  let members = '';
  for (const key of sortedKeys(value)) {
    members += `${members === '' ? '' : ','}${quoted(key)}:${canonical(value[key] ?? null)}`;
  }
  return `{${members}}`;
}

// What is read was written in order: looking costs a third of sorting.
function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  return keys.some((key, at) => at > 0 && key < (keys[at - 1] ?? '')) ? keys.sort() : keys;
}

function quoted(text: string): string {
  if (ordinary.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new Error('An entry may only contain well-formed text');
  return JSON.stringify(text);
}

// Nearly every text of an entry: nothing in it needs another spelling.
const ordinary = /^[ !#-[\]-~]*$/;

export const isList = (value: Plain): value is readonly Plain[] => Array.isArray(value);

export const isRecord = (value: Plain | undefined): value is { readonly [key: string]: Plain } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
