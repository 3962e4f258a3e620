import { createHash } from 'node:crypto';
import { type JsonRecord, objectOrEmpty, storableText, valueAt } from './shapes.ts';

// Fingerprints that depend on the column or the commit, and not on the result itself.
const unstableNames = /^(primaryLocationStartColumnFingerprint|author|email|date|commitMessage)$/i;

/** Returns the scanner's own stable fingerprint of a result; undefined without one. */
export function scannerFingerprintOf(result: JsonRecord): string | undefined {
  const line = storableText(valueAt(result, 'partialFingerprints', 'primaryLocationLineHash'), 1000);
  if (line !== undefined) return line;
  return (
    joinFingerprints(objectOrEmpty(result.fingerprints)) ?? joinFingerprints(objectOrEmpty(result.partialFingerprints))
  );
}

function joinFingerprints(fingerprints: JsonRecord): string | undefined {
  const names = Object.keys(fingerprints)
    .filter((name) => !unstableNames.test(name) && fingerprints[name] !== null)
    .toSorted();
  if (names.length === 0) return undefined;
  return storableText(
    names.map((name) => `${name}=${storableText(fingerprints[name]) ?? JSON.stringify(fingerprints[name])}`).join('\n'),
    5000,
  );
}

/** Hashes a secret, so that it is distinguishable but not stored. */
export const hashSecret = (...parts: string[]): string =>
  `sha256:${createHash('sha256').update(parts.join('\n')).digest('hex')}`;
