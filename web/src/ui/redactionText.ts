import type { SnapshotRedaction } from '@sightline/contract/compliance/snapshots.ts';

/** What is redacted. */
export const redactionLabels: Readonly<Record<SnapshotRedaction, string>> = {
  none: 'Nothing',
  names: 'Names of people',
  people: 'Personal data',
  all: 'Personal data and names of repositories',
};

/** The redaction after the name of a bundle, such as `, personal data redacted`. */
export const redactionNote = (redaction: SnapshotRedaction): string =>
  redaction === 'none'
    ? ''
    : `, ${redactionLabels[redaction].replace(/^./, (letter) => letter.toLowerCase())} redacted`;
