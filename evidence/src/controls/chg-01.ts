import { evaluateApproval } from './approval.ts';
import type { ChangeRow } from './change-rows.ts';
import { control } from './control.ts';
import { branches, scopeExclusionOf } from './scope.ts';

/** `assessApproval` defines certain failures and missing evidence. */
export const chg01 = control<ChangeRow>()({
  id: 'CHG-01',
  title: 'Independent approval after the last push',
  rule: 'Every change to a branch in scope is approved after its last push by a person who did not contribute to it.',
  population:
    'Every merge and every direct push to a branch in scope in the period, derived from the commits that reached the branch and not from the list of pull requests.',
  verdicts: {
    pass: 'The change has the required number of approvals that were given before the merge and not dismissed or withdrawn by then. The merged commit has only changes of the pull request. Approvals are for its head commit; if the code host does not report the commit of a review, they came after the last push. Approvers are humans and active members, and are not an author, a pusher to the branch of the pull request, or the owner of an agent session that contributed to the change. Persons merged by `.mailmap` or an Account Owner count as one. A pass that depends on approvers who joined shortly before names them.',
    fail: 'The change has fewer such approvals, was pushed directly, also if the code host shows its pull request as merged afterwards, or its merged commit has changes that the pull request does not have.',
    missing_evidence:
      'Reviews, head commit, content of the merged commit, the activity that the code host names, authors, pushers or owners of agent sessions are incomplete; a program pushed commits without a verified signature, so that the approver could have written them; a person that the result depends on is not resolved with certainty; or only a lower bound for the time of the last push is known.',
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
    newMemberDays: {
      kind: 'number',
      title: 'Flag approvers for after joining',
      unit: 'days',
      default: 7,
      min: 0,
      max: 90,
      stricter: 'higher',
    },
  },
  sources: ['pushes', 'pull_requests', 'identities', 'members', 'attribution'],
  policies: ['merge'],
  digest: 'flagged',
  events: ['merge'],
  happenedAt: ({ mergedAt }) => mergedAt,
  excludedBy: (row, setting) => scopeExclusionOf(row, setting.branches),
  evaluate: (row, setting) => evaluateApproval(row, setting),
});
