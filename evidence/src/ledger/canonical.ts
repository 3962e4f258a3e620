/** Values that an entry can contain: no floats. */
export type CanonicalValue =
  | string
  | number
  | boolean
  | null
  | readonly CanonicalValue[]
  | { readonly [key: string]: CanonicalValue };

/**
 * RFC 8785 for a restricted domain: integers within 2^53, well-formed strings, keys in UTF-16 order. Throws otherwise.
 */
export function canonicalJson(value: CanonicalValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new Error('An entry may only contain safe integers');
    return String(value);
  }
  if (typeof value === 'string') return quoted(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  // A performance-critical path for every ingested event: it avoids an intermediate list.
  let members = '';
  for (const key of sortedKeys(value)) {
    members += `${members === '' ? '' : ','}${quoted(key)}:${canonicalJson(value[key] ?? null)}`;
  }
  return `{${members}}`;
}

// Parsed objects are usually sorted already, and a check costs a third of sorting.
function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  return keys.some((key, at) => at > 0 && key < (keys[at - 1] ?? '')) ? keys.sort() : keys;
}

function quoted(text: string): string {
  if (ordinary.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new Error('An entry may only contain well-formed text');
  return JSON.stringify(text);
}

// Nearly all texts of entries, which need no escaping.
const ordinary = /^[ !#-[\]-~]*$/;

export const isList = (value: CanonicalValue): value is readonly CanonicalValue[] => Array.isArray(value);

export const isRecord = (value: CanonicalValue | undefined): value is { readonly [key: string]: CanonicalValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
