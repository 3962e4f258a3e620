import { hash } from 'node:crypto';
import { severities } from '@sightline/contract/core/severities.ts';
import { idOf } from '#core/ids.ts';
import type { Analysis, Result } from '#providers/scanner.ts';
import { keysOf, normalPath } from './fingerprint.ts';
import type { StoredDetail } from './result.ts';

/** What a scanner says of a rule, once for all its results. */
export interface RuleText {
  id: string;
  description: string;
  links: readonly { title: string; url: string }[];
}

/** Texts that came already, by their description and then by their links. */
export type KnownTexts = Map<string, Map<string, RuleText>>;

/** Why a result cannot be kept; undefined for nearly all. */
export const obstacleOf = (result: Result): string | undefined =>
  Buffer.byteLength(result.path ?? '') > longestPath ? `the path is longer than ${longestPath} bytes` : undefined;

// An index must hold it.
const longestPath = 1000;

/**
 * A result as a row of scan_result, serialised. Cuts what is longer than any page shows, and takes out what PostgreSQL cannot
 * hold. `position` counts from 0.
 */
export function storedOf(analysis: Analysis, result: Result, position: number, text: RuleText): string {
  const path = normalPath(result.path);
  const detail: StoredDetail = {
    message: cut(result.message, 10_000),
    snippet: result.snippet === null ? null : cut(result.snippet, 8_000),
    flow: stepsOf(result.flow),
    package: result.package,
    compliances: result.compliances.slice(0, 100),
    ...evidenceOf(result.evidence),
    ...assessmentOf(result.assessment),
  };
  const kept = {
    rule_id: cut(result.ruleId, 500),
    rule_name: result.ruleName === null ? null : cut(result.ruleName, 500),
    title: cut(result.title.trim() || result.ruleId, 300),
    severity: severities.indexOf(result.severity),
    ...(result.severityTold === false && { severity_known: false }),
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
    scanner_reference: result.scannerReference,
    text_id: text.id,
    detail,
  };
  const said = storable(kept);
  const { key, movedKey, nearKey } = keysOf(analysis, result, path);
  // No part of the digest: a line that stays as it was is none the newer for another commit.
  const commit = result.commit ?? null;
  return `{"position":${position},"key":"${key}","moved_key":${movedKey === null ? 'null' : `"${movedKey}"`},"path_rule_key":"${nearKey}","digest":"${digestOf(said)}","commit_sha":${storable(commit)},${said.slice(1)}`;
}

const stepsOf = (flow: Result['flow']) =>
  flow.slice(0, 200).map((step) => ({ ...step, message: cut(step.message, 1_000) }));

/** Bounded; nothing where there is nothing, so that what was stored before reads the same. */
function evidenceOf(evidence: Result['evidence']): Pick<StoredDetail, 'evidence'> {
  if (!evidence) return {};
  const { region, locations, relatedLocations, otherFlows, fixes } = evidence;
  const isEmpty = [locations, relatedLocations, otherFlows, fixes].every(({ length }) => length === 0);
  if (isEmpty && region === null) return {};
  const places = (all: typeof locations) =>
    all.slice(0, 100).map((position) => ({ ...position, message: cut(position.message, 1_000) }));
  return {
    evidence: {
      region,
      locations: places(locations),
      relatedLocations: places(relatedLocations),
      otherFlows: otherFlows.slice(0, 20).map((flow) => stepsOf(flow).slice(0, 100)),
      fixes: fixes.slice(0, 20).map(({ description, changes }) => ({
        description: cut(description, 2_000),
        changes: changes.slice(0, 50).map((change) => ({ ...change, inserted: cut(change.inserted, 4_000) })),
      })),
    },
  };
}

function assessmentOf(assessment: Result['assessment']): Pick<StoredDetail, 'assessment'> {
  if (!assessment) return {};
  const { state, cvss, confidence, language, notes } = assessment;
  if (!state && !cvss && !confidence && !language && !notes) return {};
  const short = (text: string | null) => text && cut(text, 200);
  return {
    assessment: {
      state: short(state),
      confidence: short(confidence),
      language: short(language),
      notes: cut(notes, 5_000),
      cvss: cvss && { score: cvss.score, vector: short(cvss.vector) },
    },
  };
}

/** The text of a result's rule, and whether it is new. Thousands of results share one: it is looked at once. */
export function textOf(known: KnownTexts, { description, references }: Result): { text: RuleText; isNew: boolean } {
  const links = JSON.stringify(references);
  const same = known.get(description)?.get(links);
  if (same) return { text: same, isNew: false };
  const kept = { description: cut(description, 50_000), links: references.slice(0, 50) };
  const text = { id: idOf('text', kept.description, JSON.stringify(kept.links)), ...kept };
  known.set(description, (known.get(description) ?? new Map()).set(links, text));
  return { text, isNew: true };
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
