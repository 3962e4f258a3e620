import { control } from './control.ts';
import { excusesFor } from './excuses.ts';
import { told, whole } from './known.ts';
import type { DigestRow } from './rows.ts';
import { day, timeOf } from './times.ts';
import { settle } from './verdicts.ts';

/** Only a sign-off of the body as it is counts. That there was one, or none, is said only where all of them are known. */
export const dig01 = control<DigestRow>()({
  id: 'DIG-01',
  title: 'Commit digests reviewed in time',
  rule: 'Every commit digest is signed off within the limit.',
  population: 'Every commit digest due in the period that was signed off or whose limit has passed.',
  verdicts: {
    pass: 'A reviewer signed off the digest, unchanged, within the limit.',
    exception: 'The digest was not signed off within the limit.',
    gap: 'The reviewer is unknown.',
  },
  parameters: {
    within: {
      kind: 'number',
      title: 'Limit for sign-off after the due date',
      unit: 'days',
      default: 7,
      min: 0,
      max: 31,
      stricter: 'lower',
    },
  },
  crosswalk: {
    soc2: ['CC4.1', 'CC7.2'],
    iso27001: ['A.5.36', 'A.8.16'],
    ssdf: ['PW.7'],
    pci: ['10.4.1'],
    cis: ['8.11'],
    samm: ['G-PC'],
  },
  sources: ['digests'],
  happenedAt: ({ dueAt }) => dueAt,
  belongs: (row, setting) =>
    row.signOffs.state !== 'complete' ||
    signedAt(row) !== undefined ||
    timeOf(row.judgedAt) > dueTime(row, setting.within),
  judge: (row, setting) => {
    const due = dueTime(row, setting.within);
    const at = signedAt(row);
    const isKnown = whole(row.signOffs) !== undefined;
    const isInTime = at !== undefined && at <= due;
    return settle({
      exceptions: isKnown && !isInTime ? [at === undefined ? 'digest_not_signed' : 'digest_signed_late'] : [],
      gaps: isKnown ? [] : ['sign_offs_missing'],
      passes: ['digest_signed'],
      excuses: excusesFor(row.approved, [[due, Math.max(due, at ?? timeOf(row.judgedAt))]]),
    });
  },
});

const dueTime = ({ dueAt }: DigestRow, days: number): number => timeOf(dueAt) + days * day;

/** When somebody first signed the digest off as it is. */
function signedAt({ signOffs, bodySha256 }: DigestRow): number | undefined {
  const times = told(signOffs).flatMap((signOff) => (signOff.bodySha256 === bodySha256 ? [timeOf(signOff.at)] : []));
  return times.length > 0 ? Math.min(...times) : undefined;
}
