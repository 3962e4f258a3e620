import { isChangeInScope, latestChangesIn } from '../bundle/change-entries.ts';
import { manifestPath, parseManifest } from '../bundle/manifest.ts';
import { runKind } from '../bundle/run-entry.ts';
import { type Archive, openZip } from '../bundle/zip-read.ts';
import type { EvaluatedRow } from '../controls/evidence-line.ts';
import { textOf } from '../ledger/bytes.ts';
import { isRecord } from '../ledger/canonical.ts';
import { parseEntry } from '../ledger/entry.ts';

/** A merged pull request that a bundle contains. */
export interface BundleMerge {
  readonly number: number;
  readonly branch: string;
  readonly mergedAt: string;
  /** Null if it is not known. */
  readonly mergeSha: string | null;
}

/** What a bundle states about a repository. */
export interface BundleRepository {
  readonly id: string;
  /** The host name of the code host and the ID of the repository there, of each of its changes. */
  readonly origins: readonly { readonly host: string; readonly repository: string }[];
  readonly merges: readonly BundleMerge[];
  /** The commits of CHG-02; null without that control. */
  readonly commits: readonly string[] | null;
  /** The number of pushes whose commits the bundle states as missing evidence. */
  readonly unknownPushes: number;
}

/** The repositories of a bundle that was verified, and the time that they cover. `until` is exclusive. */
export interface BundleSide {
  readonly from: string;
  readonly until: string;
  readonly repositoryOf: (id: string) => BundleRepository;
  /** Those with changes. */
  readonly repositories: readonly string[];
}

/** Reads what can be compared from a bundle. Only for bundles that were verified before. */
export function bundleSideOf(bundle: Uint8Array): BundleSide {
  const archive = openZip(bundle);
  const manifest = parseManifest(archive.file(manifestPath));
  const entries = linesOf<{ index: number; entry: string }>(archive, 'ledger/entries.jsonl').map(
    ({ index, entry }) => ({
      ...parseEntry(entry),
      index,
    }),
  );
  // A snapshot of a period that has not ended covers it until its evaluation.
  const ends = entries
    .filter(({ kind, index }) => kind === runKind && index >= manifest.evaluated.size)
    .map(({ asOf }) => asOf);
  const changes = latestChangesIn(entries, manifest.evaluated.size)
    .map(({ subject }) => subject)
    .filter((subject) => isChangeInScope(subject, manifest));
  const rowsPath = 'evidence/CHG-02.jsonl';
  const commitRows = archive.paths.includes(rowsPath)
    ? linesOf<EvaluatedRow>(archive, rowsPath).map(({ row }) => row)
    : null;
  return {
    from: manifest.period.from,
    until: [...ends, manifest.period.to].toSorted()[0] ?? manifest.period.to,
    repositories: [...new Set(changes.map(({ repository }) => String(repository)))].toSorted(),
    repositoryOf(id) {
      const own = changes.filter(({ repository }) => repository === id);
      const subjects = commitRows?.filter(({ repository }) => repository === id).map(({ subject }) => subject);
      const origins = own.flatMap(({ origin }) =>
        origin !== undefined && isRecord(origin)
          ? [{ host: String(origin.host), repository: String(origin.repository) }]
          : [],
      );
      return {
        id,
        origins: [...new Map(origins.map((origin) => [`${origin.host} ${origin.repository}`, origin])).values()],
        merges: own.flatMap(({ number, branch, mergedAt, mergeSha }) =>
          typeof number === 'number'
            ? [
                {
                  number,
                  branch: String(branch),
                  mergedAt: String(mergedAt),
                  mergeSha: typeof mergeSha === 'string' ? mergeSha : null,
                },
              ]
            : [],
        ),
        commits: subjects?.flatMap((subject) => commitSubject.exec(subject)?.[1] ?? []) ?? null,
        unknownPushes: subjects?.filter((subject) => subject.startsWith('push:')).length ?? 0,
      };
    },
  };
}

const commitSubject = /^commit:[^:]*:([0-9a-f]{40,64})$/;

const linesOf = <Line>(archive: Archive, path: string): Line[] =>
  textOf(archive.file(path))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
