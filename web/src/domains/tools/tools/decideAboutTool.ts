import {
  decideAboutTools,
  type Policy,
  policyKindOfDecision,
  revertToolDecisions,
  type ToolDecision,
  type ToolDecisionOutcome,
} from '@sightline/contract/compliance/policies.ts';
import type { CallInput } from '@sightline/contract/core/endpoint.ts';
import type { Tool } from '@sightline/contract/tools/tools.ts';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { toast } from '#ui/toast.ts';

/** The query of active tool policies. Their number per organization fits on one page. */
export const toolPoliciesQuery = { query: { kinds: Object.values(policyKindOfDecision), perPage: 100 } };

export const policyNamesTool = ({ scope }: Policy, { id }: Pick<Tool, 'id'>): boolean =>
  scope.tools.some((one) => one.id === id);

/** Returns policies of the other kind that contradict a decision, which the server removes from them. */
export const contradictingPolicies = (
  policies: readonly Policy[],
  tool: Tool,
  decision: ToolDecision,
  versions: string[] | null,
): Policy[] =>
  policies.filter(
    ({ kind, scope }) =>
      kind !== policyKindOfDecision[decision] &&
      scope.tools.some((one) => one.id === tool.id && (versions === null || one.versions === null)),
  );

interface DecidingOptions {
  /** The caller shows a failure itself. */
  quiet?: boolean;
  onDone: () => void;
}

interface DecisionInput {
  /** The tools in the confirmation: 'curl', '52 tools'. */
  name: string;
  count: number;
  body: CallInput<typeof decideAboutTools>['body'];
}

/** Decides about tools, and offers Undo. */
export function useToolDecision({ quiet = false, onDone }: DecidingOptions) {
  const revert = useChange(
    (changes: ToolDecisionOutcome['changes']) => call(revertToolDecisions, { body: { changes } }),
    () => toast.success('The decision was undone.'),
    { failed: 'The decision was not undone.' },
  );
  return useChange(
    ({ body }: DecisionInput) => call(decideAboutTools, { body }),
    ({ changes, overruled, policy }, { name, count, body: { decision } }) => {
      const verb = count === 1 ? 'is' : 'are';
      const contradicted = overruled === 0 || count === 1 ? '' : ` ${overruled} had the opposite decision before.`;
      if (changes.length === 0) toast.info(`${name} ${verb} already ${decision}.`);
      else
        toast.offer(`${name} ${verb} ${decision} in “${policy}”.${contradicted}`, 'Undo', () => revert.mutate(changes));
      onDone();
    },
    { quiet, failed: 'The decision was not saved.' },
  );
}
