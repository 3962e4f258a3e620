import { timestampedText } from '@sightline/evidence/ledger/checkpoint.ts';
import { consistencyProof, isConsistent } from '@sightline/evidence/ledger/proofs.ts';
import type { Services } from '#core/services.ts';
import { tileReaderOf } from '../head.ts';
import type { ReportProblem } from './problem.ts';
import type { EpochLog } from './tree.ts';

interface PublishedCheckpoint extends Record<string, unknown> {
  kind: string;
  party: string;
  size: number;
  token: Buffer | null;
  root: Buffer | null;
  note: string | null;
}

/**
 * Checks the newest checkpoint that was published to each anchor: it must still be stored, its timestamp must match, and it
 * must be a prefix of the log.
 */
export async function checkAnchors(
  services: Services,
  orgId: string,
  log: EpochLog,
  report: ReportProblem,
): Promise<void> {
  const { epoch } = log;
  await services.database.withOrg(orgId, async (tx) => {
    const rows = await tx.query<PublishedCheckpoint>({
      name: 'ledger.check-anchors',
      text: `select distinct on (a.kind, a.party) a.kind, a.party, a.size, a.token, c.root, c.note from ledger_receipt a
             left join ledger_checkpoint c on c.org_id = $1 and c.epoch = a.epoch and c.size = a.size
             where a.org_id = $1 and a.epoch = $2 and a.size <= $3 order by a.kind, a.party, a.size desc`,
      values: [orgId, epoch, log.size],
    });
    for (const { kind, party, size, token, root, note } of rows) {
      const reportAnchor = (message: string) =>
        report({
          what: 'anchor',
          epoch,
          index: size,
          message: `the checkpoint of ${size} leaves that was published to ${party} ${message}`,
        });
      if (root === null || note === null) {
        reportAnchor('is missing');
        continue;
      }
      const proof = await consistencyProof(tileReaderOf(tx, orgId, epoch), size, log.size).catch(() => undefined);
      const [from, to] = [
        { size, root: new Uint8Array(root) },
        { size: log.size, root: new Uint8Array(log.root) },
      ];
      if (!proof || !isConsistent(from, to, proof)) reportAnchor('is not a prefix of the log');
      if (kind === 'rfc3161' && token && !(await isTimeStamp(token, timestampedText(note)))) {
        reportAnchor('does not match its timestamp');
      }
    }
  });
}

async function isTimeStamp(token: Buffer, text: string): Promise<boolean> {
  const { isTimeStampOf } = await import('#providers/time-stamps.ts');
  return isTimeStampOf(token, Buffer.from(text));
}
