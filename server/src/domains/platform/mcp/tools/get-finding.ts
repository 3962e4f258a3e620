import { getFinding as getFindingEndpoint } from '@sightline/contract/vulnerabilities/findings.ts';
import { z } from 'zod';
import { missingFact, tool } from './tool.ts';

export const getFinding = tool({
  name: 'get_finding',
  description: 'Returns a finding of a scanner with its status, location, history, waivers, and who introduced it.',
  input: z.strictObject({ findingId: z.uuid() }),
  async run({ read }, { findingId }) {
    const found = await read(getFindingEndpoint, { params: { findingId } });
    const {
      fingerprint: _,
      otherFlows: __,
      relatedLocations: ___,
      unread: ____,
      acknowledged: _____,
      ...result
    } = found;
    return {
      question: 'Is this finding fixed?',
      answer: found.status === 'fixed' ? 'yes' : 'no',
      missingEvidence: [
        ...(found.introducedBy === null
          ? [missingFact('introducedBy', { reason: 'The commit that introduced it is not known.' })]
          : []),
        ...(found.coordinate === null ? [missingFact('coordinate', { reason: 'The scanner names no file.' })] : []),
      ],
      path: `/vulnerabilities/${findingId}`,
      result,
    };
  },
});
