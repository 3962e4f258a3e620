import type { Severity } from '@sightline/contract/core/severities.ts';
import { storableText } from './shapes.ts';

const levels: Record<string, Severity> = { error: 'high', warning: 'medium', note: 'low', none: 'info' };

export const isSarifLevel = (value: unknown): value is string =>
  typeof value === 'string' && Object.hasOwn(levels, value);

/** Parses a `security-severity`, as text or number from 0 to 10; undefined for other values. */
export function parseSecuritySeverity(value: unknown): number | undefined {
  const score = typeof value === 'number' ? value : Number(storableText(value, 20) ?? Number.NaN);
  return score >= 0 && score <= 10 ? score : undefined;
}

/**
 * Determines the severity of a result. A score takes precedence, as on GitHub, with 9.0 as critical as in Scorecard;
 * then the level of the result, then that of its rule. The default is a warning, or info for a result that is no
 * failure.
 */
export function resultSeverityOf(
  score: number | undefined,
  level: unknown,
  ruleLevel: unknown,
  kind: unknown,
): Severity {
  if (score !== undefined) return byScore(score);
  if (isSarifLevel(level)) return levels[level] as Severity;
  if (kind !== undefined && kind !== 'fail') return 'info';
  return levels[isSarifLevel(ruleLevel) ? ruleLevel : 'warning'] as Severity;
}

function byScore(score: number): Severity {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score > 0 ? 'low' : 'info';
}
