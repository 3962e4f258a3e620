import type { TicketRow } from './change-rows.ts';
import { control } from './control.ts';
import { completeValue, knownItems } from './facts.ts';
import type { SettingOf } from './parameters.ts';
import { branches, matchesPattern, scopeExclusionOf } from './scope.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversAt } from './waivers.ts';

const parameters = {
  branches,
  exemptLabels: { kind: 'patterns', title: 'Exempt labels', default: [], stricter: 'fewer' },
  exemptBranches: {
    kind: 'patterns',
    title: 'Exempt source branches',
    default: [],
    stricter: 'fewer',
  },
} as const;

/** One known link is enough. A failure requires that all keys and links are known. */
export const chg06 = control<TicketRow>()({
  id: 'CHG-06',
  title: 'Changes linked to a ticket',
  rule: 'Every merged pull request references an existing ticket or is linked to an issue.',
  population:
    'Every pull request merged into a branch in scope in the period, except those with an exempt label or source branch.',
  verdicts: {
    pass: 'A key in its title, branch, body or commit messages exists in the issue tracker, or an issue is linked to it.',
    fail: 'It references no existing ticket, and no issue is linked to it.',
    missing_evidence: 'The issue tracker was not available, or the references of the pull request are incomplete.',
  },
  parameters,
  sources: ['pull_requests', 'tickets'],
  policies: ['merge'],
  digest: 'counted',
  events: ['merge'],
  happenedAt: ({ mergedAt }) => mergedAt,
  excludedBy: (row, setting) => [...scopeExclusionOf(row, setting.branches), ...exemptionsOf(row, setting)],
  evaluate: (row) => {
    const [tickets, issues] = [completeValue(row.tickets), completeValue(row.linkedIssues)];
    const hasTicket = tickets?.includes('resolved') || (issues !== undefined && issues > 0);
    const isReached = !tickets?.includes('unreachable');
    const hasNoTicket = tickets !== undefined && issues !== undefined && !hasTicket && isReached;
    return decideVerdict({
      failures: hasNoTicket ? ['no_ticket'] : [],
      missing: hasTicket
        ? []
        : [
            ...(isReached ? [] : (['tracker_unreachable'] as const)),
            ...(tickets === undefined ? (['tickets_missing'] as const) : []),
            ...(issues === undefined ? (['issues_missing'] as const) : []),
          ],
      passes: ['ticket_found'],
      waivers: waiversAt(row.waivers, row.mergedAt),
    });
  },
});

/** Unknown facts exempt no change. */
function exemptionsOf(
  { labels, sourceBranch }: TicketRow,
  setting: SettingOf<typeof parameters>,
): readonly ('exemptLabels' | 'exemptBranches')[] {
  const matches = (patterns: readonly string[], name: string) =>
    patterns.some((pattern) => matchesPattern(pattern, name));
  return [
    ...(knownItems(labels).some((label) => matches(setting.exemptLabels, label)) ? (['exemptLabels'] as const) : []),
    ...(sourceBranch.state !== 'missing' && matches(setting.exemptBranches, sourceBranch.value)
      ? (['exemptBranches'] as const)
      : []),
  ];
}
