import { nameAndId } from './names.ts';
import type { ControlWithRows } from './packed-run.ts';
import { recordedText, type UnrecordedRepository } from './repositories.ts';
import type { VerificationStep } from './step.ts';
import type { VerificationState } from './verification-state.ts';
import { approvalText } from './weakening.ts';

/** Summarizes the result in one sentence, with the covered range and the external confirmations. */
export function verificationSummary(
  valid: boolean,
  steps: readonly VerificationStep[],
  state: VerificationState | undefined,
): string {
  const failed = steps.find(({ state }) => state === 'failed');
  if (!valid || !state) return `NOT VALID: step ${failed?.number ?? 1} failed. ${failed?.message ?? ''}`.trim();
  const { manifest, controls = [] } = state;
  const rows = controls.reduce((sum, { counts }) => sum + counts.population, 0);
  return `VALID: ${rows} ${rows === 1 ? 'item' : 'items'} of ${controls.length} ${controls.length === 1 ? 'control' : 'controls'} evaluated again with the same result, with the ledger ${manifest.ledger.origin} at size ${manifest.evaluated.size}; ${anchorSummary(state)}; this does not prove that the data received by Sightline is true.`;
}

function anchorSummary({ cosigned = [], timestampedAt, anchors = [] }: VerificationState): string {
  const by = cosigned.map(
    ({ by: { name }, at }) => `${name}${at === undefined ? '' : ` at ${new Date(at * 1000).toISOString()}`}`,
  );
  if (by.length > 0) return `its checkpoint is cosigned by ${by.join(' and ')}`;
  if (timestampedAt !== undefined) return `its checkpoint has a timestamp of ${timestampedAt}`;
  if (anchors.length > 0)
    return `the operator states that checkpoints were published to ${anchors.length} anchors, which was not verified here`;
  return 'no external anchor was verified for this ledger';
}

/** Limitations of every bundle, on screen and in print. */
export const limitationTexts = {
  received:
    'The ledger is tamper-evident, not immutable. It proves what Sightline received and when it was recorded, not that the data is true or complete.',
  alone:
    'No external anchor was verified. An operator with the signing key could have rewritten the whole ledger before an external party saved a checkpoint. Compare the checkpoint with your own copy.',
  two: 'Two auditors could be shown different ledgers. Only a comparison of checkpoints or a shared witness detects this.',
  copy: 'The PDF is the one that the snapshot committed to in the ledger. It is not drawn again here: if it differs from the items, the items apply.',
  people:
    'This does not prove that approvers read the changes, that the organization is secure, or that an auditor must accept the evidence.',
} as const;

/** Returns the facts that a valid bundle does not prove. */
export function limitationsOf({
  manifest,
  redactedCount = 0,
  undisclosedPersons = 0,
  controls = [],
  cosigned = [],
  unknownSigners = [],
  hasTimestamp = false,
  timestampedAt,
  files,
  unrecorded = [],
  openedNames,
  recordedRetests = 0,
  evaluatedControls = [],
}: VerificationState): string[] {
  const byRun = controls.filter(({ commitment }) => commitment === 'run').map(({ id }) => id);
  const byFacts = controls.filter(({ commitment }) => commitment === 'facts').map(({ id }) => id);
  return [
    limitationTexts.received,
    ...(cosigned.length === 0 && timestampedAt === undefined ? [limitationTexts.alone] : []),
    ...(unknownSigners.length > 0
      ? [
          `Signatures of ${unknownSigners.join(', ')} under the checkpoint were not verified: their keys were not given.`,
        ]
      : []),
    ...(hasTimestamp && timestampedAt === undefined
      ? [
          'The timestamp was not verified: no certificate of an authority was given. Anyone can create such a timestamp.',
        ]
      : []),
    limitationTexts.two,
    ...(byFacts.length > 0
      ? [`Of ${byFacts.join(', ')} each item was compared with its ledger entry. A missing item is not detected here.`]
      : []),
    ...(byRun.length > 0
      ? [
          `The facts of ${byRun.join(', ')} are derived from several entries. The ledger holds the hash of all evaluated items, and this bundle does not derive them again.`,
        ]
      : []),
    ...uncountedTexts(evaluatedControls),
    ...exclusionTexts(evaluatedControls),
    ...weakeningTexts(evaluatedControls),
    ...unrecordedTexts(unrecorded, openedNames?.repositories ?? new Map()),
    ...(recordedRetests > 0
      ? [
          `${recordedRetests} ${recordedRetests === 1 ? 'retest was' : 'retests were'} recorded by people. The ledger proves who recorded the result and when, not that it is true.`,
        ]
      : []),
    ...(manifest.ledger.epoch > 1
      ? [`The ledger was restarted: this is epoch ${manifest.ledger.epoch}. Earlier epochs are not counted here.`]
      : []),
    ...(redactedCount > 0
      ? [`${redactedCount} commitments are not disclosed: redacted, or of people whose data was deleted.`]
      : []),
    ...(undisclosedPersons > 0
      ? [
          `Nothing of ${undisclosedPersons} ${undisclosedPersons === 1 ? 'person' : 'people'} is disclosed. Their data was deleted or changed after the snapshot, or the operator withholds it. A part of the data of a person cannot be withheld.`,
        ]
      : []),
    ...(files.has('report.pdf') ? [limitationTexts.copy] : []),
  ];
}

function uncountedTexts(controls: readonly Pick<ControlWithRows, 'id' | 'run'>[]): string[] {
  const uncounted = controls
    .filter(({ run }) => run.completeness.some(({ isIndependent }) => !isIndependent))
    .map(({ id }) => id);
  return uncounted.length === 0
    ? []
    : [
        `The population of ${uncounted.join(', ')} is not counted independently, or only in part: no code host or scanner confirms that no item is missing.`,
      ];
}

function exclusionTexts(controls: readonly Pick<ControlWithRows, 'id' | 'run'>[]): string[] {
  const texts = controls.flatMap(({ id, run }) =>
    run.exclusions.map(
      ({ parameter, setting, items }) => `${items} of ${id} by ${parameter} of setting version ${setting}`,
    ),
  );
  return texts.length === 0 ? [] : [`Parameters excluded items, which are not evaluated: ${texts.join('; ')}.`];
}

function weakeningTexts(controls: readonly Pick<ControlWithRows, 'id' | 'weakenings'>[]): string[] {
  const texts = controls.flatMap(({ id, weakenings }) =>
    weakenings.map(
      (one) => `${one.parameter} of ${id} at ${one.at} by entry ${one.entry}, ${approvalText(one).toLowerCase()}`,
    ),
  );
  return texts.length === 0 ? [] : [`Policies were weakened in the period: ${texts.join('; ')}.`];
}

const unrecordedTexts = (
  repositories: readonly UnrecordedRepository[],
  names: ReadonlyMap<string, string>,
): string[] =>
  repositories.length === 0
    ? []
    : [
        `${repositories.length} ${repositories.length === 1 ? 'repository was' : 'repositories were'} disabled at some time of the period. Nothing that happened in that time is evaluated: ${repositories
          .map((one) => `${nameAndId(names, one.id)}: ${recordedText(one)}`)
          .join('; ')}.`,
      ];
