import { isUtf8 } from 'node:buffer';
import { providerNames } from '@sightline/contract/core/providers.ts';
import type { getFindingSnippet } from '@sightline/contract/vulnerabilities/findings.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { formatTime } from '#core/day.ts';
import { Refusal, UpstreamFailed } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { type CodeHost, HostLimited, HostRefused } from '#providers/code-host.ts';
import type { HostRef } from '../../../providers/host-facts.ts';
import { type FindingCodeLocation, findCodeLocation } from './code-location.ts';
import { linesOfOffset, maskSecrets, snippetAround } from './snippet-lines.ts';

type FindingSnippet = z.output<typeof getFindingSnippet.response>;

/**
 * Returns the lines around a finding from the code host: at the scanned commit, or at the tip of the branch if the
 * commit is unknown. Throws 404 for a finding outside the actor's scope and without text to show, 502 if the host is
 * unavailable.
 */
export function createSnippetReader(services: Services): (actor: Actor, findingId: string) => Promise<FindingSnippet> {
  const readCachedFile = createCachedReader(services);
  return async (actor, findingId) => {
    const location = await services.database.withOrg(actor.orgId, (tx) => findCodeLocation(tx, actor, findingId));
    const { path, category, secretLines } = location;
    if (path === null) throw notFound('This vulnerability has no file.');
    const { commit, text } = await readCachedFile(actor.orgId, { ...location, path });
    const { line, endLine } =
      location.line === null && location.offset ? linesOfOffset(text, location.offset) : location;
    const snippet = snippetAround(linesOf(text), { ...location, line, endLine });
    const highlightedLines = line === null ? null : { from: line, to: endLine ?? line };
    return { filePath: path, commit, ...maskSecrets(snippet, secretLines, category === 'secret'), highlightedLines };
  };
}

interface SnippetFile {
  commit: string;
  text: string;
}

type FileLocation = FindingCodeLocation & { path: string };

const FILE_CACHE_MS = 60_000;
const MAX_CACHED_FILES = 50;

/** Caches files for a minute, since users page through findings of the same file. */
function createCachedReader(services: Services): (orgId: string, location: FileLocation) => Promise<SnippetFile> {
  const cache = new Map<string, { at: number; file: Promise<SnippetFile> }>();
  return (orgId, location) => {
    const key = JSON.stringify([orgId, location.repositoryId, location.commit ?? location.ref, location.path]);
    const found = cache.get(key);
    if (found && Date.now() - found.at < FILE_CACHE_MS) return found.file;
    const file = fetchSnippetFile(services, orgId, location);
    cache.delete(key);
    cache.set(key, { at: Date.now(), file });
    for (const oldest of cache.keys()) {
      if (cache.size <= MAX_CACHED_FILES) break;
      cache.delete(oldest);
    }
    file.catch(() => cache.delete(key));
    return file;
  };
}

async function fetchSnippetFile({ codeHosts }: Services, orgId: string, location: FileLocation): Promise<SnippetFile> {
  const { provider, isAccessible, host, path, ref } = location;
  const codeHost = isAccessible ? await codeHosts.maybe(orgId, provider, host.installationId) : undefined;
  if (!codeHost) throw UpstreamFailed('Sightline no longer has access to this repository.');
  try {
    const commit = location.commit ?? (await tipOf(codeHost, host, ref));
    const bytes = await codeHost.readFile(host, commit, path);
    if (bytes.includes(0) || !isUtf8(bytes)) throw notFound(`${path} is not a text file.`);
    return { commit, text: bytes.toString() };
  } catch (error) {
    throw refusalOf(error, location);
  }
}

const tipOf = async (codeHost: CodeHost, host: HostRef, ref: string): Promise<string> =>
  (await codeHost.getCommit(host, ref.replace(/^refs\/(heads|tags)\//, ''))).sha;

const linesOf = (text: string): string[] => text.replace(/\r?\n$/, '').split(/\r?\n/);

const notFound = (message: string) => new Refusal('not_found', message);

function refusalOf(error: unknown, { path, commit, provider }: FileLocation): unknown {
  const host = providerNames[provider];
  if (error instanceof Refusal) return error;
  if (error instanceof HostLimited) {
    return UpstreamFailed(`${host} is rate limiting requests until ${formatTime(error.until)}.`);
  }
  if (error instanceof HostRefused) {
    if (error.status === 413) return notFound(`${path} is too large to display.`);
    if (error.status === 404 || error.status === 422 || error.status === 409) {
      return notFound(`${path} no longer exists on ${host}${commit === null ? '' : ` at ${commit.slice(0, 7)}`}.`);
    }
    return UpstreamFailed(`${host} denies access to this file.`, error.message);
  }
  return UpstreamFailed(`${host} is not available. Try again in a moment.`);
}
