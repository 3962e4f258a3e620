import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { partsPath } from '@sightline/evidence/bundle/files.ts';
import { type Archive, openZip } from '@sightline/evidence/bundle/zip-read.ts';
import type { EvaluatedRow } from '@sightline/evidence/controls/evidence-line.ts';
import { textOf } from '@sightline/evidence/ledger/bytes.ts';
import { type Entry, openedWith, parseEntry } from '@sightline/evidence/ledger/entry.ts';
import type { PortalActor } from '#core/auditor-portals.ts';
import { jsonLines } from '#core/json.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { bundleFor, bytesOfBundle } from '../snapshots/commands.ts';

/**
 * A bundle that is read for a portal. A portal shows what the bundle holds and nothing else: what an auditor sees is what they can verify
 * offline, and a redacted portal reads a bundle in which nothing is disclosed.
 */
export interface OpenedBundle {
  name: string;
  bytes: number;
  /** Hex. */
  sha256: string;
  manifest: BundleManifest;
  control: (id: ControlId) => ControlFile;
  rows: (id: ControlId) => readonly EvaluatedRow[];
  /** Entries of changes, by their place in the ledger. */
  changes: () => ReadonlyMap<number, BundledChange>;
  key: string;
}

interface BundleManifest {
  org: { name: string };
  controls: readonly ControlId[];
  files: readonly { path: string; size: number; sha256: string; mediaType: string }[];
}

/** `controls/<id>.json`, as far as it is shown. */
export interface ControlFile {
  status: 'passing' | 'failing' | 'missing_evidence' | 'not_applicable';
  counts: { population: number; pass: number; fail: number; waived: number; missing_evidence: number };
  completeness: readonly { source: string; expected: number | null; found: number }[];
  settings: readonly { version: number; setting: object; from: string | null; until: string | null }[];
  run: number;
  rowsSha256: string;
  sample: { seed: string };
}

export interface BundledChange {
  entry: Entry;
  /** How many hashes lead to the root. */
  proof: number;
  parts: { readonly [key: string]: unknown };
  /** Disclosed; null where it is withheld, or nobody's. */
  title: string | null;
}

/** Opens the bundle of a snapshot as this portal may see it. Throws 409 until it is ready. */
export async function openedBundle(
  services: Services,
  { orgId, portal }: PortalActor,
  snapshotId: string,
): Promise<OpenedBundle> {
  const answer = await bundleFor(services, orgId, snapshotId, portal.redaction);
  const etag = answer.whole?.etag ?? '';
  const known = kept.get(etag);
  if (known) {
    answer.file.destroy();
    return known;
  }
  const opened = await read(answer, etag);
  keep(etag, opened);
  return opened;
}

async function read(answer: FileAnswer, etag: string): Promise<OpenedBundle> {
  const content = await bytesOfBundle(answer);
  const archive = openZip(content);
  const text = (path: string) => textOf(archive.file(path));
  const rows = remembering((id: ControlId) => jsonLines<EvaluatedRow>(text(`evidence/${id}.jsonl`)));
  return {
    name: answer.name,
    bytes: content.length,
    sha256: etag.replaceAll('"', ''),
    manifest: JSON.parse(text('manifest.json')) as BundleManifest,
    control: remembering((id: ControlId) => JSON.parse(text(`controls/${id}.json`)) as ControlFile),
    rows,
    changes: once(() => changesOf(archive, text)),
    key: text('keys/vkey.txt').trim(),
  };
}

function changesOf(archive: Archive, text: (path: string) => string): ReadonlyMap<number, BundledChange> {
  const lines = <Line>(path: string) => (archive.paths.includes(path) ? jsonLines<Line>(text(path)) : []);
  const disclosures = Map.groupBy(
    lines<{ index: number; disclosure: string }>('ledger/disclosures.jsonl'),
    ({ index }) => index,
  );
  const entries = new Map(
    lines<{ index: number; entry: string; proof: string[] }>('ledger/entries.jsonl').map((one) => [one.index, one]),
  );
  return new Map(
    lines<{ index: number; parts: BundledChange['parts'] }>(partsPath).flatMap(({ index, parts }) => {
      const placed = entries.get(index);
      if (!placed) return [];
      const entry = parseEntry(placed.entry);
      const opened = (disclosures.get(index) ?? []).map(({ disclosure }) => openedWith(entry, disclosure));
      const title = opened.find(({ field }) => field === 'title')?.value;
      return [[index, { entry, proof: placed.proof.length, parts, title: typeof title === 'string' ? title : null }]];
    }),
  );
}

function once<Value>(make: () => Value): () => Value {
  const remembered = remembering(make);
  return () => remembered(undefined);
}

/** What was made of an argument is not made of it again. */
function remembering<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

// By their content, so that one that was built anew after an erasure is another. A reader turns pages of one bundle: reading it again for
// each would cost more than the answer.
const kept = new Map<string, OpenedBundle>();
const mostKept = 4;

function keep(etag: string, opened: OpenedBundle): void {
  kept.set(etag, opened);
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(oldest);
  }
}
