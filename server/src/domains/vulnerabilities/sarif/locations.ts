import type { CodeLocation, FlowStep, LocationRegion, ResultEvidence, SuggestedFix } from '#providers/scanner.ts';
import type { RunHead } from './log.ts';
import { relativeToRoot, resolvePath } from './roots.ts';
import { columnInteger, type JsonRecord, listOrEmpty, objectOrEmpty, storableText, valueAt } from './shapes.ts';

export interface ResultLocation extends LocationRegion {
  path: string | null;
  line: number | null;
  endLine: number | null;
  snippet: string | null;
}

const noRegion: LocationRegion = { column: null, endColumn: null, offset: null };
const noLocation: ResultLocation = { path: null, line: null, endLine: null, snippet: null, ...noRegion };

/** Returns the location of a result: the first one with a file, or else the scanned file. */
export function locationOfResult(head: RunHead, result: JsonRecord): ResultLocation {
  for (const location of listOrEmpty(result.locations).slice(0, 100)) {
    const found = locationIn(head, location);
    if (found.path !== null) return found;
  }
  return locationIn(head, { physicalLocation: { artifactLocation: result.analysisTarget } });
}

/** Parses a location, with its path relative to the repository root. */
function locationIn(head: RunHead, location: unknown): ResultLocation {
  const physical = objectOrEmpty(valueAt(location, 'physicalLocation'));
  const path = pathOf(head, objectOrEmpty(physical.artifactLocation));
  if (path === null) return noLocation;
  const region = objectOrEmpty(physical.region);
  const line = columnInteger(region.startLine) ?? null;
  const end = columnInteger(region.endLine) ?? line;
  return {
    path,
    line,
    endLine: line === null || end === null || end < line ? line : end,
    ...regionOf(region, line),
    snippet: snippetOf(region) ?? snippetOf(objectOrEmpty(physical.contextRegion)) ?? null,
  };
}

const snippetOf = (region: JsonRecord) => storableText(valueAt(region, 'snippet', 'text'), 4000);

function regionOf(region: JsonRecord, line: number | null): LocationRegion {
  if (line !== null) {
    return {
      column: columnInteger(region.startColumn) ?? null,
      endColumn: columnInteger(region.endColumn) ?? null,
      offset: null,
    };
  }
  for (const [unit, prefix] of [
    ['characters', 'char'],
    ['bytes', 'byte'],
  ] as const) {
    const from = columnInteger(region[`${prefix}Offset`], 0);
    if (from === undefined) continue;
    return { ...noRegion, offset: { unit, from, length: columnInteger(region[`${prefix}Length`], 0) ?? null } };
  }
  return noRegion;
}

/** Returns the code flows of a result, each from source to sink. */
export const codeFlowsOf = (head: RunHead, result: JsonRecord): FlowStep[][] =>
  listOrEmpty(result.codeFlows)
    .slice(0, 50)
    .flatMap((flow) => listOrEmpty(valueAt(flow, 'threadFlows')))
    .slice(0, 50)
    .map((thread) => stepsOf(head, listOrEmpty(valueAt(thread, 'locations'))))
    .filter((steps) => steps.length > 0);

const stepsOf = (head: RunHead, steps: readonly unknown[]): FlowStep[] =>
  steps.slice(0, 100).flatMap((step) => {
    const location = valueAt(step, 'location');
    const { path, line, endLine, offset } = locationIn(head, location);
    if (path === null || (line === null && offset === null)) return [];
    const message = storableText(valueAt(location, 'message', 'text'), 1000) ?? '';
    return [{ filePath: path, line, endLine, message, ...(offset && { offset }) }];
  });

/** Returns the further evidence of a result. */
export function resultEvidenceOf(
  head: RunHead,
  result: JsonRecord,
  { path, line, ...region }: ResultLocation,
): Omit<ResultEvidence, 'otherFlows'> {
  const { column, endColumn, offset } = region;
  const all = locationsOf(head, result.locations);
  const first = all.findIndex((one) => one.filePath === path && one.line === line && one.offset?.from === offset?.from);
  const hasRegion = column !== null || endColumn !== null || offset !== null;
  return {
    region: hasRegion ? { column, endColumn, offset } : null,
    locations: all.filter((_, index) => index !== first),
    relatedLocations: locationsOf(head, result.relatedLocations),
    fixes: listOrEmpty(result.fixes)
      .slice(0, 20)
      .flatMap((fix) => fixOf(head, fix) ?? []),
  };
}

const locationsOf = (head: RunHead, locations: unknown): CodeLocation[] =>
  listOrEmpty(locations)
    .slice(0, 100)
    .flatMap((location) => {
      const { path, snippet: _, ...position } = locationIn(head, location);
      if (path === null) return [];
      return [{ filePath: path, ...position, message: storableText(valueAt(location, 'message', 'text'), 1000) ?? '' }];
    });

function fixOf(head: RunHead, fix: unknown): SuggestedFix | undefined {
  const changes = listOrEmpty(valueAt(fix, 'artifactChanges')).flatMap((change) =>
    listOrEmpty(valueAt(change, 'replacements'))
      .slice(0, 50)
      .flatMap((replacement) => {
        const physicalLocation = {
          artifactLocation: valueAt(change, 'artifactLocation'),
          region: valueAt(replacement, 'deletedRegion'),
        };
        const { path, snippet: _, ...position } = locationIn(head, { physicalLocation });
        if (path === null) return [];
        return [
          {
            filePath: path,
            ...position,
            inserted: storableText(valueAt(replacement, 'insertedContent', 'text'), 4000) ?? '',
          },
        ];
      }),
  );
  const description =
    storableText(valueAt(fix, 'description', 'text'), 2000) ??
    storableText(valueAt(fix, 'description', 'markdown'), 2000) ??
    '';
  return changes.length === 0 && description === '' ? undefined : { description, changes };
}

// Checkout folders of well-known CI services.
const workspaces =
  /^(github\/workspace|(?:home|users)\/runner\/work\/[^/]+\/[^/]+|[a-z]:\/a\/[^/]+\/[^/]+|__w\/[^/]+\/[^/]+|builds\/[^/]+\/[^/]+|opt\/atlassian\/pipelines\/agent\/build|home\/circleci\/(project|repo)|(var\/)?(lib\/)?jenkins(_home)?\/workspace\/[^/]+|azp\/agent\/_work\/\d+\/s|home\/vsts\/work\/\d+\/s|tmp\/scan|code-under-test)\//i;

/**
 * Returns the path of an artifact with forward slashes, without escapes and dot segments. URLs other than file URLs
 * stay unchanged.
 */
function pathOf(head: RunHead, artifact: JsonRecord): string | null {
  const index = columnInteger(artifact.index, 0);
  const listed = index === undefined ? undefined : head.artifacts[index];
  const located = storableText(artifact.uri, 4000) === undefined && listed ? listed : artifact;
  const uri = storableText(located.uri, 4000)?.trim();
  // Scorecard reports this for findings about the entire repository.
  if (uri === undefined || /^no file associated with this alert/i.test(uri)) return null;
  if (isAddress(uri)) return storableText(uri, 1000) ?? null;
  const { steps, absolute } = resolvePath(head, uri, located.uriBaseId);
  const path = (absolute ? relativeToRoot(head, steps) : steps).join('/');
  return storableText(path.replace(workspaces, ''), 1000) ?? null;
}

const isAddress = (uri: string) => /^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(uri);
