import type { RunHead } from './log.ts';
import { resolved, withoutRoot } from './roots.ts';
import { at, type Json, listOf, numberOf, objectOf, textOf } from './shapes.ts';

export interface Place {
  path: string | null;
  line: number | null;
  endLine: number | null;
  snippet: string | null;
}

const nowhere: Place = { path: null, line: null, endLine: null, snippet: null };

/** Where a result is: at the first of its locations that is a file, or else in the file that was scanned. */
export function placeOfResult(head: RunHead, result: Json): Place {
  for (const location of listOf(result.locations).slice(0, 100)) {
    const place = placeIn(head, location);
    if (place.path !== null) return place;
  }
  return placeIn(head, { physicalLocation: { artifactLocation: result.analysisTarget } });
}

/** Where a location is, with its path from the root of the repository. */
function placeIn(head: RunHead, location: unknown): Place {
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

// Where the well-known build services check repositories out.
const workspaces =
  /^(github\/workspace|(?:home|users)\/runner\/work\/[^/]+\/[^/]+|[a-z]:\/a\/[^/]+\/[^/]+|__w\/[^/]+\/[^/]+|builds\/[^/]+\/[^/]+|opt\/atlassian\/pipelines\/agent\/build|home\/circleci\/(project|repo)|(var\/)?(lib\/)?jenkins(_home)?\/workspace\/[^/]+|azp\/agent\/_work\/\d+\/s|home\/vsts\/work\/\d+\/s|tmp\/scan|code-under-test)\//i;

/** With forward slashes and without escapes or dots. Addresses that are no files stay. */
function pathOf(head: RunHead, artifact: Json): string | null {
  const index = numberOf(artifact.index, 0);
  const kept = index === undefined ? undefined : head.artifacts[index];
  const located = textOf(artifact.uri, 4000) === undefined && kept ? kept : artifact;
  const uri = textOf(located.uri, 4000)?.trim();
  // Scorecard says so where a finding is about the repository as a whole.
  if (uri === undefined || /^no file associated with this alert/i.test(uri)) return null;
  if (isAddress(uri)) return textOf(uri, 1000) ?? null;
  const { steps, absolute } = resolved(head, uri, located.uriBaseId);
  const path = (absolute ? withoutRoot(head, steps) : steps).join('/');
  return textOf(path.replace(workspaces, ''), 1000) ?? null;
}

const isAddress = (uri: string) => /^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(uri);
