import { assessApproval } from './approval.ts';
import type { AgentChangeRow } from './change-rows.ts';
import { control } from './control.ts';
import { completeValue, knownItems } from './facts.ts';
import { branches, scopeExclusionOf } from './scope.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversAt } from './waivers.ts';

/**
 * A certain agent contribution without any independent approval by a human is a failure, even if other attributions are
 * missing. Inferred or missing attributions yield at most missing evidence.
 */
export const ai01 = control<AgentChangeRow>()({
  id: 'AI-01',
  title: 'Agent changes declared and reviewed by humans',
  rule: 'Every change with agent contributions is approved by a human who does not own the agent session.',
  population:
    'Every change to a branch in scope in the period with agent contributions, and every change in a repository without a source of agent attribution.',
  verdicts: {
    pass: 'The agent contribution is declared or observed, and the change has an independent approval as defined by CHG-01. Owners of agent sessions cannot give it.',
    fail: 'The agent contribution is declared or observed, and the change has no independent approval.',
    missing_evidence:
      'The agent contribution is only inferred, the repository has no source of agent attribution, or evidence that CHG-01 requires is missing.',
  },
  parameters: { branches },
  sources: ['attribution', 'pull_requests', 'identities', 'members'],
  policies: ['ai-provenance'],
  digest: 'flagged',
  events: ['merge'],
  happenedAt: ({ mergedAt }) => mergedAt,
  isApplicable: mayHaveAgents,
  excludedBy: (row, setting) => scopeExclusionOf(row, setting.branches),
  evaluate: (row) => {
    const isCertain = knownItems(row.attributions).some(
      ({ lines, confidence }) => lines > 0 && confidence !== 'inferred',
    );
    const { failures, missing } = assessApproval(row, 1);
    return decideVerdict({
      failures: isCertain ? failures : [],
      missing: [
        ...(completeValue(row.attributions) === undefined ? (['attribution_missing'] as const) : []),
        ...(completeValue(row.attributions) !== undefined && !isCertain ? (['agent_only_inferred'] as const) : []),
        ...(isCertain ? missing : []),
      ],
      passes: ['independent_approval'],
      waivers: waiversAt(row.waivers, row.mergedAt),
    });
  },
});

function mayHaveAgents({ attributions }: AgentChangeRow): boolean {
  return attributions.state !== 'complete' || attributions.value.some(({ lines }) => lines > 0);
}
