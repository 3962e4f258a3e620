import type { RunHead } from './log.ts';
import { at, type Json, listOf, numberOf, objectOf, textOf } from './shapes.ts';

export interface Place {
  path: string | null;
  line: number | null;
  endLine: number | null;
  snippet: string | null;
}

const nowhere: Place = { path: null, line: null, endLine: null, snippet: null };

/** Where a location is, with its path from the root of the repository. */
export function placeIn(head: RunHead, location: unknown): Place {
  const physical = objectOf(at(location, 'physicalLocation'));
  const path = pathOf(head, objectOf(physical.artifactLocation));
  if (path === null) return nowhere;
  const region = objectOf(physical.region);
  const line = numberOf(region.startLine) ?? null;
  const end = numberOf(region.endLine) ?? line;
  return {
    path,
    line,
    endLine: line === null || end === null || end < line ? line : end,
    snippet: snippetOf(region) ?? snippetOf(objectOf(physical.contextRegion)) ?? null,
  };
}

const snippetOf = (region: Json) => textOf(at(region, 'snippet', 'text'), 4000);

/** The way through the code that a result tells of first, from its source to its sink. */
export function flowOf(
  head: RunHead,
  result: Json,
): { filePath: string; line: number; endLine: number | null; message: string }[] {
  const steps = listOf(at(result, 'codeFlows', 0, 'threadFlows', 0, 'locations'));
  return steps.slice(0, 100).flatMap((step) => {
    const location = at(step, 'location');
    const { path, line, endLine } = placeIn(head, location);
    if (path === null || line === null) return [];
    return [{ filePath: path, line, endLine, message: textOf(at(location, 'message', 'text'), 1000) ?? '' }];
  });
}

function pathOf(head: RunHead, artifact: Json): string | null {
  const index = numberOf(artifact.index, 0);
  const kept = index === undefined ? undefined : head.artifacts[index];
  const located = textOf(artifact.uri, 4000) === undefined && kept ? kept : artifact;
  const uri = textOf(located.uri, 4000)?.trim();
  // Scorecard says so where a finding is about the repository as a whole.
  if (uri === undefined || /^no file associated with this alert/i.test(uri)) return null;
  return relative(`${baseOf(head, located.uriBaseId)}${uri}`);
}

/** What stands between the root of the repository and a base; absolute bases are that root. */
function baseOf({ bases }: RunHead, id: unknown, depth = 0): string {
  if (typeof id !== 'string' || depth > 10 || !Object.hasOwn(bases, id)) return '';
  const uri = textOf(at(bases, id, 'uri'), 2000)?.trim() ?? '';
  if (isAbsolute(uri)) return '';
  const own = uri === '' || uri.endsWith('/') ? uri : `${uri}/`;
  return `${baseOf({ bases } as RunHead, at(bases, id, 'uriBaseId'), depth + 1)}${own}`;
}

const isAbsolute = (uri: string) => /^([a-z][a-z0-9+.-]+:|[/\\])/i.test(uri);

// Where the well-known build services check repositories out.
const workspaces =
  /^(github\/workspace|home\/runner\/work\/[^/]+\/[^/]+|__w\/[^/]+\/[^/]+|builds\/[^/]+\/[^/]+|opt\/atlassian\/pipelines\/agent\/build|home\/circleci\/(project|repo)|(var\/)?(lib\/)?jenkins(_home)?\/workspace\/[^/]+|azp\/agent\/_work\/\d+\/s|tmp\/scan|code-under-test)\//i;

/** A path from the root of the repository: no scheme, no escapes, no dots, forward slashes. Other addresses stay. */
function relative(uri: string): string | null {
  if (/^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(uri)) return textOf(uri, 1000) ?? null;
  const plain = unescaped(uri.replace(/^file:(\/\/(?=[^/])[^/]*)?/i, '').replaceAll('\\', '/'));
  const steps: string[] = [];
  for (const step of plain.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return textOf(steps.join('/').replace(workspaces, ''), 1000) ?? null;
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
