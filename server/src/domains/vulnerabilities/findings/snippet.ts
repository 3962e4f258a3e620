import { isUtf8 } from 'node:buffer';
import { providerNames } from '@sightline/contract/core/providers.ts';
import type { getFindingSnippet } from '@sightline/contract/vulnerabilities/findings.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { Refusal, UpstreamFailed } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { type CodeHost, HostLimited, HostRefused } from '#providers/code-host.ts';
import type { HostRef } from '../../../providers/host-facts.ts';
import { cutOut, linesAt, masked } from './snippet-lines.ts';
import { type CodePlace, findCodePlace } from './snippet-place.ts';

type SnippetAnswer = z.output<typeof getFindingSnippet.response>;

/**
 * The lines around a finding, as the code host has them at the commit that was scanned, or at the tip of its branch where
 * no commit is known. Throws 404 for a finding the reader does not see, and where there is no such text to show; 502 where
 * the host does not answer.
 */
export function createSnippets(services: Services): (actor: Actor, findingId: string) => Promise<SnippetAnswer> {
  const read = remembering(services);
  return async (actor, findingId) => {
    const place = await services.database.withOrg(actor.orgId, (tx) => findCodePlace(tx, actor, findingId));
    const { path, category, secretLines } = place;
    if (path === null) throw missing('This vulnerability has no file.');
    const { commit, text } = await read(actor.orgId, { ...place, path });
    const { line, endLine } = place.line === null && place.offset ? linesAt(text, place.offset) : place;
    const snippet = cutOut(linesOf(text), { ...place, line, endLine });
    const marked = line === null ? null : { from: line, to: endLine ?? line };
    return { filePath: path, commit, ...masked(snippet, secretLines, category === 'secret'), marked };
  };
}

interface SnippetFile {
  commit: string;
  text: string;
}

type Located = CodePlace & { path: string };

const freshFor = 60_000;
const mostKept = 50;

/** Files read a moment ago: a person who walks through findings meets the same ones again. */
function remembering(services: Services): (orgId: string, place: Located) => Promise<SnippetFile> {
  const known = new Map<string, { at: number; file: Promise<SnippetFile> }>();
  return (orgId, place) => {
    const key = JSON.stringify([orgId, place.repositoryId, place.commit ?? place.ref, place.path]);
    const found = known.get(key);
    if (found && Date.now() - found.at < freshFor) return found.file;
    const file = readFile(services, orgId, place);
    known.delete(key);
    known.set(key, { at: Date.now(), file });
    for (const oldest of known.keys()) {
      if (known.size <= mostKept) break;
      known.delete(oldest);
    }
    file.catch(() => known.delete(key));
    return file;
  };
}

async function readFile({ codeHosts }: Services, orgId: string, place: Located): Promise<SnippetFile> {
  const { provider, isShown, host, path, ref } = place;
  const codeHost = isShown ? await codeHosts.maybe(orgId, provider, host.installationId) : undefined;
  if (!codeHost) throw UpstreamFailed('The code host of this repository is no longer connected.');
  try {
    const commit = place.commit ?? (await tipOf(codeHost, host, ref));
    const bytes = await codeHost.readFile(host, commit, path);
    if (bytes.includes(0) || !isUtf8(bytes)) throw missing(`${path} is not a text file.`);
    return { commit, text: bytes.toString() };
  } catch (error) {
    throw refusalOf(error, place);
  }
}

const tipOf = async (codeHost: CodeHost, host: HostRef, ref: string): Promise<string> =>
  (await codeHost.getCommit(host, ref.replace(/^refs\/(heads|tags)\//, ''))).sha;

const linesOf = (text: string): string[] => text.replace(/\r?\n$/, '').split(/\r?\n/);

const missing = (message: string) => new Refusal('not_found', message);

function refusalOf(error: unknown, { path, commit, provider }: Located): unknown {
  const host = providerNames[provider];
  if (error instanceof Refusal) return error;
  if (error instanceof HostLimited) {
    return UpstreamFailed(`The hourly request limit for ${host} is reached. Try again later.`);
  }
  if (error instanceof HostRefused) {
    if (error.status === 413) return missing(`${path} is too large to display.`);
    if (error.status === 404 || error.status === 422 || error.status === 409) {
      return missing(`${host} has no ${path}${commit === null ? '' : ` at ${commit.slice(0, 7)}`} any more.`);
    }
    return UpstreamFailed(`${host} denies access to this file.`, error.message);
  }
  return UpstreamFailed(`${host} is not available. Try again in a moment.`);
}
