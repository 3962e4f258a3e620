import { type CanonicalValue, canonicalJson } from '../ledger/canonical.ts';
import {
  auditTargetAndData,
  type EntryValues,
  entriesOfKinds,
  type IndexedEntry,
  type RecordedAction,
  recordedActionOf,
} from './parsed-entries.ts';
import { hashOf } from './run-entry.ts';
import type { BundleScope } from './scope.ts';

const [madeKind, reviewedKind] = ['digest.created', 'audit.digest.reviewed'] as const;
export const digestKinds: readonly string[] = [madeKind, reviewedKind];

const [folder, ending] = ['digests/', '.json'] as const;
export const digestPath = (id: string): string => `${folder}${id}${ending}`;
export const isDigestPath = (path: string): boolean => /^digests\/[0-9A-Za-z-]+\.json$/.test(path);
export const digestIdOfPath = (path: string): string => path.slice(folder.length, -ending.length);

/** A digest as recorded in the ledger, which contains the hash of its body only. */
export interface DigestRecord {
  readonly id: string;
  /** Hex, of the canonical form of the body. */
  readonly bodySha256: string;
  readonly made: { readonly entry: number; readonly at: string };
  readonly reviews: readonly DigestReview[];
}

interface DigestReview extends RecordedAction {
  readonly decision: CanonicalValue;
  readonly completes: CanonicalValue;
  readonly items: CanonicalValue;
}

/** Returns the digests of the period and repositories, from entries below the ledger size `size`. */
export function digestsIn(
  entries: Iterable<IndexedEntry>,
  { from, size }: { from: number; size: number },
  { period, repositories }: Pick<BundleScope, 'period' | 'repositories'>,
): readonly DigestRecord[] {
  const digestEntries = entriesOfKinds(entries, digestKinds, size).filter(({ index }) => index >= from);
  const reviews = Map.groupBy(
    digestEntries.filter(({ kind }) => kind === reviewedKind),
    (entry) => auditTargetAndData(entry).id,
  );
  return digestEntries
    .filter(({ kind, subject }) => kind === madeKind && isWithin(subject, period, repositories))
    .map(({ index, receivedAt, subject }) => {
      const [id, bodySha256] = [String(subject.digest), String(subject.body)];
      const signed = (reviews.get(id) ?? []).map((entry) => reviewOf(entry, bodySha256));
      return { id, bodySha256, made: { entry: index, at: receivedAt }, reviews: signed };
    });
}

const isWithin = (
  { from, to, repository }: EntryValues,
  period: BundleScope['period'],
  repositories: BundleScope['repositories'],
): boolean =>
  String(to) > period.from &&
  String(from) < period.to &&
  (repositories === null || repositories.includes(String(repository)));

/** Throws if the review is for another body. */
function reviewOf(entry: IndexedEntry, bodySha256: string): DigestReview {
  const { decision = null, completes = null, items = null, body } = auditTargetAndData(entry).data;
  if (body !== bodySha256) throw new Error(`Entry ${entry.index} signs a different digest`);
  return { ...recordedActionOf(entry), decision, completes, items };
}

/** Builds the file of a digest. Throws if the body does not match the hash in the ledger. */
export function digestFile({ id, bodySha256, made, reviews }: DigestRecord, body: CanonicalValue): string {
  if (hashOf(body) !== bodySha256) throw new Error(`The digest ${id} does not match the signed digest`);
  return canonicalJson({ body, made: { ...made }, reviews: reviews.map((one) => ({ ...one })) });
}
