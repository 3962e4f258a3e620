import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

export interface SeededScanner {
  /** A project of Checkmarx One without a linked repository. */
  projectId: string;
}

interface ScannerScene {
  orgId: string;
  owner: string;
  name: string;
}

/** Inserts a connection to Checkmarx One that is never used: its key is invalid. */
export async function insertScanner(
  { secrets }: Services,
  tx: Tx,
  { orgId, owner, name }: ScannerScene,
): Promise<SeededScanner> {
  const projectId = newId();
  await resetScanner({ secrets }, tx, { orgId, owner, name });
  await tx.db
    .insertInto('scanner_project')
    .values({ org_id: orgId, integration: 'checkmarx', external_id: projectId, name: `${name} payments` })
    .execute();
  return { projectId };
}

/** Connects Checkmarx One again if it was disconnected. */
export async function resetScanner(
  { secrets }: Pick<Services, 'secrets'>,
  tx: Tx,
  { orgId, owner, name }: ScannerScene,
): Promise<void> {
  const secretLocation = { org: orgId, table: 'integration', field: 'checkmarx secret' };
  const connected = { status: 'active', secret: secrets.seal(secretLocation, Buffer.from(`${name} has no key`)) };
  await tx.db
    .insertInto('integration')
    .values({
      org_id: orgId,
      name: 'checkmarx',
      hook: newId(),
      created_by: owner,
      ...connected,
      settings: JSON.stringify({
        tenant: name,
        baseURL: `https://${name}.example`,
        typedURL: `https://${name}.example`,
        keyEnd: 'none',
      }),
    })
    .onConflict((conflict) => conflict.columns(['org_id', 'name']).doUpdateSet(connected))
    .execute();
}
