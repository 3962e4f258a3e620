import { judgeApproval } from './approval.ts';
import type { ChangeRow } from './change-rows.ts';
import { control } from './control.ts';
import { branches, isInScope } from './scope.ts';

/** See judgeApproval for what is certain and what leaves a gap. */
export const chg01 = control<ChangeRow>()({
  id: 'CHG-01',
  title: 'Independent approval after the last push',
  rule: 'Every change to a branch in scope is approved, after its last push, by somebody who had no part in it.',
  population:
    'Every merge into a branch in scope and every direct push to one, in the period, made up from the commits that reached the branch and not from the list of pull requests.',
  verdicts: {
    pass: 'At least as many approvals as set were given until the merge, were neither dismissed nor taken back then, are for the commit that was merged (where the host does not tell the commit of a review: came after the last push), and come from humans who were active members then and are none of the authors, not the last to push, and did not start a session of an agent that wrote for the change. Persons whom `.mailmap` or an account owner takes for one count as one.',
    exception: 'There are not that many such approvals, or the change was pushed directly.',
    gap: 'Reviews, head commit, authors, last pusher or the owners of agent sessions are not known whole; a person it depends on is not resolved for certain; or all that is known is a time after which the last push was.',
  },
  parameters: {
    branches,
    approvals: {
      kind: 'number',
      title: 'Independent approvals',
      unit: 'approvals',
      default: 1,
      min: 1,
      max: 6,
      stricter: 'higher',
    },
  },
  crosswalk: {
    soc2: ['CC8.1'],
    iso27001: ['A.8.4', 'A.8.32'],
    ssdf: ['PS.1', 'PW.7'],
    pci: ['6.2.3', '6.5.1'],
    cis: ['16.1'],
    samm: ['V-ST'],
  },
  sources: ['pushes', 'pull_requests', 'identities', 'members', 'attribution'],
  happenedAt: ({ mergedAt }) => mergedAt,
  belongs: (row, setting) => isInScope(row, setting.branches),
  judge: (row, setting) => judgeApproval(row, setting.approvals),
});
