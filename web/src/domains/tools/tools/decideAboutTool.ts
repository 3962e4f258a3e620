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
  tool: Pick<Tool, 'id'>,
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
    ({ changes, pendingChangeIds }: ToolDecisionOutcome) =>
      call(revertToolDecisions, { body: { changes, pendingChangeIds } }),
    ({ pending }) =>
      pending === 0
        ? toast.success('The decision was undone.')
        : toast.info(`The decision is undone after another person approves ${policyChangesText(pending)}.`),
    { failed: 'The decision was not undone.' },
  );
  return useChange(
    ({ body }: DecisionInput) => call(decideAboutTools, { body }),
    (outcome, input) => {
      const { changes, pendingChangeIds } = outcome;
      if (changes.length + pendingChangeIds.length === 0) {
        toast.info(`${input.name} ${verbOf(input)} already ${input.body.decision}.`);
      } else toast.offer(decisionText(outcome, input), 'Undo', () => revert.mutate(outcome));
      onDone();
    },
    { quiet, failed: 'The decision was not saved.' },
  );
}

const verbOf = ({ count }: DecisionInput) => (count === 1 ? 'is' : 'are');

const policyChangesText = (count: number) =>
  count === 1 ? 'the change of the policy' : `${count} changes of policies`;

/** What applies now, and what applies after an approval. */
function decisionText({ pending, overruled, policy, pendingChangeIds }: ToolDecisionOutcome, input: DecisionInput) {
  const waiting = pendingChangeIds.length;
  const decided = `${input.name} ${verbOf(input)} ${input.body.decision} in “${policy}”`;
  if (pending > 0) return `${decided} after another person approves ${policyChangesText(waiting)}.`;
  const contradicted = overruled === 0 || input.count === 1 ? '' : ` ${overruled} had the opposite decision before.`;
  if (waiting === 0) return `${decided}.${contradicted}`;
  return `${decided}. The opposite decision ends after another person approves ${policyChangesText(waiting)}.`;
}
