import type { SnapshotRedaction } from '@sightline/contract/compliance/snapshots.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { changeKind } from '@sightline/evidence/bundle/change-entries.ts';
import { type DigestRecord, digestIdOfPath, isDigestPath } from '@sightline/evidence/bundle/digests.ts';
import { excludedPath } from '@sightline/evidence/bundle/evaluated-rows.ts';
import { namesOfContents, partsPath } from '@sightline/evidence/bundle/files.ts';
import type { PolicyVersion } from '@sightline/evidence/bundle/policies.ts';
import { recordsPaths } from '@sightline/evidence/bundle/records.ts';
import {
  type RemediationRecord,
  type RemediationTexts,
  remediationTextsOf,
} from '@sightline/evidence/bundle/remediations.ts';
import type { RepositoryRecord } from '@sightline/evidence/bundle/repositories.ts';
import type { Period, PlacedDisclosure, Tree } from '@sightline/evidence/bundle/scope.ts';
import type { WaiverRecord } from '@sightline/evidence/bundle/waivers.ts';
import type { Weakening } from '@sightline/evidence/bundle/weakening.ts';
import { openZip } from '@sightline/evidence/bundle/zip-read.ts';
import type { EvaluatedRow, ExcludedPopulationRow } from '@sightline/evidence/controls/evidence-line.ts';
import { textOf } from '@sightline/evidence/ledger/bytes.ts';
import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
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
  /** The rows that parameters excluded. */
  excluded: (id: ControlId) => readonly ExcludedPopulationRow[];
  remediations: () => RemediationTexts;
  /** Empty in bundles of earlier versions. */
  records: () => BundledRecords;
  /** The disclosed names of repositories by ID. */
  repositoryNames: () => ReadonlyMap<string, string>;
  /** Changes by the leaf index of their entry. */
  changes: () => ReadonlyMap<number, BundledChange>;
  /** All versions of the record of each change, oldest first, by the ID of the change. */
  versions: () => ReadonlyMap<string, readonly ChangeVersionEntry[]>;
  digests: () => readonly BundledDigest[];
  /** The definitions of controls that the bundle was evaluated with; null: not contained. */
  catalog: () => BundledCatalog | null;
  /** The lines of `missing-evidence.json`. */
  gaps: () => readonly { readonly [field: string]: CanonicalValue }[];
  checkpoint: () => string;
  /** All UUIDs in the evidence, among them the opaque IDs of persons. */
  ids: () => ReadonlySet<string>;
  key: string;
}

export interface BundledRecords {
  policies: readonly PolicyVersion[];
  remediations: readonly RemediationRecord[];
  repositories: readonly RepositoryRecord[];
  waivers: readonly WaiverRecord[];
}

interface BundleManifest {
  evaluated: Tree;
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
  excludedSha256: string;
  sample: { seed: string };
}

export interface BundledCatalog {
  version: string;
  controls: readonly { id: string; title: string; rule: string }[];
}

/** A digest with its signed body. */
export interface BundledDigest extends Pick<DigestRecord, 'id' | 'made' | 'reviews'> {
  body: CanonicalValue;
}

export interface ChangeVersionEntry {
  index: number;
  entry: Entry;
  /** Number of hashes in the inclusion proof. */
  proof: number;
}

export interface BundledChange {
  entry: Entry;
  /** The signed text of the entry. */
  text: string;
  /** The hashes of the inclusion proof, base64. */
  proof: readonly string[];
  parts: { readonly [key: string]: unknown };
  /** Null if the title is not disclosed. */
  title: string | null;
}

/** What determines the bundle of a snapshot that a portal shows. */
export interface PortalScope {
  orgId: string;
  portal: Pick<PortalActor['portal'], 'redaction' | 'people'>;
}

/** What the bundles of a portal withhold: with pseudonyms at least the names of persons. */
export const redactionOfPortal = ({ redaction, people }: PortalScope['portal']): SnapshotRedaction =>
  redaction === 'none' && people === 'pseudonyms' ? 'names' : redaction;

/** Opens the bundle of a snapshot with the redaction of the portal. Throws 409 until it is ready. */
export async function openPortalBundle(
  services: Services,
  { orgId, portal }: PortalScope,
  snapshotId: string,
): Promise<OpenedBundle> {
  const answer = await openBundleFor(services, orgId, snapshotId, redactionOfPortal(portal));
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
  const lines = <Line>(path: string) => (archive.paths.includes(path) ? parseJsonLines<Line>(text(path)) : []);
  const entries = once(() => lines<EntryLine>('ledger/entries.jsonl'));
  const records = once(() => ({
    policies: lines<PolicyVersion>(recordsPaths.policies),
    remediations: lines<RemediationRecord>(recordsPaths.remediations),
    repositories: lines<RepositoryRecord>(recordsPaths.repositories),
    waivers: lines<WaiverRecord>(recordsPaths.waivers),
  }));
  return {
    name: answer.name,
    bytes: content.length,
    sha256: etag.replaceAll('"', ''),
    manifest,
    control: memoize((id: ControlId) => JSON.parse(text(`controls/${id}.json`)) as ControlFile),
    rows,
    excluded: memoize((id: ControlId) => lines<ExcludedPopulationRow>(excludedPath(id))),
    remediations: once(() => remediationTextsOf(records().remediations, manifest.period)),
    records,
    repositoryNames: once(
      () =>
        namesOfContents({
          entries: entries(),
          disclosures: lines<PlacedDisclosure>('ledger/disclosures.jsonl'),
          evaluated: manifest.evaluated,
        }).repositories,
    ),
    changes: once(() => changesOf(lines, entries())),
    versions: once(() => versionsOf(entries())),
    digests: once(() =>
      archive.paths.filter(isDigestPath).map((path) => ({
        ...(JSON.parse(text(path)) as Omit<BundledDigest, 'id'>),
        id: digestIdOfPath(path),
      })),
    ),
    catalog: once(() =>
      archive.paths.includes(catalogPath) ? (JSON.parse(text(catalogPath)) as BundledCatalog) : null,
    ),
    gaps: once(() => (archive.paths.includes(gapsPath) ? JSON.parse(text(gapsPath)) : [])),
    checkpoint: () => (archive.paths.includes(checkpointPath) ? text(checkpointPath) : ''),
    ids: once(
      () =>
        new Set(
          archive.paths
            .filter((path) => path.endsWith('.jsonl') || path.startsWith('digests/'))
            .flatMap((path) => text(path).match(uuidPattern) ?? []),
        ),
    ),
    key: text('keys/vkey.txt').trim(),
  };
}

const uuidPattern = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const catalogPath = 'controls/catalog.json';
const gapsPath = 'missing-evidence.json';
const checkpointPath = 'ledger/checkpoint';

interface EntryLine {
  index: number;
  entry: string;
  proof: string[];
}

function changesOf(
  lines: <Line>(path: string) => Line[],
  entryLines: readonly EntryLine[],
): ReadonlyMap<number, BundledChange> {
  const disclosures = Map.groupBy(
    lines<{ index: number; disclosure: string }>('ledger/disclosures.jsonl'),
    ({ index }) => index,
  );
  const entries = new Map(entryLines.map((one) => [one.index, one]));
  return new Map(
    lines<{ index: number; parts: BundledChange['parts'] }>(partsPath).flatMap(({ index, parts }) => {
      const line = entries.get(index);
      if (!line) return [];
      const entry = parseEntry(line.entry);
      const opened = (disclosures.get(index) ?? []).map(({ disclosure }) => openDisclosure(entry, disclosure));
      const title = opened.find(({ field }) => field === 'title')?.value;
      const change = { entry, text: line.entry, proof: line.proof, parts };
      return [[index, { ...change, title: typeof title === 'string' ? title : null }]];
    }),
  );
}

function versionsOf(entryLines: readonly EntryLine[]): ReadonlyMap<string, readonly ChangeVersionEntry[]> {
  const versions = entryLines
    .filter(({ entry }) => entry.includes(`"kind":"${changeKind}"`))
    .map(({ index, entry, proof }) => ({ index, entry: parseEntry(entry), proof: proof.length }))
    .filter(({ entry }) => entry.kind === changeKind);
  return Map.groupBy(versions, ({ entry }) => String(entry.subject.change));
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
