import { hash } from 'node:crypto';
import { severities } from '@sightline/contract/core/severities.ts';
import { factId } from '#core/ids.ts';
import type { Analysis, ScannerResult } from '#providers/scanner.ts';
import { fingerprintKeysOf, normalizePath } from './fingerprint.ts';
import type { StoredDetail } from './result.ts';

/** The text of a rule, shared by all its results. */
export interface RuleText {
  id: string;
  description: string;
  links: readonly { title: string; url: string }[];
}

/** Texts that were already received, by description and then by links. */
export type RuleTextCache = Map<string, Map<string, RuleText>>;

/** Returns why a result cannot be stored; undefined if it can. */
export const storageObstacleOf = (result: ScannerResult): string | undefined =>
  Buffer.byteLength(result.path ?? '') > MAX_PATH_BYTES ? `the path is longer than ${MAX_PATH_BYTES} bytes` : undefined;

// The maximum that an index accepts.
const MAX_PATH_BYTES = 1000;

/** A row of scan_result as JSON, with what identifies and compares it. */
export interface StagedResult {
  position: number;
  key: string;
  /** Hash of all stored fields. */
  digest: string;
  state: ScannerResult['state'];
  json: string;
}

/**
 * Converts a result to a row of scan_result. Truncates text above the displayed length and replaces characters that
 * PostgreSQL cannot store. `position` counts from 0.
 */
export function stagedResultOf(
  analysis: Analysis,
  result: ScannerResult,
  position: number,
  text: RuleText,
): StagedResult {
  const path = normalizePath(result.path);
  const detail: StoredDetail = {
    message: truncateText(result.message, 10_000),
    snippet: result.snippet === null ? null : truncateText(result.snippet, 8_000),
    flow: stepsOf(result.flow),
    package: result.package,
    compliances: result.compliances.slice(0, 100),
    ...evidenceOf(result.evidence),
    ...assessmentOf(result.assessment),
  };
  const row = {
    rule_id: truncateText(result.ruleId, 500),
    rule_name: result.ruleName === null ? null : truncateText(result.ruleName, 500),
    title: truncateText(result.title.trim() || result.ruleId, 300),
    severity: severities.indexOf(result.severity),
    ...(result.severityTold === false && { severity_known: false }),
    category: result.category,
    cwes: [...new Set(result.cwes)].sort((one, other) => one - other).slice(0, 50),
    codes: result.codes.slice(0, 50),
    package: result.package && truncateText(result.package.name.toLowerCase(), 200),
    state: result.state,
    suppressed: result.suppressed,
    path: path === '' ? null : path,
    line: lineOf(result.line),
    end_line: lineOf(result.endLine),
    discovered_at: timeOf(result.discoveredAt),
    scanner_reference: result.scannerReference,
    text_id: text.id,
    detail,
  };
  const json = storableJson(row);
  const { key, movedKey, nearKey } = fingerprintKeysOf(analysis, result, path);
  // Not part of the digest: another commit does not change an unchanged line.
  const commit = result.commit ?? null;
  const digest = digestOf(json);
  return {
    position,
    key,
    digest,
    state: result.state,
    json: `{"position":${position},"key":"${key}","moved_key":${movedKey === null ? 'null' : `"${movedKey}"`},"path_rule_key":"${nearKey}","digest":"${digest}","commit_sha":${storableJson(commit)},${json.slice(1)}`,
  };
}

const stepsOf = (flow: ScannerResult['flow']) =>
  flow.slice(0, 200).map((step) => ({ ...step, message: truncateText(step.message, 1_000) }));

/** Truncates evidence. Omits empty evidence, so that digests of stored results stay equal. */
function evidenceOf(evidence: ScannerResult['evidence']): Pick<StoredDetail, 'evidence'> {
  if (!evidence) return {};
  const { region, locations, relatedLocations, otherFlows, fixes } = evidence;
  const isEmpty = [locations, relatedLocations, otherFlows, fixes].every(({ length }) => length === 0);
  if (isEmpty && region === null) return {};
  const locationsOf = (all: typeof locations) =>
    all.slice(0, 100).map((position) => ({ ...position, message: truncateText(position.message, 1_000) }));
  return {
    evidence: {
      region,
      locations: locationsOf(locations),
      relatedLocations: locationsOf(relatedLocations),
      otherFlows: otherFlows.slice(0, 20).map((flow) => stepsOf(flow).slice(0, 100)),
      fixes: fixes.slice(0, 20).map(({ description, changes }) => ({
        description: truncateText(description, 2_000),
        changes: changes.slice(0, 50).map((change) => ({ ...change, inserted: truncateText(change.inserted, 4_000) })),
      })),
    },
  };
}

function assessmentOf(assessment: ScannerResult['assessment']): Pick<StoredDetail, 'assessment'> {
  if (!assessment) return {};
  const { state, cvss, confidence, language, notes } = assessment;
  if (!state && !cvss && !confidence && !language && !notes) return {};
  const short = (text: string | null) => text && truncateText(text, 200);
  return {
    assessment: {
      state: short(state),
      confidence: short(confidence),
      language: short(language),
      notes: truncateText(notes, 5_000),
      cvss: cvss && { score: cvss.score, vector: short(cvss.vector) },
    },
  };
}

/**
 * Returns the text of a result's rule and whether it is new. Thousands of results share a text, which is processed
 * once.
 */
export function ruleTextOf(
  known: RuleTextCache,
  { description, references }: ScannerResult,
): { text: RuleText; isNew: boolean } {
  const links = JSON.stringify(references);
  const same = known.get(description)?.get(links);
  if (same) return { text: same, isNew: false };
  const bounded = { description: truncateText(description, 50_000), links: references.slice(0, 50) };
  const text = { id: factId('text', bounded.description, JSON.stringify(bounded.links)), ...bounded };
  known.set(description, (known.get(description) ?? new Map()).set(links, text));
  return { text, isNew: true };
}

export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

const lineOf = (line: number | null): number | null =>
  line !== null && Number.isInteger(line) && line > 0 && line < 2 ** 31 ? line : null;

function timeOf(time: string | null): string | null {
  const at = Date.parse(time ?? '');
  return at >= 0 && at < Date.UTC(2100, 0, 1) ? new Date(at).toISOString() : null;
}

const digestOf = (text: string): string => hash('sha256', text).slice(0, 32);

const unstorable = /\\u0000|\\ud[89a-f]/i;

/** Serializes JSON that PostgreSQL can store: without NUL and lone surrogates. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  return unstorable.test(text) ? JSON.stringify(value, wellFormed) : text;
}

const wellFormed = (_: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd').toWellFormed() : value;
