import { KEY_SEGMENTS, pathKeyOf } from '#core/path-keys.ts';
import type { TouchMapping } from './vendor.ts';

/**
 * A commit that a session made, by its SHA or the start of it, a hash of the end of the path of a file that it edited, or
 * the URL of a build that it was attached to.
 */
export interface SessionTouch {
  kind: 'commit' | 'file' | 'build';
  value: string;
}

const maxJson = 200_000;

/** The commits and edited files of a record. Nothing else of the JSON in these attributes is kept. */
export function touchesOf(
  { commits, files }: TouchMapping,
  textOf: (attribute: string) => string | undefined,
  isEdit: boolean,
): SessionTouch[] {
  const commit = commits && propertyOf(textOf(commits[0]), commits[1])?.toLowerCase();
  const path = isEdit && files ? propertyOf(textOf(files[0]), files[1]) : undefined;
  return [
    ...(commit !== undefined && /^[0-9a-f]{7,64}$/.test(commit) ? [{ kind: 'commit' as const, value: commit }] : []),
    ...(path === undefined ? [] : pathEnds(path).map((end) => ({ kind: 'file' as const, value: pathKeyOf(end) }))),
  ];
}

function propertyOf(json: string | undefined, property: string): string | undefined {
  if (json === undefined || json.length > maxJson) return undefined;
  try {
    const value = (JSON.parse(json) as Record<string, unknown> | null)?.[property];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `a/b.ts` and `b.ts` for `/a/b.ts`: the telemetry does not tell where the repository begins. */
function pathEnds(path: string): string[] {
  const segments = path.split(/[\\/]/).filter((segment) => segment !== '');
  return segments.slice(-KEY_SEGMENTS).map((_, index, last) => last.slice(index).join('/'));
}
