import type { TicketRow } from './change-rows.ts';
import { control } from './control.ts';
import { excusesAt } from './excuses.ts';
import { told, whole } from './known.ts';
import type { SettingOf } from './parameters.ts';
import { branches, isInScope, matches } from './scope.ts';
import { settle } from './verdicts.ts';

const parameters = {
  branches,
  exemptLabels: { kind: 'patterns', title: 'Labels that exempt a pull request', default: [], stricter: 'fewer' },
  exemptBranches: {
    kind: 'patterns',
    title: 'Source branches that exempt a pull request',
    default: [],
    stricter: 'fewer',
  },
} as const;

/** A trace that is known is enough; only where every key and every link is known, their lack is an exception. */
export const chg06 = control<TicketRow>()({
  id: 'CHG-06',
  title: 'Changes traced to a ticket',
  rule: 'Every merged pull request names a ticket that exists, or is linked to an issue.',
  population:
    'Every pull request that was merged into a branch in scope in the period, without those of an exempt label or source branch.',
  verdicts: {
    pass: 'A key in its title, branch or body was found at the tracker, or an issue is linked to it.',
    exception: 'It names no ticket that the tracker knows, and no issue is linked to it.',
    gap: 'The tracker could not be reached, or it is not known whole which keys and issues the pull request names.',
  },
  parameters,
  crosswalk: {
    soc2: ['CC8.1'],
    iso27001: ['A.8.32'],
    ssdf: ['PO.4'],
    pci: ['6.5.1'],
    cis: ['16.1'],
    samm: ['I-DM'],
  },
  sources: ['pull_requests', 'tickets'],
  happenedAt: ({ mergedAt }) => mergedAt,
  belongs: (row, setting) => isInScope(row, setting.branches) && !isExempt(row, setting),
  judge: (row) => {
    const [tickets, issues] = [whole(row.tickets), whole(row.linkedIssues)];
    const isTraced = tickets?.includes('resolved') || (issues !== undefined && issues > 0);
    const isReached = !tickets?.includes('unreachable');
    const isUntraced = tickets !== undefined && issues !== undefined && !isTraced && isReached;
    return settle({
      exceptions: isUntraced ? ['no_ticket'] : [],
      gaps: isTraced
        ? []
        : [
            ...(isReached ? [] : (['tracker_unreachable'] as const)),
            ...(tickets === undefined ? (['tickets_missing'] as const) : []),
            ...(issues === undefined ? (['issues_missing'] as const) : []),
          ],
      passes: ['ticket_found'],
      excuses: excusesAt(row.approved, row.mergedAt),
    });
  },
});

/** Nothing is exempt by what is not known. */
const isExempt = ({ labels, sourceBranch }: TicketRow, setting: SettingOf<typeof parameters>): boolean =>
  told(labels).some((label) => setting.exemptLabels.some((pattern) => matches(pattern, label))) ||
  (sourceBranch.state !== 'missing' && setting.exemptBranches.some((pattern) => matches(pattern, sourceBranch.value)));
