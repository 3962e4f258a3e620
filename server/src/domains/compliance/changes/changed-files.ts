import type { Fact } from '@sightline/evidence/controls/facts.ts';
import { configurationFileOf } from '#core/agent-configuration/files.ts';
import { MAX_CONFIGURATION_BYTES, readConfiguration } from '#core/agent-configuration/read.ts';
import { type CodeHost, HostLimited } from '#providers/code-host.ts';
import type { HostChangedFile, HostList } from '#providers/host-evidence.ts';
import type { HostChanges, HostCommit, HostRef } from '../../../providers/host-facts.ts';
import { isRepositoryPath } from './attribution/attribution-claim.ts';
import { answerOf, complete, type HostAnswer, missing, partial, partOf } from './host-answer.ts';
import type { SourcedParts } from './merges.ts';

/** The files of a change, with the MCP servers that its agent configuration names. */
export interface ChangedFiles {
  files: HostAnswer<HostList<HostChangedFile>>;
  servers: Fact<readonly string[]>;
}

/** Maximum number of paths in a record, and of configuration files that are read for one. */
const MAX_PATHS = 300;
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

type FileParts = Pick<SourcedParts, 'changedFiles' | 'changedLines' | 'configuredServers'>;

/** The parts about the files of a change. Its lines are null if unknown. */
export function filePartsOf(
  { files, servers }: ChangedFiles,
  { additions, deletions }: Pick<HostChanges, 'additions' | 'deletions'>,
): FileParts {
  const list = answerOf(files);
  const lines = additions === null || deletions === null ? null : additions + deletions;
  return {
    changedFiles: partOf(files, list ? pathsOf(list) : missing),
    changedLines: partOf(files, lines === null ? missing : complete(lines)),
    configuredServers: partOf(files, servers, 'deleted'),
  };
}

function pathsOf({ items, isWhole }: HostList<HostChangedFile>): Fact<readonly string[]> {
  const all = items.flatMap(({ path, previousPath }) => (previousPath === null ? [path] : [path, previousPath]));
  const valid = [...new Set(all)].filter(isRepositoryPath).toSorted();
  const isKnown = isWhole && valid.length === new Set(all).size && valid.length <= MAX_PATHS;
  return isKnown ? complete(valid) : partial(valid.slice(0, MAX_PATHS));
}

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
