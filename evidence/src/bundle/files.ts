import { catalogFile } from '../controls/catalog-file.ts';
import { byCodeUnits } from '../controls/order.ts';
import { type Bytes, toHex, utf8 } from '../ledger/bytes.ts';
import { type CanonicalValue, canonicalJson } from '../ledger/canonical.ts';
import { censusKind, parseCensus } from '../ledger/census.ts';
import { commitmentOf, openDisclosure, parseEntry } from '../ledger/entry.ts';
import { sha256 } from '../ledger/sha256.ts';
import { derivedFiles } from './derived-files.ts';
import { digestFile, digestPath, digestsIn } from './digests.ts';
import { disclosedFile, disclosedPath } from './disclosed.ts';
import { recordedKinds } from './kinds.ts';
import { encodeLines, textsOf } from './lines.ts';
import { manifestOf } from './manifest.ts';
import { type Names, namesIn } from './names.ts';
import { oscalOf, oscalPath } from './oscal.ts';
import { oscalCatalogOf } from './oscal-catalog.ts';
import { assessmentPlanOf, planPath } from './oscal-plan.ts';
import { catalogPath } from './oscal-terms.ts';
import { packedFile } from './packed-file.ts';
import type { PackedFile } from './packed-run.ts';
import type { IndexedEntry } from './parsed-entries.ts';
import { poamOf, poamPath } from './poam.ts';
import { policiesIn } from './policies.ts';
import { readme } from './readme.ts';
import { anchorsFile, recordsIn, recordsKind, recordsPaths } from './records.ts';
import { remediationsIn } from './remediations.ts';
import { repositoriesIn, repositoryKinds } from './repositories.ts';
import type { BundleContents, BundleScope, PlacedEntry } from './scope.ts';
import { waiversIn } from './waivers.ts';

/** A file of a bundle. It is built and packed on demand, to limit memory use. */
export interface BundleFile {
  readonly path: string;
  readonly pack: () => PackedFile;
}

/** Path of the parts of each change, of which the ledger entry contains the hash. */
export const partsPath = 'changes.jsonl';

/** An entry without its inclusion proof. */
export type UnprovedEntry = Pick<PlacedEntry, 'index' | 'entry'>;

/** Returns all files of a bundle except its manifest and signature, in archive order. */
export function filesOf(contents: BundleContents, kinds: readonly string[]): readonly BundleFile[] {
  const manifest = manifestOf(contents, kinds, []);
  const { runs, disclosures, scope, stamp, report } = contents;
  const recorded = recordedIn(contents.entries);
  const remediations = remediationsIn(recorded, contents.evaluated.size, scope);
  const takenAt = lastCensusAt(contents.entries);
  const poam = poamOf(manifest, takenAt, runs, remediations);
  const names = namesOfContents(contents);
  const evidence = runs.flatMap(({ files }) => files.map(({ listed }) => [listed.path, listed.sha256] as const));
  const repositories = recordsIn(recorded, contents.evaluated.size, scope).repositories;
  const hashes = new Map<string, string>([
    ...evidence,
    [recordsPaths.repositories, toHex(sha256(repositories))],
    ['controls/catalog.json', toHex(sha256(catalogFile()))],
  ]);
  const hashOf = (path: string): string => hashes.get(path) ?? '';
  const catalog = canonicalJson(oscalCatalogOf(manifest, takenAt, hashOf));
  hashes.set(catalogPath, toHex(sha256(catalog)));
  const plan = canonicalJson(assessmentPlanOf(manifest, takenAt, runs, hashOf));
  hashes.set(planPath, toHex(sha256(plan)));
  const text = (path: string, make: () => string): BundleFile => ({
    path,
    pack: () => packedFile(path, utf8(make())),
  });
  const lines = (path: string, items: readonly object[]): BundleFile => ({
    path,
    pack: () => packedFile(path, encodeLines(textsOf(items, (one) => canonicalJson({ ...one } as CanonicalValue)))),
  });
  const bytes = (path: string, content: Bytes | undefined): BundleFile[] =>
    content === undefined ? [] : [{ path, pack: () => packedFile(path, content) }];
  return [
    text('README.txt', () => readme(scope)),
    lines(partsPath, contents.parts),
    ...runs.flatMap(({ files }) => files.map((file) => ({ path: file.listed.path, pack: () => file }))),
    ...derivedFiles(runs, remediations, names).map(([path, content]) => text(path, () => content)),
    ...digestFiles(contents, recorded),
    text(recordsPaths.repositories, () => repositories),
    text(recordsPaths.waivers, () => recordsIn(recorded, contents.evaluated.size, scope).waivers),
    text(recordsPaths.remediations, () => recordsIn(recorded, contents.evaluated.size, scope).remediations),
    text(recordsPaths.policies, () => recordsIn(recorded, contents.evaluated.size, scope).policies),
    text('keys/vkey.txt', () => `${contents.vkey}\n`),
    text('ledger/anchors.json', () => anchorsFile(contents.anchors)),
    text('ledger/checkpoint', () => contents.checkpoint),
    ...bytes('ledger/checkpoint.tsr', stamp),
    text(disclosedPath, () => disclosedFile(contents.disclosed)),
    lines('ledger/consistency.jsonl', contents.earlier),
    ...(scope.redaction !== 'all' ? [lines('ledger/disclosures.jsonl', disclosures)] : []),
    lines('ledger/entries.jsonl', contents.entries),
    text(planPath, () => plan),
    text(catalogPath, () => catalog),
    text(oscalPath, () => canonicalJson(oscalOf(manifest, takenAt, runs, hashOf))),
    ...(poam === undefined ? [] : [text(poamPath, () => canonicalJson(poam))]),
    ...bytes('report.pdf', report),
  ].toSorted((one, other) => byCodeUnits(one.path, other.path));
}

/** Returns the names that a bundle discloses. */
export function namesOfContents({
  entries,
  disclosures,
  evaluated,
}: Pick<BundleContents, 'disclosures' | 'evaluated'> & { entries: readonly UnprovedEntry[] }): Names {
  const naming = entries
    .filter(({ entry }) => [...repositoryKinds, recordsKind].some((kind) => entry.includes(`"kind":"${kind}"`)))
    .map(({ index, entry }) => ({ ...parseEntry(entry), index }));
  const byIndex = new Map(naming.map((one) => [one.index, one]));
  const opened = disclosures.flatMap(({ index, disclosure }) => {
    const entry = byIndex.get(index);
    return entry?.commitments.includes(commitmentOf(disclosure))
      ? [{ index, ...openDisclosure(entry, disclosure) }]
      : [];
  });
  return namesIn(naming, opened, evaluated.size);
}

/** Returns the repositories, policies, waivers, remediations and digests of a bundle, derived from its entries. */
export function recordsOfContents({
  entries,
  evaluated,
  population,
  scope,
}: Pick<BundleContents, 'evaluated' | 'population'> & {
  entries: readonly UnprovedEntry[];
  scope: Pick<BundleScope, 'period' | 'repositories'>;
}) {
  const recorded = recordedIn(entries);
  return {
    repositories: repositoriesIn(recorded, evaluated.size, scope),
    policies: policiesIn(recorded, evaluated.size, scope.period),
    waivers: waiversIn(recorded, evaluated.size, scope.period),
    remediations: remediationsIn(recorded, evaluated.size, scope),
    digests: digestsIn(recorded, { from: population.from, size: evaluated.size }, scope),
  };
}

function digestFiles(
  { digests, evaluated, population, scope }: BundleContents,
  recorded: readonly IndexedEntry[],
): readonly BundleFile[] {
  const bodies = new Map(digests.map(({ id, body }) => [id, body]));
  return digestsIn(recorded, { from: population.from, size: evaluated.size }, scope).map((digest) => {
    const path = digestPath(digest.id);
    return { path, pack: () => packedFile(path, utf8(digestFile(digest, bodies.get(digest.id) ?? null))) };
  });
}

/** The entries from which repositories, policies, waivers, remediations and digests are derived. */
const recordedIn = (entries: readonly UnprovedEntry[]): readonly IndexedEntry[] =>
  entries
    .filter(({ entry }) => recordedKinds.some((kind) => entry.includes(`"kind":"${kind}"`)))
    .map(({ index, entry }) => ({ ...parseEntry(entry), index }));

/** The time of the last census in the bundle, which ends its population. */
export function lastCensusAt(entries: BundleContents['entries']): string {
  for (const { entry } of entries.toReversed()) {
    if (!entry.includes(`"kind":"${censusKind}"`)) continue;
    const { kind, asOf, subject } = parseEntry(entry);
    if (kind === censusKind && parseCensus(subject)) return asOf;
  }
  throw new RangeError('The bundle has no census');
}
