/** The fields of a project that may name its repository. */
export interface ProjectReference {
  name: string;
  repoUrl: string | null;
  importedName: string | null;
}

export interface RepositoryReference {
  id: string;
  fullName: string;
  url: string;
}

export interface RepositoryMatch {
  repositoryId: string;
  matchedBy: 'url' | 'name';
}

/**
 * Creates a function that finds the repository of a project: by the scanned URL, or without one by a name of the form
 * `owner/name`. A name that repositories on two hosts share matches neither.
 */
export function createRepositoryMatcher(
  repositories: readonly RepositoryReference[],
): (project: ProjectReference) => RepositoryMatch | undefined {
  const byUrl = indexUnique(repositories, ({ url }) => normalizeRepositoryUrl(url));
  const byName = indexUnique(repositories, ({ fullName }) => fullName.toLowerCase());
  return ({ name, repoUrl, importedName }) => {
    const repositoryByUrl = repoUrl === null ? undefined : byUrl.get(normalizeRepositoryUrl(repoUrl) ?? '');
    if (repositoryByUrl) return { repositoryId: repositoryByUrl.id, matchedBy: 'url' };
    // A project with the URL of an unknown repository is not matched by its name.
    if (repoUrl !== null && normalizeRepositoryUrl(repoUrl) !== undefined) return undefined;
    for (const candidate of [importedName, name]) {
      const repositoryByName = candidate?.includes('/') ? byName.get(candidate.toLowerCase()) : undefined;
      if (repositoryByName) return { repositoryId: repositoryByName.id, matchedBy: 'name' };
    }
    return undefined;
  };
}

function indexUnique(
  repositories: readonly RepositoryReference[],
  keyOf: (one: RepositoryReference) => string | undefined,
): Map<string, RepositoryReference> {
  const index = new Map<string, RepositoryReference>();
  const duplicates = new Set<string>();
  for (const repository of repositories) {
    const key = keyOf(repository);
    if (key === undefined) continue;
    if (index.has(key)) duplicates.add(key);
    index.set(key, repository);
  }
  for (const key of duplicates) index.delete(key);
  return index;
}

/** Normalizes the URL of a repository to host and path: https, ssh, with a user, with `.git`. */
export function normalizeRepositoryUrl(url: string): string | undefined {
  const scp = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(.+)$/.exec(url.trim());
  const absoluteUrl = scp ? `ssh://${scp[1]}/${scp[2]}` : url.trim();
  if (!URL.canParse(absoluteUrl)) return undefined;
  const { host, pathname } = new URL(absoluteUrl);
  const path = pathname.replace(/\/+$/, '').replace(/\.git$/i, '');
  return host === '' || path === '' ? undefined : `${host}${path}`.toLowerCase();
}
