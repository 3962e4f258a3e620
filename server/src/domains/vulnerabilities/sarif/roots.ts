import type { RunHead } from './log.ts';
import { storableText, valueAt } from './shapes.ts';

/** The segments of a path; absolute paths begin at the root of the scanned machine. */
interface PathSteps {
  steps: readonly string[];
  absolute: boolean;
}

/** Resolves a reference by its base locations. */
export function resolvePath(head: RunHead, uri: string, base: unknown, depth = 0): PathSteps {
  if (isAbsolute(uri)) return { steps: stepsOf(uri), absolute: true };
  const isKnown = typeof base === 'string' && depth <= 10 && Object.hasOwn(head.bases, base);
  if (!isKnown) return { steps: stepsOf(uri), absolute: false };
  const own = storableText(valueAt(head.bases, base, 'uri'), 2000)?.trim() ?? '';
  // A URL instead of a folder is the URL of the repository.
  if (isAddress(own)) return { steps: stepsOf(uri), absolute: false };
  const parent = resolvePath(head, own, valueAt(head.bases, base, 'uriBaseId'), depth + 1);
  return { ...parent, steps: stepsOf(uri, parent.steps) };
}

/** Returns an absolute path relative to the repository root, as far as the file identifies the root. */
export function relativeToRoot(head: RunHead, steps: readonly string[]): readonly string[] {
  const root = rootsOf(head).find((one) => isBelow(steps, one));
  return root ? steps.slice(root.length) : steps;
}

const isAddress = (uri: string) => /^(?!file:)[a-z][a-z0-9+.-]+:/i.test(uri);
const isAbsolute = (uri: string) => /^(file:|[a-z]:[/\\]|[/\\])/i.test(uri);

const rootCache = new WeakMap<RunHead, (readonly string[])[]>();

/**
 * Returns candidate folders of the repository root, most likely first: the declared one, then path bases from the
 * widest, then the working directory of the scanner.
 */
function rootsOf(head: RunHead): (readonly string[])[] {
  const found = rootCache.get(head);
  if (found) return found;
  const mapped = head.root === undefined ? [] : [resolvePath(head, '', head.root)];
  const bases = Object.keys(head.bases)
    .filter((name) => isAbsolute(storableText(valueAt(head.bases, name, 'uri'), 2000)?.trim() ?? ''))
    .map((name) => resolvePath(head, '', name))
    .sort((one, other) => one.steps.length - other.steps.length);
  const workingDirectories =
    head.workingDirectory === undefined ? [] : [resolvePath(head, head.workingDirectory, undefined)];
  // The root of a machine is not a repository root.
  const roots = [...mapped, ...bases, ...workingDirectories].filter(
    ({ steps, absolute }) => absolute && steps.length > 0,
  );
  rootCache.set(
    head,
    roots.map(({ steps }) => steps),
  );
  return roots.map(({ steps }) => steps);
}

function isBelow(steps: readonly string[], root: readonly string[]): boolean {
  if (steps.length <= root.length) return false;
  // Windows paths are case-insensitive.
  const plain = /^[a-z]:$/i.test(root[0] ?? '') ? (step: string) => step.toLowerCase() : (step: string) => step;
  return root.every((step, index) => plain(step) === plain(steps[index] ?? ''));
}

/** Returns the segments of a path, appended to `from`, without scheme, escapes and dot segments. */
function stepsOf(uri: string, from: readonly string[] = []): string[] {
  const plain = unescaped(uri.replace(/^file:(\/\/(?=[^/])[^/]*)?/i, '').replaceAll('\\', '/'));
  const steps = [...from];
  for (const step of plain.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps;
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
