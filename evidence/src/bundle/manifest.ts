import { type ControlId, catalogVersion, controlIds } from '../controls/catalog.ts';
import { parseTime } from '../controls/times.ts';
import { type Bytes, textOf, toHex, utf8 } from '../ledger/bytes.ts';
import { type CanonicalValue, canonicalJson, isList, isRecord } from '../ledger/canonical.ts';
import { createHash, sha256 } from '../ledger/sha256.ts';
import type { ListedFile } from './listed-file.ts';
import type { ChangeHost, PersonAccounts } from './openings.ts';
import { redactions } from './redaction.ts';
import type { BundleContents, BundleScope, Tree } from './scope.ts';
import { sightlineNamespace, uuidOf } from './uuid.ts';

/** The signed description of a bundle. */
export interface Manifest extends BundleScope {
  readonly v: 1;
  readonly bundleId: string;
  readonly catalog: string;
  readonly ledger: { readonly origin: string; readonly epoch: number; readonly size: number };
  readonly evaluated: Tree;
  readonly population: { readonly from: number; readonly to: number; readonly kinds: readonly string[] };
  /** The code hosts of its changes. */
  readonly codeHosts: readonly ChangeHost[];
  /** The accounts on these hosts that the bundle discloses. */
  readonly people: readonly PersonAccounts[];
  readonly files: readonly ListedFile[];
  /** `none`: the machine that built the bundle could not render the PDF report. */
  readonly report: 'pdf' | 'none';
  readonly generator: string;
}

export const manifestPath = 'manifest.json';
export const signaturePath = 'manifest.sig';

const generator = 'Sightline bundle 1';

export function manifestOf(contents: BundleContents, kinds: readonly string[], files: readonly ListedFile[]): Manifest {
  const { scope, ledger, evaluated, population, codeHosts, people } = contents;
  const { origin, epoch, size } = ledger;
  return {
    v: 1,
    bundleId: bundleIdOf(scope, ledger, evaluated),
    catalog: catalogVersion,
    ...scope,
    ledger: { origin, epoch, size },
    evaluated,
    population: { ...population, kinds },
    codeHosts,
    people,
    files,
    report: contents.report === undefined ? 'none' : 'pdf',
    generator,
  };
}

/** Equal for equal scopes at the same checkpoint. */
export const bundleIdOf = (scope: BundleScope, ledger: Manifest['ledger'], evaluated: Tree): string => {
  const { org, name, period, repositories, redaction, controls, supersedes } = scope;
  return uuidOf(
    sightlineNamespace,
    canonicalJson({
      org,
      name,
      period: { ...period },
      repositories,
      redaction,
      controls,
      supersedes,
      ledger,
      evaluated: { ...evaluated },
    }),
  );
};

export const manifestText = (manifest: Manifest): string => canonicalJson(manifest as unknown as CanonicalValue);

export const listFile = (path: string, content: Bytes): ListedFile => ({
  path,
  size: content.length,
  sha256: toHex(sha256(content)),
  mediaType: mediaTypes[path.slice(path.lastIndexOf('.') + 1)] ?? 'text/plain; charset=utf-8',
});

const mediaTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  jsonl: 'application/jsonl',
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
  tsr: 'application/timestamp-reply',
};

/**
 * The signed text of a bundle: the hashes of its manifest and of all archive bytes before the signature. No checkpoint
 * has this form.
 */
export const bundleNote = (manifest: Bytes, before: Bytes): string =>
  bundleNoteOf(toHex(sha256(manifest)), toHex(sha256(before)));

export const bundleNoteOf = (manifestSha256: string, archiveSha256: string): string =>
  `sightline.dev/bundle@v1\nsha256 ${manifestSha256}\narchive ${archiveSha256}\n`;

/** Parses a manifest. Throws unless it is canonical and describes a valid bundle. */
export function parseManifest(bytes: Bytes): Manifest {
  const text = textOf(bytes);
  const value = JSON.parse(text) as CanonicalValue;
  if (!isRecord(value) || canonicalJson(value) !== text) throw new Error('The manifest is not in canonical form');
  if (value.v !== 1) throw new Error('The bundle has an unsupported version');
  if (Object.keys(value).sort().join() !== fields.join())
    throw new Error('The manifest has unexpected or missing fields');
  if (value.catalog !== catalogVersion) {
    throw new Error(
      `The bundle was evaluated with version ${text.length > 0 && typeof value.catalog === 'string' ? value.catalog : '?'} of the catalog, this program uses ${catalogVersion}. Use the program of that version`,
    );
  }
  if (!isManifest(value)) throw new Error('A field of the manifest is invalid');
  const manifest = value as unknown as Manifest;
  if (manifest.bundleId !== bundleIdOf(manifest, manifest.ledger, manifest.evaluated)) {
    throw new Error('The ID of the bundle does not match its content');
  }
  return manifest;
}

const fields = [
  'bundleId',
  'catalog',
  'codeHosts',
  'controls',
  'evaluated',
  'files',
  'generator',
  'ledger',
  'name',
  'org',
  'people',
  'period',
  'population',
  'redaction',
  'report',
  'repositories',
  'supersedes',
  'v',
];

type ManifestFields = { readonly [key: string]: CanonicalValue };

function isManifest({
  org,
  name,
  period,
  repositories,
  redaction,
  controls,
  supersedes,
  ledger,
  evaluated,
  population,
  codeHosts,
  people,
  files,
  report,
  generator: by,
}: ManifestFields): boolean {
  return (
    hasTexts(org, ['id', 'name']) &&
    isText(name) &&
    hasTexts(period, ['from', 'to']) &&
    isRecord(period) &&
    parseTime(String(period.from)) < parseTime(String(period.to)) &&
    (repositories === null || isOrdered(repositories)) &&
    redactions.some((one) => one === redaction) &&
    isChoice(controls) &&
    (supersedes === null || isText(supersedes)) &&
    isRecord(ledger) &&
    isText(ledger.origin) &&
    hasCounts(ledger, ['epoch', 'size']) &&
    hasCounts(evaluated, ['size']) &&
    isRecord(evaluated) &&
    isText(evaluated.root) &&
    Number(evaluated.size) <= Number(ledger.size) &&
    hasCounts(population, ['from', 'to']) &&
    isRecord(population) &&
    isOrdered(population.kinds) &&
    isList(codeHosts ?? null) &&
    isList(people ?? null) &&
    isList(files ?? null) &&
    (files as readonly CanonicalValue[]).every(isFile) &&
    (report === 'pdf' || report === 'none') &&
    by === generator
  );
}

const isText = (value: CanonicalValue | undefined): value is string => typeof value === 'string' && value !== '';
const isCount = (value: CanonicalValue | undefined): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const hasTexts = (value: CanonicalValue | undefined, names: readonly string[]): boolean =>
  isRecord(value) && Object.keys(value).length === names.length && names.every((name) => isText(value[name]));
const hasCounts = (value: CanonicalValue | undefined, names: readonly string[]): boolean =>
  isRecord(value) && names.every((name) => isCount(value[name]));

function isOrdered(value: CanonicalValue | undefined): boolean {
  if (value === undefined || !isList(value) || !value.every(isText)) return false;
  return value.every((one, index) => index === 0 || String(value[index - 1]) < String(one));
}

/** Whether it lists control IDs of the catalog in order, without duplicates. */
function isChoice(value: CanonicalValue | undefined): boolean {
  if (value === undefined || !isList(value) || value.length === 0) return false;
  return canonicalJson(value) === canonicalJson(controlIds.filter((id: ControlId) => value.includes(id)));
}

const isFile = (value: CanonicalValue): boolean =>
  isRecord(value) &&
  Object.keys(value).length === 4 &&
  isText(value.path) &&
  isCount(value.size) &&
  typeof value.sha256 === 'string' &&
  /^[0-9a-f]{64}$/.test(value.sha256) &&
  isText(value.mediaType);

export const archiveHash = (): { add: (bytes: Bytes) => void; digest: () => string } => {
  const hash = createHash();
  return { add: hash.add, digest: () => toHex(hash.digest()) };
};

export const manifestBytes = (manifest: Manifest): Bytes => utf8(manifestText(manifest));
