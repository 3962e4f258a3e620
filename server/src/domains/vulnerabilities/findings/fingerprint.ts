import { maybeScanSource } from '@sightline/contract/core/scan-sources.ts';
import { factId } from '#core/ids.ts';
import type { Analysis, ScannerResult } from '#providers/scanner.ts';

/** Fingerprints that identify a result in later scans. */
export interface FingerprintKeys {
  /** Scanner, rule, path and content: the same weakness at the same location, independent of its line number. */
  key: string;
  /** Without the path, to identify a result in a renamed file; null if the content is not distinctive. */
  movedKey: string | null;
  /** Without the content, to identify a result with changed code in the same file. */
  nearKey: string;
}

type FingerprintFields = Pick<
  ScannerResult,
  'ruleId' | 'path' | 'line' | 'snippet' | 'content' | 'category' | 'package' | 'evidence'
>;

/**
 * Computes the fingerprints of a result. Scanner version, severity and message are not part of them, since they change
 * with releases.
 */
export function fingerprintKeysOf(
  { source, tool }: Pick<Analysis, 'source' | 'tool'>,
  result: FingerprintFields,
  path = normalizePath(result.path),
): FingerprintKeys {
  const { content, real } = contentOf(result);
  // An alert of a code host has the same number in every file.
  const keyPath = content.startsWith('given') && maybeScanSource(source)?.via === 'alerts' ? '' : path;
  return {
    key: factId(tool.key, result.ruleId, keyPath, content),
    movedKey: real ? factId(tool.key, result.ruleId, content) : null,
    nearKey: factId(tool.key, result.ruleId, path),
  };
}

/**
 * The fingerprint of the n-th of several results of a scan with the same fingerprint, such as equal code on two lines,
 * counted from 1.
 */
export const occurrenceKey = (key: string, occurrence: number): string =>
  occurrence === 1 ? key : factId(key, occurrence);

/** The key of an analysis: a later scan with the same key replaces its results. */
export const analysisKey = ({ repositoryId, source, tool, category, ref }: Analysis): string =>
  factId('analysis', repositoryId, source, tool.key, category, ref);

/** Normalizes a path for comparison: `/` separators, relative to the repository root, Unicode NFC. */
export const normalizePath = (path: string | null): string =>
  (path ?? '')
    .replaceAll('\\', '/')
    .normalize('NFC')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');

function contentOf(result: FingerprintFields): { content: string; real: boolean } {
  if (result.content !== null && result.content !== '') return { content: `given ${result.content}`, real: true };
  // Versions of a dependency change; the weakness belongs to the package.
  if (result.package) return { content: `package ${result.package.name.toLowerCase()}`, real: true };
  // Masked secrets all have the same text.
  const code = result.category === 'secret' ? '' : plainCode(result.snippet ?? '');
  if (code !== '') return { content: `code ${code}`, real: code.length >= MIN_CODE_LENGTH };
  const offset = result.line === null ? result.evidence?.region?.offset : null;
  if (offset) return { content: `offset ${offset.from}`, real: false };
  return { content: `line ${result.line ?? ''}`, real: false };
}

// Shorter code, such as a closing bracket or a single word, is not distinctive.
const MIN_CODE_LENGTH = 12;

// Formatting is not part of the content.
const plainCode = (snippet: string) => snippet.replace(/\s+/g, ' ').trim();
