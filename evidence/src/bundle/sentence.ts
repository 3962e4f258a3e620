import type { VerificationState } from './opened.ts';
import type { VerificationStep } from './step.ts';

/** One sentence of what came of it, with how far it goes and who vouches for it. */
export function sentenceOf(
  valid: boolean,
  steps: readonly VerificationStep[],
  opened: VerificationState | undefined,
): string {
  const failed = steps.find(({ state }) => state === 'failed');
  if (!valid || !opened) return `NOT VALID: step ${failed?.number ?? 1} failed. ${failed?.says ?? ''}`.trim();
  const { manifest, controls = [] } = opened;
  const rows = controls.reduce((sum, { counts }) => sum + counts.population, 0);
  return `VALID: ${rows} ${rows === 1 ? 'row' : 'rows'} of ${controls.length} ${controls.length === 1 ? 'control' : 'controls'} come out as this bundle says, judged over what the ledger ${manifest.ledger.origin} held at ${manifest.judged.size} entries; ${vouching(opened)}; it does not prove that what Sightline was told is true.`;
}

function vouching({ cosigned = [], stampedAt, anchors = [] }: VerificationState): string {
  const by = cosigned.map(
    ({ by: { name }, at }) => `${name}${at === undefined ? '' : ` at ${new Date(at * 1000).toISOString()}`}`,
  );
  if (by.length > 0) return `its checkpoint is cosigned by ${by.join(' and ')}`;
  if (stampedAt !== undefined) return `its checkpoint has a time stamp of ${stampedAt}`;
  if (anchors.length > 0)
    return `the operator says that checkpoints were left with ${anchors.length} others, which was not checked here`;
  return 'only the operator vouches for this ledger';
}

/** What holds of every bundle, on screen and on paper. */
export const limits = {
  received:
    'The ledger is tamper-evident, not immutable: it shows what Sightline received and when it was written down, not that it is true or that all was told.',
  alone:
    'Nobody but the operator was shown to vouch for the checkpoint: an operator who holds the key could have rewritten all of the ledger before anybody outside kept a checkpoint. Compare it with one of your own.',
  two: 'Two auditors could be shown two ledgers. That is noticed only by comparing checkpoints, or by a witness in common.',
  copy: 'The PDF is held by its hash only: where it says otherwise than the rows, the rows count.',
  people:
    'It does not show that people read what they approved, that the organisation is secure, or that an auditor must accept the evidence.',
} as const;

/** What a valid bundle does not show. */
export function limitsOf({
  manifest,
  withheld = 0,
  controls = [],
  cosigned = [],
  stampedAt,
  files,
}: VerificationState): string[] {
  const byRun = controls.filter(({ held }) => held === 'run').map(({ id }) => id);
  const byFacts = controls.filter(({ held }) => held === 'facts').map(({ id }) => id);
  return [
    limits.received,
    ...(cosigned.length === 0 && stampedAt === undefined ? [limits.alone] : []),
    limits.two,
    ...(byFacts.length > 0
      ? [
          `Of ${byFacts.join(', ')} each row was compared with its entry; that a row was left out would not be noticed here.`,
        ]
      : []),
    ...(byRun.length > 0
      ? [
          `The facts of ${byRun.join(', ')} are drawn from several entries: the ledger holds them as they were judged, by the hash of all rows, and this bundle does not draw them again.`,
        ]
      : []),
    ...(manifest.ledger.epoch > 1
      ? [
          `The ledger broke off before and began anew: this is its epoch ${manifest.ledger.epoch}. What stood before is not counted here.`,
        ]
      : []),
    ...(withheld > 0 ? [`${withheld} commitments are not opened: withheld, or of people who were erased.`] : []),
    ...(files.has('report.pdf') ? [limits.copy] : []),
    ...(files.has('verify.html')
      ? ['Do not verify by the page inside the bundle: take page and key from elsewhere.']
      : []),
  ];
}
