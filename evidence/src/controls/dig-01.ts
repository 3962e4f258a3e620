import { control } from './control.ts';
import { completeValue, knownItems } from './facts.ts';
import type { DigestRow } from './rows.ts';
import { DAY_MS, parseTime } from './times.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversCovering } from './waivers.ts';

/** Only a sign-off of the current body counts. A verdict requires that all sign-offs are known. */
export const dig01 = control<DigestRow>()({
  id: 'DIG-01',
  title: 'Commit digests reviewed in time',
  rule: 'Every commit digest is signed off within the limit.',
  population: 'Every commit digest due in the period that was signed off or whose limit has passed.',
  verdicts: {
    pass: 'A reviewer signed off the digest, unchanged, within the limit.',
    fail: 'The digest was not signed off within the limit.',
    missing_evidence: 'The reviewer is unknown.',
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
  sources: ['digests'],
  policies: ['digest'],
  events: [],
  happenedAt: ({ dueAt }) => dueAt,
  excludedBy: (row, setting) =>
    row.signOffs.state !== 'complete' ||
    signedAt(row) !== undefined ||
    parseTime(row.evaluatedAt) > dueTime(row, setting.within)
      ? []
      : ['within'],
  evaluate: (row, setting) => {
    const due = dueTime(row, setting.within);
    const at = signedAt(row);
    const isKnown = completeValue(row.signOffs) !== undefined;
    const isInTime = at !== undefined && at <= due;
    return decideVerdict({
      failures: isKnown && !isInTime ? [at === undefined ? 'digest_not_signed' : 'digest_signed_late'] : [],
      missing: isKnown ? [] : ['sign_offs_missing'],
      passes: ['digest_signed'],
      waivers: waiversCovering(row.waivers, [[due, Math.max(due, at ?? parseTime(row.evaluatedAt))]]),
    });
  },
});

const dueTime = ({ dueAt }: DigestRow, days: number): number => parseTime(dueAt) + days * DAY_MS;

/** The time of the first sign-off of the current body. */
function signedAt({ signOffs, bodySha256 }: DigestRow): number | undefined {
  const times = knownItems(signOffs).flatMap((signOff) =>
    signOff.bodySha256 === bodySha256 ? [parseTime(signOff.at)] : [],
  );
  return times.length > 0 ? Math.min(...times) : undefined;
}
