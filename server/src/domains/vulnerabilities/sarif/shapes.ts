/** Careful looks into JSON of others: whatever is not of the shape asked for is not there. */
export type JsonRecord = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): JsonRecord => (isObject(value) ? value : {});

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A text that says something, at most `max` long and fit for every store. */
export function textOf(value: unknown, max = 10_000): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = storable(value.length > max ? `${value.slice(0, max - 1)}…` : value);
  return text.trim() === '' ? undefined : text;
}

/** A whole number from `least` on that fits a column. */
export const numberOf = (value: unknown, least = 1): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= 2_147_483_647 ? value : undefined;

/** A full hash of a commit. */
export const isSha = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{40,64}$/i.test(value);

/** What is at the end of a way through objects. */
export const at = (value: unknown, ...way: (string | number)[]): unknown =>
  way.reduce<unknown>((inner, step) => {
    if (typeof step === 'number') return listOf(inner)[step];
    return isObject(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
  }, value);

// PostgreSQL holds neither NUL nor half of a surrogate pair.
const storable = (text: string) => text.replaceAll('\0', '\u{fffd}').toWellFormed();

/** An address a link may have; undefined for any other. */
export function linkOf(value: unknown): string | undefined {
  const text = textOf(value, 2000)?.trim();
  if (text === undefined || !/^https?:\/\//i.test(text)) return undefined;
  return URL.canParse(text) ? text : undefined;
}
