import { createHash } from 'node:crypto';
import { at, type JsonRecord, objectOf, textOf } from './shapes.ts';

// These tell where a result is on its line, or who wrote it when: not what it is.
const unsteady = /^(primaryLocationStartColumnFingerprint|author|email|date|commitMessage)$/i;

/** The scanner's own mark of a result that survives changes around it; undefined where it gives none. */
export function fingerprintOf(result: JsonRecord): string | undefined {
  const line = textOf(at(result, 'partialFingerprints', 'primaryLocationLineHash'), 1000);
  if (line !== undefined) return line;
  return joined(objectOf(result.fingerprints)) ?? joined(objectOf(result.partialFingerprints));
}

function joined(marks: JsonRecord): string | undefined {
  const names = Object.keys(marks)
    .filter((name) => !unsteady.test(name) && marks[name] !== null)
    .toSorted();
  if (names.length === 0) return undefined;
  return textOf(names.map((name) => `${name}=${textOf(marks[name]) ?? JSON.stringify(marks[name])}`).join('\n'), 5000);
}

/** What tells two secrets apart without holding either. */
export const sealed = (...parts: string[]): string =>
  `sha256:${createHash('sha256').update(parts.join('\n')).digest('hex')}`;
