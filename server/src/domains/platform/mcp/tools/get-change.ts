import { type Change, getChange as getChangeEndpoint } from '@sightline/contract/compliance/changes.ts';
import type { McpAnswer, MissingFact } from '@sightline/contract/platform/mcp.ts';
import { z } from 'zod';
import { missingFact, tool } from './tool.ts';

const answers = { yes: 'yes', no: 'no', unknown: 'missing_evidence' } as const satisfies Record<
  Change['approval'],
  McpAnswer
>;

export const getChange = tool({
  name: 'get_change',
  description:
    'Returns the chain of custody of a change: a merge or direct push with its authors, reviews, checks, branch ' +
    'protection, agents, and the versions of its record.',
  input: z.strictObject({
    changeId: z.uuid(),
    version: z.int().min(1).max(1_000_000).optional().describe('An earlier version of the record'),
  }),
  async run({ read }, { changeId, version }) {
    const change = await read(getChangeEndpoint, { params: { id: changeId }, query: { version } });
    return {
      question: 'Did an independent reviewer approve this change after its last push?',
      answer: answers[change.approval],
      missingEvidence: missingPartsOf(change),
      path: `/changes/${changeId}`,
      result: change,
    };
  },
});

const missingPartsOf = ({ missing, parts, scans }: Change): MissingFact[] => [
  ...missing.map((name) => missingFact(name, { reason: parts[name].reason })),
  ...(scans?.reason ? [missingFact('scans', { reason: scans.reason })] : []),
];
