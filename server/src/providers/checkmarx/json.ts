/**
 * Parses JSON and keeps whole numbers past 2^53 as text: ids of queries have twenty digits, and a rounded one is that
 * of another query or of none.
 */
export const parseExactly = (text: string): unknown =>
  (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? source
      : value,
  );

// With the source text of each value: in the language since ES2026, in Node since 21, not in the types yet.
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
