/**
 * Parses JSON and returns integers above 2^53 as text: IDs of queries have twenty digits, and rounding would change
 * them.
 */
export const parseJsonExactly = (text: string): unknown =>
  (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? source
      : value,
  );

// Reviver with source text: part of ES2026 and Node.js 21, but not yet of the type definitions.
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
