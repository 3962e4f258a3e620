/** Safe accessors for untrusted JSON: values of another type count as absent. */
export type JsonRecord = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectOrEmpty = (value: unknown): JsonRecord => (isObject(value) ? value : {});

export const listOrEmpty = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns a text that is not blank, truncated to `max` characters and storable in every database. */
export function storableText(value: unknown, max = 10_000): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = storable(value.length > max ? `${value.slice(0, max - 1)}…` : value);
  return text.trim() === '' ? undefined : text;
}

/** Returns an integer of at least `least` that fits a column. */
export const columnInteger = (value: unknown, least = 1): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= 2_147_483_647 ? value : undefined;

/** Whether a value is a full commit hash. */
export const isSha = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{40,64}$/i.test(value);

/** Returns the value at a path in nested objects and lists. */
export const valueAt = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((inner, step) => {
    if (typeof step === 'number') return listOrEmpty(inner)[step];
    return isObject(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
  }, value);

// PostgreSQL stores neither NUL nor lone surrogates.
const storable = (text: string) => text.replaceAll('\0', '\u{fffd}').toWellFormed();

/** Returns an HTTP(S) URL that is safe for a link; undefined for other values. */
export function httpUrl(value: unknown): string | undefined {
  const text = storableText(value, 2000)?.trim();
  if (text === undefined || !/^https?:\/\//i.test(text)) return undefined;
  return URL.canParse(text) ? text : undefined;
}
