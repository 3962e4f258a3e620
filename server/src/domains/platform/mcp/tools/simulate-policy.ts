import { type DryRun, dryRunPolicy, dryRunProposedPolicy } from '@sightline/contract/compliance/policies.ts';
import type { McpAnswer } from '@sightline/contract/platform/mcp.ts';
import { z } from 'zod';
import { missingFact, tool } from './tool.ts';

// Titles of the catalog of controls, which ships with the product.
const catalogTexts = { trusted: ['controls'], whole: ['controls'] };

export const simulatePolicy = tool({
  name: 'simulate_policy',
  description:
    'Simulates a new policy, or a change of one, on the last 30 days, and returns the verdicts that would change. It ' +
    'changes no policy.',
  input: z.strictObject({
    policyId: z.uuid().optional().describe('The policy to change. Default: a new one'),
    ...dryRunProposedPolicy.body.shape,
  }),
  async run({ read }, { policyId, ...body }) {
    const simulation =
      policyId === undefined
        ? await read(dryRunProposedPolicy, { body }, catalogTexts)
        : await read(dryRunPolicy, { params: { policyId }, body }, catalogTexts);
    const withoutEvidence = simulation.controls.filter(({ after }) => after.missing_evidence > 0);
    return {
      question: 'Would verdicts of the last 30 days change?',
      answer: answerOf(simulation),
      missingEvidence: withoutEvidence.map(({ title, after }) =>
        missingFact(title, { reason: `${after.missing_evidence} items lack required facts.` }),
      ),
      path: policyId === undefined ? '/policies/new' : `/policies/${policyId}`,
      result: simulation,
    };
  },
});

const answerOf = ({ controls }: DryRun): McpAnswer => {
  if (controls.some(({ changed }) => changed > 0)) return 'yes';
  return controls.some(({ after }) => after.missing_evidence > 0) ? 'missing_evidence' : 'no';
};
