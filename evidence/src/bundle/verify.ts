import type { Bytes } from '../ledger/bytes.ts';
import type { ChangeHost, PersonAccounts } from './openings.ts';
import type { Redaction } from './redaction.ts';
import { limitationsOf, verificationSummary } from './sentence.ts';
import type { VerificationStep } from './step.ts';
import { openBundle } from './steps/archive.ts';
import { checkCensus } from './steps/census.ts';
import { checkCheckpoint } from './steps/checkpoint.ts';
import { checkDerived } from './steps/derived-files.ts';
import { checkDisclosures, checkEntries } from './steps/entries.ts';
import { reevaluateControls } from './steps/evaluate.ts';
import { checkFiles } from './steps/files.ts';
import { checkPrevious } from './steps/previous.ts';
import type { VerificationState, VerifiedControl, VerifierInput } from './verification-state.ts';

export interface VerificationReport {
  readonly valid: boolean;
  /** The result and its range in one sentence. */
  readonly sentence: string;
  /** The facts that a valid bundle does not prove. */
  readonly limits: readonly string[];
  readonly steps: readonly VerificationStep[];
  readonly bundle: {
    readonly name: string;
    readonly organization: string;
    readonly period: { readonly from: string; readonly to: string };
    readonly origin: string;
    readonly size: number;
    readonly redaction: Redaction;
    readonly codeHosts: readonly ChangeHost[];
    readonly people: readonly PersonAccounts[];
    /** Names of repositories and persons, as far as the bundle and the given key open them. */
    readonly names: {
      readonly repositories: readonly (readonly [id: string, name: string])[];
      readonly people: readonly (readonly [person: string, name: string])[];
    };
  } | null;
  readonly controls: readonly VerifiedControl[];
}

/**
 * The checks after the first, in order. Each returns its finding, or undefined if there was nothing to check. Throws on
 * a violation.
 */
const checks: readonly {
  title: string;
  check: (state: VerificationState, given: VerifierInput) => Promise<string | undefined> | string | undefined;
}[] = [
  { title: 'Every file is listed with its size and hash, and there are no other files', check: checkFiles },
  { title: 'The checkpoint of the ledger is signed', check: checkCheckpoint },
  { title: 'Every entry is in canonical form and in the ledger', check: checkEntries },
  { title: 'Every disclosure matches a commitment of an entry', check: checkDisclosures },
  { title: 'The census covers the period continuously, and no counted entry is missing', check: checkCensus },
  { title: 'Verdicts, counts and samples are identical when evaluated again', check: reevaluateControls },
  { title: 'Records, tables and reports match the ledger and the evidence', check: checkDerived },
  { title: 'The ledger is a continuation of the ledger of the earlier bundle', check: checkPrevious },
];
const firstTitle = 'The manifest is signed with the given key';
/** Titles of all steps, by step number minus one. */
export const stepTitles: readonly string[] = [firstTitle, ...checks.map(({ title }) => title)];

/** Verifies a bundle without server, network and clock. Never throws, whatever the bundle contains. */
export async function verifyBundle(bundle: Bytes, given: VerifierInput): Promise<VerificationReport> {
  const steps: VerificationStep[] = [];
  const run = async <T>(
    title: string,
    work: () => Promise<T> | T,
    messageOf: (result: T) => string | undefined,
  ): Promise<T | undefined> => {
    const number = steps.length + 1;
    if (steps.some(({ state }) => state === 'failed')) {
      steps.push({ number, title, state: 'skipped', message: 'Skipped because an earlier step failed.' });
      return undefined;
    }
    await given.onStep?.(number, title);
    try {
      const result = await work();
      const message = messageOf(result);
      steps.push({
        number,
        title,
        state: message === undefined ? 'skipped' : 'ok',
        message: message ?? 'Nothing to verify.',
      });
      return result;
    } catch (error) {
      steps.push({ number, title, state: 'failed', message: reasonOf(error) });
      return undefined;
    }
  };
  const state = await run(
    firstTitle,
    () => openBundle(bundle, given),
    ({ signer }) => `Signed by ${signer.name}.`,
  );
  for (const { title, check } of checks) {
    await run(
      title,
      () => (state ? check(state, given) : undefined),
      (message) => message,
    );
  }
  const valid = steps.every(({ state }) => state !== 'failed');
  return {
    valid,
    sentence: verificationSummary(valid, steps, state),
    limits: valid && state ? limitationsOf(state) : [],
    steps,
    bundle: state ? summaryOf(state) : null,
    controls: valid ? (state?.controls ?? []) : [],
  };
}

const reasonOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : 'Not readable';
  return text.endsWith('.') ? text : `${text}.`;
};

const summaryOf = ({ manifest, openedNames, openedPeople }: VerificationState): VerificationReport['bundle'] => ({
  name: manifest.name,
  organization: manifest.org.name,
  period: manifest.period,
  origin: manifest.ledger.origin,
  size: manifest.ledger.size,
  redaction: manifest.redaction,
  codeHosts: manifest.codeHosts,
  people: openedPeople ?? manifest.people,
  names: { repositories: [...(openedNames?.repositories ?? [])], people: [...(openedNames?.people ?? [])] },
});
