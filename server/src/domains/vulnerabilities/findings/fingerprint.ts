import { idOf } from '#core/ids.ts';
import type { Analysis, Result } from '#providers/scanner.ts';

/** What a result is recognized by when it comes again. */
export interface Keys {
  /** Scanner, rule, path and content: the same weakness at the same place, also where lines above it came or went. */
  key: string;
  /** The same without the path, to find it in a file that was renamed; null where the content does not stand alone. */
  movedKey: string | null;
  /** The same without the content, to find it nearby. */
  nearKey: string;
}

type Recognized = Pick<
  Result,
  'ruleId' | 'path' | 'line' | 'snippet' | 'content' | 'category' | 'package' | 'evidence'
>;

/** The version of the scanner is no part of it, nor is its severity or its words: a new release tells of the same. */
export function keysOf(
  { source, tool }: Pick<Analysis, 'source' | 'tool'>,
  result: Recognized,
  path = normalPath(result.path),
): Keys {
  const { content, real } = contentOf(result);
  // An alert of a code host keeps its number wherever the code goes.
  const place = content.startsWith('given') && alerts.has(source) ? '' : path;
  return {
    key: idOf(tool.key, result.ruleId, place, content),
    movedKey: real ? idOf(tool.key, result.ruleId, content) : null,
    nearKey: idOf(tool.key, result.ruleId, path),
  };
}

const alerts: ReadonlySet<string> = new Set(['code_scanning', 'dependabot', 'secret_scanning']);

/** The fingerprint of the n-th of several results that are equal but for their line, counted from 1. */
export const occurrenceKey = (key: string, occurrence: number): string =>
  occurrence === 1 ? key : idOf(key, occurrence);

/** What a later scan has to share with an earlier one to replace it. */
export const analysisKey = ({ repositoryId, source, tool, category, ref }: Analysis): string =>
  idOf('analysis', repositoryId, source, tool.key, category, ref);

/** A path as it is compared: with `/`, relative to the root of the repository, in one Unicode form. */
export const normalPath = (path: string | null): string =>
  (path ?? '')
    .replaceAll('\\', '/')
    .normalize('NFC')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');

function contentOf(result: Recognized): { content: string; real: boolean } {
  if (result.content !== null && result.content !== '') return { content: `given ${result.content}`, real: true };
  // Versions come and go; the weakness is that of the dependency.
  if (result.package) return { content: `package ${result.package.name.toLowerCase()}`, real: true };
  // What is left of a secret once it is masked is the same for all of them.
  const code = result.category === 'secret' ? '' : plainCode(result.snippet ?? '');
  if (code !== '') return { content: `code ${code}`, real: code.length >= shortest };
  const offset = result.line === null ? result.evidence?.region?.offset : null;
  if (offset) return { content: `offset ${offset.from}`, real: false };
  return { content: `line ${result.line ?? ''}`, real: false };
}

// A closing bracket or a lone word says nothing about where it came from.
const shortest = 12;

// Formatting is not content.
const plainCode = (snippet: string) => snippet.replace(/\s+/g, ' ').trim();
