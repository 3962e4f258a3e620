import { hash } from 'node:crypto';
import { severities } from '@sightline/contract/severities.ts';
import { idOf } from '#core/ids.ts';
import type { Analysis, Result } from '#providers/scanner.ts';
import { keysOf, normalPath } from './identity.ts';
import type { StoredDetail } from './result.ts';

/** A result as a row of scan_result, serialised, and the words about its rule. */
export interface StoredResult {
  row: string;
  text: { id: string; description: string; links: readonly { title: string; url: string }[] };
}

/** Why a result cannot be kept; undefined for nearly all. */
export const obstacleOf = (result: Result): string | undefined =>
  Buffer.byteLength(result.path ?? '') > longestPath ? `the path is longer than ${longestPath} bytes` : undefined;

// An index must hold it.
const longestPath = 1000;

/** Cuts what is longer than any page shows, and takes out what PostgreSQL cannot hold. `place` counts from 0. */
export function storedOf(analysis: Analysis, result: Result, place: number): StoredResult {
  const path = normalPath(result.path);
  const text = textOf(result);
  const detail: StoredDetail = {
    message: cut(result.message, 10_000),
    snippet: result.snippet === null ? null : cut(result.snippet, 8_000),
    flow: result.flow.slice(0, 200).map((step) => ({ ...step, message: cut(step.message, 1_000) })),
    package: result.package,
    compliances: result.compliances.slice(0, 100),
  };
  const kept = {
    rule_id: cut(result.ruleId, 500),
    rule_name: result.ruleName === null ? null : cut(result.ruleName, 500),
    title: cut(result.title.trim() || result.ruleId, 300),
    severity: severities.indexOf(result.severity),
    category: result.category,
    cwes: [...new Set(result.cwes)].sort((one, other) => one - other).slice(0, 50),
    codes: result.codes.slice(0, 50),
    package: result.package && cut(result.package.name.toLowerCase(), 200),
    state: result.state,
    suppressed: result.suppressed,
    path: path === '' ? null : path,
    line: lineOf(result.line),
    end_line: lineOf(result.endLine),
    discovered_at: timeOf(result.discoveredAt),
    native: result.native,
    text_id: text.id,
    detail,
  };
  const said = storable(kept);
  const { key, movedKey, nearKey } = keysOf(analysis, result, path);
  // No part of the digest: a line that stays as it was is none the newer for another commit.
  const commit = result.commit ?? null;
  const row = `{"place":${place},"key":"${key}","moved_key":${movedKey === null ? 'null' : `"${movedKey}"`},"near_key":"${nearKey}","digest":"${digestOf(said)}","commit_sha":${storable(commit)},${said.slice(1)}`;
  return { row, text };
}

function textOf({ description, references }: Result): StoredResult['text'] {
  const words = cut(description, 50_000);
  const links = references.slice(0, 50);
  return { id: idOf('text', words, JSON.stringify(links)), description: words, links };
}

export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

const lineOf = (line: number | null): number | null =>
  line !== null && Number.isInteger(line) && line > 0 && line < 2 ** 31 ? line : null;

function timeOf(time: string | null): string | null {
  const at = Date.parse(time ?? '');
  return at >= 0 && at < Date.UTC(2100, 0, 1) ? new Date(at).toISOString() : null;
}

const digestOf = (text: string): string => hash('sha256', text).slice(0, 32);

const suspect = /\\u0000|\\ud[89a-f]/i;

/** JSON that PostgreSQL takes: no NUL, no half of a surrogate pair. */
export function storable(value: unknown): string {
  const text = JSON.stringify(value);
  return suspect.test(text) ? JSON.stringify(value, wellFormed) : text;
}

const wellFormed = (_: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd').toWellFormed() : value;
