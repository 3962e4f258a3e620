import { createHash } from 'node:crypto';
import { at, type JsonRecord, objectOf, textOf } from './shapes.ts';

// Fingerprints that depend on the column or the commit, and not on the result itself.
const unstableNames = /^(primaryLocationStartColumnFingerprint|author|email|date|commitMessage)$/i;

/** Returns the scanner's own stable fingerprint of a result; undefined without one. */
export function fingerprintOf(result: JsonRecord): string | undefined {
  const line = textOf(at(result, 'partialFingerprints', 'primaryLocationLineHash'), 1000);
  if (line !== undefined) return line;
  return joinFingerprints(objectOf(result.fingerprints)) ?? joinFingerprints(objectOf(result.partialFingerprints));
}

function joinFingerprints(fingerprints: JsonRecord): string | undefined {
  const names = Object.keys(fingerprints)
    .filter((name) => !unstableNames.test(name) && fingerprints[name] !== null)
    .toSorted();
  if (names.length === 0) return undefined;
  return textOf(
    names.map((name) => `${name}=${textOf(fingerprints[name]) ?? JSON.stringify(fingerprints[name])}`).join('\n'),
    5000,
  );
}

/** Hashes a secret, so that it is distinguishable but not stored. */
export const sealed = (...parts: string[]): string =>
  `sha256:${createHash('sha256').update(parts.join('\n')).digest('hex')}`;
