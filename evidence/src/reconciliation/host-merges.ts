/** The code hosts whose merges can be read. */
export const reconciledHosts = ['github', 'gitlab', 'bitbucket'] as const;
export type ReconciledHost = (typeof reconciledHosts)[number];

/** A merged pull request as its code host lists it. */
export interface HostMerge {
  readonly number: number;
  readonly title: string;
  /** The branch that it was merged into. */
  readonly branch: string;
  /** ISO 8601; null if the code host does not report it. */
  readonly mergedAt: string | null;
  /** Its merge commit and what stands for it, as the code host names them: possibly abbreviated. */
  readonly commits: readonly string[];
}

/** A repository as its code host describes it, with the pull requests that were merged since a time. */
export interface HostRepositoryMerges {
  /** The ID that the code host gave the repository. */
  readonly id: string;
  readonly defaultBranch: string;
  readonly merges: readonly HostMerge[];
}

/** Reads a path of the API of a code host, with a GET request, and returns the parsed JSON. */
export type ReadHostPath = (path: string) => Promise<unknown>;

type Json = Readonly<Record<string, unknown>>;

interface ListedMerge extends HostMerge {
  updatedAt: string;
}

interface HostFormat {
  repositoryPath: (repository: string) => string;
  /** A page of pull requests, latest update first. */
  listPath: (repository: string, page: number) => string;
  repositoryFrom: (json: Json) => Omit<HostRepositoryMerges, 'merges'>;
  /** The items of a page, and whether another one may follow. */
  pageFrom: (json: unknown) => { items: readonly unknown[]; isLast: boolean };
  /** Undefined for a pull request that was not merged. */
  mergeFrom: (json: Json) => ListedMerge | undefined;
}

const encodedPath = (repository: string): string => repository.split('/').map(encodeURIComponent).join('/');

const github: HostFormat = {
  repositoryPath: (repository) => `/repos/${encodedPath(repository)}`,
  listPath: (repository, page) =>
    `/repos/${encodedPath(repository)}/pulls?state=closed&sort=updated&direction=desc&per_page=100&page=${page}`,
  repositoryFrom: ({ id, default_branch: branch }) => ({ id: idOf(id), defaultBranch: textOf(branch) }),
  pageFrom: pageOfList,
  mergeFrom: (json) =>
    json.merged_at === null
      ? undefined
      : {
          number: numberOf(json.number),
          title: textOf(json.title),
          branch: textOf(recordOf(json.base).ref),
          mergedAt: timeOf(json.merged_at),
          commits: commitsOf(json.merge_commit_sha),
          updatedAt: timeOf(json.updated_at),
        },
};

const gitlab: HostFormat = {
  repositoryPath: (repository) => `/projects/${encodeURIComponent(repository)}`,
  listPath: (repository, page) =>
    `/projects/${encodeURIComponent(repository)}/merge_requests?state=merged&scope=all&order_by=updated_at&sort=desc&per_page=100&page=${page}`,
  repositoryFrom: ({ id, default_branch: branch }) => ({ id: idOf(id), defaultBranch: textOf(branch) }),
  pageFrom: pageOfList,
  mergeFrom: (json) => ({
    number: numberOf(json.iid),
    title: textOf(json.title),
    branch: textOf(json.target_branch),
    mergedAt: json.merged_at == null ? null : timeOf(json.merged_at),
    commits: commitsOf(json.merge_commit_sha, json.squash_commit_sha, json.sha),
    updatedAt: timeOf(json.updated_at),
  }),
};

const bitbucket: HostFormat = {
  repositoryPath: (repository) => `/repositories/${encodedPath(repository)}`,
  listPath: (repository, page) =>
    `/repositories/${encodedPath(repository)}/pullrequests?state=MERGED&sort=-updated_on&pagelen=50&page=${page}`,
  repositoryFrom: ({ uuid, mainbranch }) => ({ id: idOf(uuid), defaultBranch: textOf(recordOf(mainbranch).name) }),
  pageFrom: (json) => {
    const { values, next } = recordOf(json);
    return { items: listOf(values), isLast: next === undefined };
  },
  mergeFrom: (json) => ({
    number: numberOf(json.id),
    title: textOf(json.title),
    branch: textOf(recordOf(recordOf(json.destination).branch).name),
    // The list does not contain it.
    mergedAt: null,
    commits: json.merge_commit == null ? [] : commitsOf(recordOf(json.merge_commit).hash),
    updatedAt: timeOf(json.updated_on),
  }),
};

const formats: Readonly<Record<ReconciledHost, HostFormat>> = { github, gitlab, bitbucket };

/** A code host may note an update a moment before the merge that caused it. */
const MARGIN_MS = 86_400_000;
const MAX_PAGES = 5000;

/**
 * Reads the pull requests of a repository that were merged since a time, also those that change while they are read.
 * `onPage` is called with the number of pull requests that were read so far. Throws for an unknown format.
 */
export async function readHostMerges(
  host: ReconciledHost,
  repository: string,
  { read, since, onPage }: { read: ReadHostPath; since: string; onPage?: ((found: number) => void) | undefined },
): Promise<HostRepositoryMerges> {
  const format = formats[host];
  const about = format.repositoryFrom(recordOf(await read(format.repositoryPath(repository))));
  const earliest = new Date(Date.parse(since) - MARGIN_MS).toISOString();
  const merges = new Map<number, HostMerge>();
  // An update moves a pull request to the first page, so that it can be missed on the others: everything that was
  // updated since the beginning of a round is read again.
  for (let newest = earliest; ; ) {
    const found = await readUpdatedSince(format, repository, { read, since: newest, into: merges, onPage });
    if (found <= newest) return { ...about, merges: [...merges.values()] };
    newest = found;
  }
}

/** Reads all pages that contain pull requests updated since a time. Returns the time of the latest update. */
async function readUpdatedSince(
  { listPath, pageFrom, mergeFrom }: HostFormat,
  repository: string,
  {
    read,
    since,
    into,
    onPage,
  }: {
    read: ReadHostPath;
    since: string;
    into: Map<number, HostMerge>;
    onPage: ((found: number) => void) | undefined;
  },
): Promise<string> {
  let newest = '';
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { items, isLast } = pageFrom(await read(listPath(repository, page)));
    let oldest = '\uffff';
    for (const item of items) {
      const json = recordOf(item);
      const updatedAt = timeOf(json.updated_at ?? json.updated_on);
      if (updatedAt > newest) newest = updatedAt;
      if (updatedAt < oldest) oldest = updatedAt;
      const merge = mergeFrom(json);
      if (merge && updatedAt >= since) into.set(merge.number, merge);
    }
    onPage?.(into.size);
    if (isLast || oldest < since) return newest;
  }
  throw new Error('The code host lists more pull requests than can be compared');
}

/**
 * Returns when a pull request was merged according to its activity, for code hosts whose lists do not contain it; null
 * if the latest activity does not either.
 */
export async function readMergeTime(
  host: ReconciledHost,
  repository: string,
  { read, number }: { read: ReadHostPath; number: number },
): Promise<string | null> {
  if (host !== 'bitbucket') return null;
  const path = `${bitbucket.repositoryPath(repository)}/pullrequests/${number}/activity?pagelen=50`;
  for (const item of listOf(recordOf(await read(path)).values)) {
    const { update } = recordOf(item);
    if (update != null && recordOf(update).state === 'MERGED') return timeOf(recordOf(update).date);
  }
  return null;
}

/** A page of a list without a wrapper ends the list if it is empty. */
function pageOfList(json: unknown) {
  const items = listOf(json);
  return { items, isLast: items.length === 0 };
}

const unknownFormat = () => new Error('The code host answered in an unknown format');

function recordOf(value: unknown): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw unknownFormat();
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw unknownFormat();
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw unknownFormat();
}

function numberOf(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw unknownFormat();
}

const idOf = (value: unknown): string => (typeof value === 'number' ? String(numberOf(value)) : textOf(value));

function timeOf(value: unknown): string {
  const time = Date.parse(textOf(value));
  if (Number.isNaN(time)) throw unknownFormat();
  return new Date(time).toISOString();
}

const commitsOf = (...values: readonly unknown[]): string[] =>
  values.flatMap((value) => (typeof value === 'string' && value !== '' ? [value] : []));
