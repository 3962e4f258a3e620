import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { partsPath } from '@sightline/evidence/bundle/files.ts';
import { recordsPaths } from '@sightline/evidence/bundle/records.ts';
import {
  type RemediationRecord,
  type RemediationTexts,
  remediationTextsOf,
} from '@sightline/evidence/bundle/remediations.ts';
import type { Period } from '@sightline/evidence/bundle/scope.ts';
import type { Weakening } from '@sightline/evidence/bundle/weakening.ts';
import { type Archive, openZip } from '@sightline/evidence/bundle/zip-read.ts';
import type { EvaluatedRow } from '@sightline/evidence/controls/evidence-line.ts';
import { textOf } from '@sightline/evidence/ledger/bytes.ts';
import { type Entry, openDisclosure, parseEntry } from '@sightline/evidence/ledger/entry.ts';
import type { PortalActor } from '#core/auditor-portals.ts';
import { parseJsonLines } from '#core/json.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { openBundleFor, readBundle } from '../snapshots/commands.ts';

/**
 * A bundle opened for a portal. A portal shows only the content of its bundle, so that auditors can verify it offline.
 * A redacted portal reads a bundle without disclosures.
 */
export interface OpenedBundle {
  name: string;
  bytes: number;
  /** Hex. */
  sha256: string;
  manifest: BundleManifest;
  control: (id: ControlId) => ControlFile;
  rows: (id: ControlId) => readonly EvaluatedRow[];
  remediations: () => RemediationTexts;
  /** Changes by the leaf index of their entry. */
  changes: () => ReadonlyMap<number, BundledChange>;
  key: string;
}

interface BundleManifest {
  org: { name: string };
  period: Period;
  controls: readonly ControlId[];
  files: readonly { path: string; size: number; sha256: string; mediaType: string }[];
}

/** The displayed fields of `controls/<id>.json`. */
export interface ControlFile {
  status: 'passing' | 'failing' | 'missing_evidence' | 'not_applicable';
  counts: { population: number; pass: number; fail: number; waived: number; missing_evidence: number };
  completeness: readonly { source: string; isIndependent: boolean; expected: number | null; found: number }[];
  exclusions: readonly { parameter: string; setting: number; items: number; byDefault: number }[];
  weakenings: readonly Weakening[];
  settings: readonly { version: number; setting: object; from: string | null; until: string | null }[];
  run: number;
  rowsSha256: string;
  sample: { seed: string };
}

export interface BundledChange {
  entry: Entry;
  /** Number of hashes in the inclusion proof. */
  proof: number;
  parts: { readonly [key: string]: unknown };
  /** Null if the title is not disclosed. */
  title: string | null;
}

/** Opens the bundle of a snapshot with the redaction of the portal. Throws 409 until it is ready. */
export async function openPortalBundle(
  services: Services,
  { orgId, portal }: PortalActor,
  snapshotId: string,
): Promise<OpenedBundle> {
  const answer = await openBundleFor(services, orgId, snapshotId, portal.redaction);
  const etag = answer.whole?.etag ?? '';
  const known = bundleCache.get(etag);
  if (known) {
    answer.file.destroy();
    return known;
  }
  const opened = await unpackBundle(answer, etag);
  cacheBundle(etag, opened);
  return opened;
}

async function unpackBundle(answer: FileAnswer, etag: string): Promise<OpenedBundle> {
  const content = await readBundle(answer);
  const archive = openZip(content);
  const text = (path: string) => textOf(archive.file(path));
  const manifest = JSON.parse(text('manifest.json')) as BundleManifest;
  const rows = memoize((id: ControlId) => parseJsonLines<EvaluatedRow>(text(`evidence/${id}.jsonl`)));
  return {
    name: answer.name,
    bytes: content.length,
    sha256: etag.replaceAll('"', ''),
    manifest,
    control: memoize((id: ControlId) => JSON.parse(text(`controls/${id}.json`)) as ControlFile),
    rows,
    remediations: once(() => {
      // Bundles of earlier versions do not have them.
      const known = archive.paths.includes(recordsPaths.remediations) ? text(recordsPaths.remediations) : '';
      return remediationTextsOf(parseJsonLines<RemediationRecord>(known), manifest.period);
    }),
    changes: once(() => changesOf(archive, text)),
    key: text('keys/vkey.txt').trim(),
  };
}

function changesOf(archive: Archive, text: (path: string) => string): ReadonlyMap<number, BundledChange> {
  const lines = <Line>(path: string) => (archive.paths.includes(path) ? parseJsonLines<Line>(text(path)) : []);
  const disclosures = Map.groupBy(
    lines<{ index: number; disclosure: string }>('ledger/disclosures.jsonl'),
    ({ index }) => index,
  );
  const entries = new Map(
    lines<{ index: number; entry: string; proof: string[] }>('ledger/entries.jsonl').map((one) => [one.index, one]),
  );
  return new Map(
    lines<{ index: number; parts: BundledChange['parts'] }>(partsPath).flatMap(({ index, parts }) => {
      const line = entries.get(index);
      if (!line) return [];
      const entry = parseEntry(line.entry);
      const opened = (disclosures.get(index) ?? []).map(({ disclosure }) => openDisclosure(entry, disclosure));
      const title = opened.find(({ field }) => field === 'title')?.value;
      return [[index, { entry, proof: line.proof.length, parts, title: typeof title === 'string' ? title : null }]];
    }),
  );
}

function once<Value>(make: () => Value): () => Value {
  const memoized = memoize(make);
  return () => memoized(undefined);
}

/** Caches the result of `make` for each argument. */
function memoize<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    values.set(key, value);
    return value;
  };
}

// Opened bundles by ETag, which changes when erasure rebuilds a bundle. Paging through a bundle would otherwise reopen
// it for each request.
const bundleCache = new Map<string, OpenedBundle>();
const MAX_CACHED_BUNDLES = 4;

function cacheBundle(etag: string, opened: OpenedBundle): void {
  bundleCache.set(etag, opened);
  for (const oldest of bundleCache.keys()) {
    if (bundleCache.size <= MAX_CACHED_BUNDLES) break;
    bundleCache.delete(oldest);
  }
}
