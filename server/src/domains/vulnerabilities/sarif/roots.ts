import type { RunHead } from './log.ts';
import { at, textOf } from './shapes.ts';

/** The parts of a path; absolute ones begin at the root of the machine that was scanned on. */
interface Way {
  steps: readonly string[];
  absolute: boolean;
}

/** Where a reference leads, by way of the bases it names. */
export function resolved(head: RunHead, uri: string, base: unknown, depth = 0): Way {
  if (isAbsolute(uri)) return { steps: stepsOf(uri), absolute: true };
  const isKnown = typeof base === 'string' && depth <= 10 && Object.hasOwn(head.bases, base);
  if (!isKnown) return { steps: stepsOf(uri), absolute: false };
  const own = textOf(at(head.bases, base, 'uri'), 2000)?.trim() ?? '';
  // An address instead of a folder is that of the repository.
  if (isAddress(own)) return { steps: stepsOf(uri), absolute: false };
  const above = resolved(head, own, at(head.bases, base, 'uriBaseId'), depth + 1);
  return { ...above, steps: stepsOf(uri, above.steps) };
}

/** What is left of an absolute path below the root of the repository, as far as the file tells where that was. */
export function withoutRoot(head: RunHead, steps: readonly string[]): readonly string[] {
  const root = rootsOf(head).find((one) => isBelow(steps, one));
  return root ? steps.slice(root.length) : steps;
}

const isAddress = (uri: string) => /^(?!file:)[a-z][a-z0-9+.-]+:/i.test(uri);
const isAbsolute = (uri: string) => /^(file:|[a-z]:[/\\]|[/\\])/i.test(uri);

const known = new WeakMap<RunHead, (readonly string[])[]>();

/**
 * Folders that may be the root of the repository, the likeliest first: the one that is said to be, then those that paths
 * begin at, the widest first, then the one that the scanner ran in.
 */
function rootsOf(head: RunHead): (readonly string[])[] {
  const found = known.get(head);
  if (found) return found;
  const mapped = head.root === undefined ? [] : [resolved(head, '', head.root)];
  const bases = Object.keys(head.bases)
    .filter((name) => isAbsolute(textOf(at(head.bases, name, 'uri'), 2000)?.trim() ?? ''))
    .map((name) => resolved(head, '', name))
    .sort((one, other) => one.steps.length - other.steps.length);
  const ran = head.workingDirectory === undefined ? [] : [resolved(head, head.workingDirectory, undefined)];
  // The root of a machine is that of no repository.
  const roots = [...mapped, ...bases, ...ran].filter(({ steps, absolute }) => absolute && steps.length > 0);
  known.set(
    head,
    roots.map(({ steps }) => steps),
  );
  return roots.map(({ steps }) => steps);
}

function isBelow(steps: readonly string[], root: readonly string[]): boolean {
  if (steps.length <= root.length) return false;
  // Windows tells no upper case from lower case.
  const plain = /^[a-z]:$/i.test(root[0] ?? '') ? (step: string) => step.toLowerCase() : (step: string) => step;
  return root.every((step, index) => plain(step) === plain(steps[index] ?? ''));
}

/** The parts of a path after those it begins from: no scheme, no escapes, no dots. */
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
