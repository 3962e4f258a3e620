import type { PathMatch } from '@sightline/evidence/controls/change-rows.ts';
import type { Fact } from '@sightline/evidence/controls/facts.ts';
import { configurationFileOf } from '#core/agent-configuration/files.ts';
import { MAX_CONFIGURATION_BYTES, readConfiguration } from '#core/agent-configuration/read.ts';
import type { Tx } from '#database/database.ts';
import { type CodeHost, HostLimited } from '#providers/code-host.ts';
import type { HostChangedFile, HostList } from '#providers/host-evidence.ts';
import type { HostChanges, HostCommit, HostRef } from '../../../providers/host-facts.ts';
import { answerOf, complete, type HostAnswer, missing, partial, partOf, type SourcedPart } from './host-answer.ts';
import { type ChangedPaths, matchPaths } from './rows.ts';

/** The files of a change, with the MCP servers that its agent configuration names. */
export interface ChangedFiles {
  files: HostAnswer<HostList<HostChangedFile>>;
  servers: Fact<readonly string[]>;
}

/** Maximum number of paths that are compared, and of configuration files that are read, of one change. */
const MAX_PATHS = 1_000;
const MAX_CONFIGURATIONS = 20;

/** Reads the agent configuration among changed files, as of `commit`. Throws HostLimited. */
export async function readChangedConfiguration(
  host: CodeHost | undefined,
  ref: HostRef,
  commit: string,
  files: ChangedFiles['files'],
): Promise<ChangedFiles> {
  const list = answerOf(files);
  if (!list || !host) return { files, servers: missing };
  const found = list.items.filter(({ path, status }) => status !== 'removed' && configurationFileOf(path)?.servers);
  const sources = new Set<string>();
  let isWhole = list.isWhole && found.length <= MAX_CONFIGURATIONS;
  for (const { path } of found.slice(0, MAX_CONFIGURATIONS)) {
    const servers = await serversIn(host, ref, commit, path);
    for (const source of servers ?? []) sources.add(source);
    isWhole &&= servers !== undefined;
  }
  const value = [...sources].toSorted();
  return { files, servers: isWhole ? complete(value) : value.length > 0 ? partial(value) : missing };
}

/** The sources of the MCP servers of a file; undefined if it cannot be read. Throws HostLimited. */
async function serversIn(host: CodeHost, ref: HostRef, commit: string, path: string): Promise<string[] | undefined> {
  const format = configurationFileOf(path)?.servers;
  if (format === undefined) return [];
  try {
    const file = await host.readFile(ref, commit, path);
    if (file.byteLength > MAX_CONFIGURATION_BYTES) return undefined;
    const read = readConfiguration(format, file.toString('utf8'));
    return 'servers' in read ? read.servers.map(({ source }) => source) : undefined;
  } catch (error) {
    if (error instanceof HostLimited) throw error;
    return undefined;
  }
}

interface FileParts {
  pathMatches: SourcedPart<readonly PathMatch[]>;
  changedLines: SourcedPart<number>;
  configuredServers: SourcedPart<readonly string[]>;
}

/**
 * The parts about the files of a change: which of the patterns they match, instead of their names. Its lines are null
 * if unknown.
 */
export function filePartsOf(
  { files, servers }: ChangedFiles,
  { additions, deletions }: Pick<HostChanges, 'additions' | 'deletions'>,
  patterns: readonly string[],
): FileParts {
  const list = answerOf(files);
  const lines = additions === null || deletions === null ? null : additions + deletions;
  return {
    pathMatches: partOf(files, list ? matchPaths(patterns, pathsOf(list)) : missing),
    changedLines: partOf(files, lines === null ? missing : complete(lines)),
    configuredServers: partOf(files, servers, 'deleted'),
  };
}

function pathsOf({ items, isWhole }: HostList<HostChangedFile>): ChangedPaths {
  const all = items.flatMap(({ path, previousPath }) => (previousPath === null ? [path] : [path, previousPath]));
  const paths = [...new Set(all)].toSorted().slice(0, MAX_PATHS);
  return { paths, isWhole: isWhole && paths.length === new Set(all).size };
}

const MAX_PATTERNS = 500;

/** The patterns of protected files that any policy of a repository has or had, in order. */
export async function protectedPatternsOf(tx: Tx, orgId: string, repositoryId: string): Promise<string[]> {
  const rows = await tx.query<{ pattern: string }>({
    name: 'changes.protected-patterns',
    text: `select distinct pattern from control_setting s
             cross join lateral jsonb_array_elements_text(case jsonb_typeof(s.setting -> 'protectedPaths') when 'array' then s.setting -> 'protectedPaths' else '[]' end) as pattern
           where s.org_id = $1 and s.control_id = 'AI-01' and (s.repositories is null or $2 = any(s.repositories))
           order by pattern limit ${MAX_PATTERNS}`,
    values: [orgId, repositoryId],
  });
  return rows.map(({ pattern }) => pattern);
}

/**
 * Stores the paths of a change beside its record, for simulations of other patterns. Paths of an earlier reading remain
 * if the host no longer returns them.
 */
export async function saveChangedPaths(
  tx: Tx,
  orgId: string,
  changeId: string,
  { files }: Pick<ChangedFiles, 'files'>,
): Promise<void> {
  const list = answerOf(files);
  if (!list) return;
  const { paths, isWhole } = pathsOf(list);
  await tx.query({
    name: 'changes.save-paths',
    text: `insert into change_path (org_id, change_id, paths, is_whole) values ($1, $2, $3::text[], $4)
           on conflict (org_id, change_id) do update set paths = excluded.paths, is_whole = excluded.is_whole`,
    values: [orgId, changeId, paths.map(withoutNull), isWhole],
  });
}

// PostgreSQL stores no such character.
const withoutNull = (path: string): string => path.replaceAll('\0', '\ufffd');

/** The files and lines of the commits of a push. The former path of a renamed file is unknown. */
export function filesOfCommits(
  commits: HostAnswer<HostList<HostCommit>>,
): Pick<HostChanges, 'additions' | 'deletions'> & Pick<ChangedFiles, 'files'> {
  if (!('value' in commits)) return { files: commits, additions: null, deletions: null };
  const { items, isWhole } = commits.value;
  const changes = items.flatMap((commit) => commit.changes ?? []);
  const areAllRead = isWhole && changes.length === items.length;
  const files = changes.flatMap((one) => one.files);
  const sum = (name: 'additions' | 'deletions') =>
    changes.reduce<number | null>(
      (total, one) => (total === null || one[name] === null ? null : total + one[name]),
      areAllRead ? 0 : null,
    );
  return {
    files: {
      at: commits.at,
      value: {
        items: files.map(({ path, status }) => ({ path, previousPath: null, status })),
        isWhole: areAllRead && files.every(({ status }) => status !== 'renamed'),
      },
    },
    additions: sum('additions'),
    deletions: sum('deletions'),
  };
}
