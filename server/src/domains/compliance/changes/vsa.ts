import type { Vsa } from '@sightline/contract/compliance/changes.ts';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { findProtectionSnapshot } from '../../sources/protection/queries.ts';
import { findChangeRecord } from './find.ts';

/**
 * A change as a verification summary of the SLSA source track. Sightline observes from outside and is not the source
 * control system: verifier and policy state that, and the level is at most three. Unknown facts count as unmet.
 * `publicURL`: of this installation.
 */
export async function findVerificationSummary(tx: Tx, actor: Actor, id: string, publicURL: string): Promise<Vsa> {
  const row = await findChangeRecord(tx, actor, id);
  const sha = row.merge_sha ?? row.head_sha;
  if (sha === null) throw NotFound('A commit of that change');
  const rules = row.protection_id === null ? null : await findProtectionSnapshot(tx, actor.orgId, row.protection_id);
  const hasHistoryProtection = rules?.allowsForcePush === false && rules.allowsDeletion === false;
  const isControlled =
    hasHistoryProtection &&
    rules.includesAdmins === true &&
    ((rules.requiredReviews ?? 0) > 0 || (rules.requiredChecks ?? []).length > 0);
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      {
        uri: `${row.html_url}/commit/${sha}`,
        digest: { gitCommit: sha },
        annotations: { sourceRefs: [`refs/heads/${row.branch}`] },
      },
    ],
    predicateType: 'https://slsa.dev/verification_summary/v1',
    predicate: {
      verifier: { id: `${publicURL}/sightline` },
      timeVerified: row.merged_at.toISOString(),
      resourceUri: `git+${row.html_url}`,
      policy: { uri: `${publicURL}/docs/changes#observed` },
      verificationResult: 'PASSED',
      verifiedLevels: [
        isControlled ? 'SLSA_SOURCE_LEVEL_3' : hasHistoryProtection ? 'SLSA_SOURCE_LEVEL_2' : 'SLSA_SOURCE_LEVEL_1',
        ...(row.approval === 'yes' ? ['SLSA_SOURCE_TWO_PARTY_REVIEWED'] : []),
      ],
    },
  };
}
