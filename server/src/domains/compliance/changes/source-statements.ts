import { getChangeProvenance, type SourceLevel, sourcePolicyPath } from '@sightline/contract/compliance/changes.ts';
import { toHex } from '@sightline/evidence/ledger/bytes.ts';
import { type CanonicalValue, canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { sha256 } from '@sightline/evidence/ledger/sha256.ts';
import { assessRevision, type RevisionAssessment } from '@sightline/evidence/slsa/assess-revision.ts';
import { sourceControls } from '@sightline/evidence/slsa/branch-history.ts';
import { type DsseEnvelope, statementType } from '@sightline/evidence/slsa/dsse.ts';
import { SOURCE_POLICY_VERSION, sourcePolicySha256 } from '@sightline/evidence/slsa/policy.ts';
import { explainSourceReason } from '@sightline/evidence/slsa/reasons.ts';
import { SLSA_VERSION, sourceRequirements } from '@sightline/evidence/slsa/requirements.ts';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { releaseVersion } from '#database/release.ts';
import { signLedgerStatement } from '../../ledger/ledger/commands.ts';
import { findChangeRecord } from './find.ts';
import type { ChangeRecord } from './list.ts';
import type { ChangeParts } from './parts.ts';
import { loadRevision, type RecordedRevision } from './revision-facts.ts';

/** The predicate type of source provenance, in the format of docs/changes.md. */
const provenanceType = 'https://sightline.dev/ns/source-provenance/v1';

interface AssessedChange {
  row: ChangeRecord;
  revision: RecordedRevision;
  assessment: RevisionAssessment;
}

async function assessChange(tx: Tx, actor: Actor, id: string): Promise<AssessedChange> {
  const row = await findChangeRecord(tx, actor, id);
  const revision = await loadRevision(tx, actor.orgId, row);
  return { row, revision, assessment: assessRevision(revision.facts) };
}

/** The SLSA source level of the latest record of a change. Throws 404 if the change is not visible to the reader. */
export async function findSourceLevel(tx: Tx, actor: Actor, id: string): Promise<SourceLevel> {
  const { row, assessment } = await assessChange(tx, actor, id);
  const { requirements, violations, level, controls } = assessment;
  return {
    revision: row.merge_sha,
    level,
    result: resultOf(assessment),
    verifiedLevels: verifiedLevelsOf(assessment),
    violations: violations.map(explainSourceReason),
    requirements: sourceRequirements.map(({ id: name, level: from, title, fact }) => {
      const found = requirements.find((one) => one.id === name);
      const reasons = (found?.reasons ?? []).map(explainSourceReason);
      return { id: name, level: from, title, fact, state: found?.state ?? 'unknown', reasons };
    }),
    controls: sourceControls.map((control) => ({ control, since: controls[control] ?? null })),
  };
}

/** Signs the verification summary of a change. Throws 404 without a visible change or a known commit. */
export async function signVerificationSummary(services: Services, actor: Actor, id: string): Promise<DsseEnvelope> {
  const { PUBLIC_URL: publicUrl } = services.config;
  const found = await services.database.withOrg(actor.orgId, (tx) => assessChange(tx, actor, id));
  const { row, assessment } = found;
  const provenance = canonicalJson(provenanceOf(found));
  return signLedgerStatement(
    services.ledger,
    actor.orgId,
    canonicalJson({
      ...statementOf(row),
      predicateType: 'https://slsa.dev/verification_summary/v1',
      predicate: {
        verifier: {
          id: `${publicUrl}/org/${actor.orgId}`,
          version: { sightline: releaseVersion, 'source-policy': String(SOURCE_POLICY_VERSION) },
        },
        timeVerified: new Date().toISOString(),
        resourceUri: `git+${row.html_url}`,
        policy: { uri: `${publicUrl}${sourcePolicyPath}`, digest: { sha256: sourcePolicySha256 } },
        inputAttestations: [
          {
            uri: `${publicUrl}/api${getChangeProvenance.path.replace(':id', row.id)}`,
            digest: { sha256: toHex(sha256(provenance)) },
            mediaType: statementType,
          },
        ],
        verificationResult: resultOf(assessment),
        verifiedLevels: verifiedLevelsOf(assessment),
        slsaVersion: SLSA_VERSION,
      },
    }),
  );
}

/** Signs the source provenance of a change. Throws 404 without a visible change or a known commit. */
export async function signSourceProvenance(services: Services, actor: Actor, id: string): Promise<DsseEnvelope> {
  const found = await services.database.withOrg(actor.orgId, (tx) => assessChange(tx, actor, id));
  return signLedgerStatement(services.ledger, actor.orgId, canonicalJson(provenanceOf(found)));
}

const resultOf = ({ violations }: RevisionAssessment): 'PASSED' | 'FAILED' =>
  violations.length > 0 ? 'FAILED' : 'PASSED';

const verifiedLevelsOf = (assessment: RevisionAssessment): string[] =>
  resultOf(assessment) === 'FAILED'
    ? ['FAILED']
    : [
        `SLSA_SOURCE_LEVEL_${assessment.level}`,
        ...(assessment.isTwoPartyReviewed ? ['SLSA_SOURCE_TWO_PARTY_REVIEWED'] : []),
      ];

function statementOf({ html_url: url, merge_sha: sha, branch }: ChangeRecord) {
  if (sha === null) throw NotFound('A commit of that change');
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      {
        uri: `${url}/commit/${sha}`,
        digest: { gitCommit: sha },
        annotations: { sourceRefs: [`refs/heads/${branch}`] },
      },
    ],
  };
}

/**
 * The recorded facts of a change, persons by opaque ID. It contains no time of creation, so that it is the same for the
 * same facts, and the verification summary can name its digest.
 */
function provenanceOf({ row, revision: { push, snapshot, facts }, assessment }: AssessedChange): {
  [key: string]: CanonicalValue;
} {
  const { requirements, controls } = assessment;
  const predicate = {
    change: { id: row.id, version: row.version, ledgerEntry: row.entry_id, firstRecordedAt: facts.recordedAt },
    repository: { uri: `git+${row.html_url}`, provider: row.provider, id: row.provider_repo_id },
    branch: `refs/heads/${row.branch}`,
    mergeMethod: row.merge_method,
    pullRequest: row.number,
    mergedAt: facts.mergedAt,
    push: push
      ? {
          id: push.id,
          before: push.before,
          after: push.after,
          at: push.at.toISOString(),
          forced: push.forced,
          completeness: push.completeness,
          pusher: push.pusher,
          ledgerEntry: push.entry,
        }
      : null,
    ...contributionsOf(row.parts as unknown as ChangeParts),
    protection: snapshot ? { id: snapshot.id, capturedAt: snapshot.capturedAt, rules: snapshot.rules } : null,
    controls: sourceControls.map((control) => ({ control, since: controls[control] ?? null })),
    requirements: requirements.map(({ id, level, state, reasons }) => ({ id, level, state, reasons })),
  };
  return { ...statementOf(row), predicateType: provenanceType, predicate: predicate as unknown as CanonicalValue };
}

const contributionsOf = ({ authors, lastPusher, sessionOwners, reviews, mergedBy, mergeRequestedBy }: ChangeParts) => ({
  authors,
  lastPusher,
  sessionOwners,
  reviews,
  mergedBy,
  mergeRequestedBy,
});
