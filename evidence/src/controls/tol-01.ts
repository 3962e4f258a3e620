import { control } from './control.ts';
import { completeValue, knownItems } from './facts.ts';
import type { Reason } from './reasons.ts';
import type { ToolDecision, ToolUseRow } from './rows.ts';
import { matchesPattern } from './scope.ts';
import { DAY_MS, parseTime } from './times.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversAt } from './waivers.ts';

/**
 * A denial of all versions is a failure regardless of the version. An unknown version matters only for decisions about
 * versions. A tool or version without a decision is missing evidence first, and a failure after the permitted time.
 */
export const tol01 = control<ToolUseRow>()({
  id: 'TOL-01',
  title: 'Tools approved',
  rule: 'Every tool in use is approved when it is used.',
  population: 'Every tool with each person or repository it was detected with in the period.',
  verdicts: {
    pass: 'When the tool was detected, it was approved, in this version if the approval lists versions, and not denied.',
    fail: 'The tool was denied, or not decided within the limit.',
    missing_evidence:
      'The limit has not passed, the version is unknown and the decision lists versions, or decisions are unknown.',
  },
  parameters: {
    unreviewed: {
      kind: 'number',
      title: 'Limit for a decision',
      unit: 'days',
      default: 14,
      min: 0,
      max: 90,
      stricter: 'lower',
    },
  },
  sources: ['tools'],
  policies: ['tool-allow', 'tool-deny'],
  digest: 'flagged',
  events: ['tool'],
  happenedAt: ({ seenAt }) => seenAt,
  evaluate: (row, setting) => {
    const decisions = completeValue(row.decisions);
    const inForce = knownItems(row.decisions).filter((decision) => isInForceAt(decision, parseTime(row.seenAt)));
    const version = completeValue(row.version);
    const answers = (kind: ToolDecision['decision']) =>
      inForce.filter(({ decision }) => decision === kind).map((decision) => appliesTo(decision, version));
    const [denials, approvals] = [answers('denied'), answers('approved')];
    const isOpen = [...denials, ...approvals].includes(undefined);
    const isUnreviewed = decisions !== undefined && !isOpen && ![...denials, ...approvals].includes(true);
    const isOld = parseTime(row.seenAt) - parseTime(row.firstSeenAt) > setting.unreviewed * DAY_MS;
    const failures: readonly Reason[] = [
      ...(denials.includes(true) ? (['tool_denied'] as const) : []),
      ...(isUnreviewed && isOld ? (['tool_unreviewed_over_limit'] as const) : []),
    ];
    return decideVerdict({
      failures,
      missing: [
        ...(decisions === undefined ? (['tool_decisions_missing'] as const) : []),
        ...(isUnreviewed ? (['tool_unreviewed'] as const) : []),
        ...(denials.includes(undefined) || (isOpen && !approvals.includes(true)) ? (['version_unknown'] as const) : []),
      ],
      passes: ['tool_approved'],
      waivers: waiversAt(row.waivers, row.seenAt),
    });
  },
});

const isInForceAt = ({ from, until }: ToolDecision, at: number): boolean =>
  parseTime(from) <= at && (until === null || at < parseTime(until));

/** Undefined if the decision names versions and the version is unknown. */
function appliesTo({ versions }: ToolDecision, version: string | undefined): boolean | undefined {
  if (versions === null) return true;
  return version === undefined ? undefined : versions.some((pattern) => matchesPattern(pattern, version));
}
