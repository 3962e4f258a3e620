import type { BundleSide } from './bundle-side.ts';
import type { CloneCommits } from './clone-commits.ts';
import { compareCommits, compareMerges, type MergeComparison } from './compare.ts';
import { type ReadHostPath, type ReconciledHost, readHostMerges, readMergeTime } from './host-merges.ts';
import type { RepositoryReconciliation } from './reconciliation-lines.ts';

/** A repository of the bundle, and its path at the code host. */
export interface ReconciledRepository {
  readonly id: string;
  readonly path: string;
}

/** The code host of the auditor's own token. */
export interface ReconciliationHost {
  readonly kind: ReconciledHost;
  /** Host name, with the port if it has one. */
  readonly name: string;
  readonly read: ReadHostPath;
  /** Called with the number of merges that were read so far of a repository. */
  readonly onPage?: ((repository: string, merges: number) => void) | undefined;
}

type RepositoryNames = readonly (readonly [id: string, name: string])[];

/** Returns the repository that an ID or a disclosed name means, with its path at the code host. */
export function repositoryNamed(given: string, names: RepositoryNames): ReconciledRepository {
  const [, name] = names.find(([id]) => id === given) ?? [];
  return { id: names.find(([, full]) => full === given)?.[0] ?? given, path: name ?? given };
}

/**
 * Parses names or IDs of repositories, separated by commas or lines; `ID=PATH` for one whose name the bundle redacts.
 * Without any, returns those with changes from this code host. Throws if there are none, or for a redacted name.
 */
export function requestedRepositories(
  given: string,
  { side, names, host }: { side: BundleSide; names: RepositoryNames; host: string },
): ReconciledRepository[] {
  const words = given.split(/[,\n]/).flatMap((word) => (word.trim() === '' ? [] : [word.trim()]));
  if (words.length > 0) {
    return words.map((word) => {
      const at = word.indexOf('=');
      return at < 0 ? repositoryNamed(word, names) : { id: word.slice(0, at), path: word.slice(at + 1) };
    });
  }
  const own = side.repositories.filter((id) => side.repositoryOf(id).origins.some((origin) => origin.host === host));
  if (own.length === 0) throw new Error(`The bundle contains no change from ${host}. Name the repositories`);
  return own.map((id) => {
    const named = repositoryNamed(id, names);
    if (named.path === id) throw new Error(`The bundle redacts the name of repository ${id}. Name it as ${id}=PATH`);
    return named;
  });
}

/** The repositories of the bundle with changes that are not among these, by name. */
export const repositoriesLeft = (
  { repositories }: BundleSide,
  compared: readonly { readonly id: string }[],
  names: RepositoryNames,
): string[] =>
  repositories
    .filter((id) => compared.every((one) => one.id !== id))
    .map((id) => names.find(([known]) => known === id)?.[1] ?? id);

/** Compares a repository of a verified bundle with its code host, a clone or both. Throws what reading throws. */
export async function reconcileRepository(
  side: BundleSide,
  { id, path }: ReconciledRepository,
  { host, clone }: { host?: ReconciliationHost | undefined; clone?: CloneCommits | undefined },
): Promise<RepositoryReconciliation> {
  const repository = side.repositoryOf(id);
  return {
    repository: path,
    merges: host ? await hostComparison(side, { id, path }, host) : null,
    commits: clone ? compareCommits(repository, clone, side) : null,
  };
}

async function hostComparison(
  { from, until, repositoryOf }: BundleSide,
  { id, path }: ReconciledRepository,
  { kind, name, read, onPage }: ReconciliationHost,
): Promise<MergeComparison> {
  const found = await readHostMerges(kind, path, {
    read,
    since: from,
    onPage: (merges) => onPage?.(path, merges),
  });
  return compareMerges(
    repositoryOf(id),
    { ...found, name },
    { from, until, mergeTimeOf: (number) => readMergeTime(kind, path, { read, number }) },
  );
}
