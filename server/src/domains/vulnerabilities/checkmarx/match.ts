/** The fields of a project that may name its repository. */
export interface ProjectNames {
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
  by: 'url' | 'name';
}

/**
 * Creates a function that finds the repository of a project: by the scanned URL, else by a name of the form
 * `owner/name`. A name that repositories on two hosts share matches neither.
 */
export function createRepositoryMatcher(
  repositories: readonly RepositoryReference[],
): (project: ProjectNames) => RepositoryMatch | undefined {
  const byUrl = indexed(repositories, ({ url }) => normalizeRepositoryUrl(url));
  const byName = indexed(repositories, ({ fullName }) => fullName.toLowerCase());
  return ({ name, repoUrl, importedName }) => {
    const url = repoUrl === null ? undefined : byUrl.get(normalizeRepositoryUrl(repoUrl) ?? '');
    if (url) return { repositoryId: url.id, by: 'url' };
    // The URL of another repository takes precedence over a name.
    if (repoUrl !== null && normalizeRepositoryUrl(repoUrl) !== undefined) return undefined;
    for (const candidate of [importedName, name]) {
      const found = candidate?.includes('/') ? byName.get(candidate.toLowerCase()) : undefined;
      if (found) return { repositoryId: found.id, by: 'name' };
    }
    return undefined;
  };
}

function indexed(
  repositories: readonly RepositoryReference[],
  key: (one: RepositoryReference) => string | undefined,
): Map<string, RepositoryReference> {
  const index = new Map<string, RepositoryReference>();
  const duplicates = new Set<string>();
  for (const repository of repositories) {
    const at = key(repository);
    if (at === undefined) continue;
    if (index.has(at)) duplicates.add(at);
    index.set(at, repository);
  }
  for (const at of duplicates) index.delete(at);
  return index;
}

/** Normalizes the URL of a repository to host and path: https, ssh, with a user, with `.git`. */
export function normalizeRepositoryUrl(url: string): string | undefined {
  const scp = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(.+)$/.exec(url.trim());
  const full = scp ? `ssh://${scp[1]}/${scp[2]}` : url.trim();
  if (!URL.canParse(full)) return undefined;
  const { host, pathname } = new URL(full);
  const path = pathname.replace(/\/+$/, '').replace(/\.git$/i, '');
  return host === '' || path === '' ? undefined : `${host}${path}`.toLowerCase();
}
