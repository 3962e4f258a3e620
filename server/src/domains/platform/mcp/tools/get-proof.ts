import { getLedgerProof } from '@sightline/contract/ledger/ledger.ts';
import { z } from 'zod';
import { Refusal } from '#core/errors.ts';
import { missingFact, type ToolReader, tool } from './tool.ts';

export const getProof = tool({
  name: 'get_proof',
  description:
    'Returns the inclusion proof of a ledger entry as a C2SP tlog-proof, which verifies without this server. Events, ' +
    'changes and audit entries name their ledger entry.',
  input: z.strictObject({
    entryId: z.uuid(),
    size: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional().describe('Of a checkpoint. Default: the newest'),
  }),
  async run(reader, { entryId, size }) {
    const found = await maybeProof(reader, entryId, size);
    return {
      question: 'Does the ledger contain this entry?',
      answer: 'proof' in found ? 'yes' : 'missing_evidence',
      missingEvidence: 'proof' in found ? [] : [missingFact('proof', found)],
      path: `/ledger?entry=${entryId}`,
      result: { entryId, proof: 'proof' in found ? found.proof : null },
    };
  },
});

/** The proof; otherwise the reason that there is none, which does not prove that the entry never existed. */
async function maybeProof({ read }: ToolReader, entryId: string, size: number | undefined) {
  try {
    // Hashes, numbers and signatures of this server.
    return { proof: await read(getLedgerProof, { params: { entryId }, query: { size } }, { trusted: 'all' }) };
  } catch (error) {
    if (!(error instanceof Refusal) || !['not_found', 'conflict'].includes(error.code)) throw error;
    return { reason: error.message, remedy: error.extra.cause ?? null };
  }
}
