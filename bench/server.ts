// The real server on its own database, with one organization for requests. process.ts starts it as a process.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeHeapSnapshot } from 'node:v8';
import { importJWK, SignJWT } from 'jose';
import { backgroundJobsOf, buildApp } from '../server/src/app.ts';
import { composeServices } from '../server/src/compose.ts';
import { readConfig } from '../server/src/config.ts';
import { limitHeapGrowth, releaseUnusedMemory } from '../server/src/core/heap.ts';
import { newId } from '../server/src/core/ids.ts';
import { createLog } from '../server/src/core/log.ts';
import { audienceOf, issuerOf } from '../server/src/core/tokens.ts';
import { startEmbeddedPostgres } from '../server/src/database/embedded/supervisor.ts';
import { migrate } from '../server/src/database/migrate.ts';
import { prepareCluster } from '../server/src/database/prepare.ts';
import { authorizationClaims } from '../server/src/domains/identity/authentication/grants.ts';
import { startSequencer } from '../server/src/domains/ledger/ledger/worker.ts';
import { observeDelays } from './delays.ts';

/** An order by another process: signs in more members if one is not enough, tells delays, or writes a heap snapshot. */
export type BenchServerCommand =
  | { people: readonly { accountId: string; orgId: string }[] }
  | { delays: true }
  | { snapshotFile: string };

limitHeapGrowth();
const config = readConfig();
await mkdir(config.dataDir, { recursive: true });
const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log: () => undefined });
const ownerUrl = await prepareCluster(postgres.url);
await migrate(ownerUrl);
const { services, signingKeys, close } = await composeServices(config, ownerUrl, createLog('error'));
const app = await buildApp(services, signingKeys);
await services.jobs.start(backgroundJobsOf(services), true);
const sequencer = startSequencer(services.ledger);
const url = await app.listen({ port: 0, host: '127.0.0.1' });

const email = 'bench@example.org';
const { orgId, accountId } = await ensureOwner();
if (services.clickhouse) {
  await services.database.global((tx) => services.jobs.enqueue(tx, 'events.copies', {}, { key: 'all' }));
}
const [signer] = signingKeys.private.keys;
if (!signer) throw new Error('no signing key');
const key = await importJWK(signer, 'RS256');
const tokenFor = (sub: string, address: string, organization: string) =>
  new SignJWT({
    email: address,
    orgID: organization,
    authorization: authorizationClaims({ roleId: 'rol_owner', archived: false }),
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: signer.kid ?? '' })
    .setSubject(sub)
    .setIssuer(issuerOf(config.PUBLIC_URL))
    .setAudience(audienceOf(config.PUBLIC_URL))
    .setIssuedAt()
    .setExpirationTime('2h')
    .sign(key);
const token = await tokenFor(accountId, email, orgId);
process.on('message', async (order: BenchServerCommand) => {
  if ('delays' in order) {
    process.send?.({ delays: delaysSince() });
    return;
  }
  if ('snapshotFile' in order) {
    writeHeapSnapshot(order.snapshotFile);
    process.send?.({ memory: process.memoryUsage() });
    return;
  }
  const tokens = await Promise.all(
    order.people.map((one) => tokenFor(one.accountId, `${one.accountId}@example.org`, one.orgId)),
  );
  process.send?.({ tokens });
});

releaseUnusedMemory();
const delaysSince = observeDelays();
process.send?.({ url, token, orgId, accountId, ownerUrl, superuserUrl: postgres.url });
process.once('disconnect', async () => {
  await app.close();
  await sequencer.stop();
  await close();
  await postgres.stop();
  process.exit(0);
});

/** Returns the organization and its owner; those of an earlier run if its data exists. */
async function ensureOwner(): Promise<{ orgId: string; accountId: string }> {
  const ownerFile = join(config.dataDir, 'bench-owner.json');
  const text = await readFile(ownerFile, 'utf8').catch(() => undefined);
  if (text !== undefined) return JSON.parse(text);
  const ids = { orgId: newId(), accountId: newId() };
  await makeOwner(ids);
  await writeFile(ownerFile, JSON.stringify(ids));
  return ids;
}

async function makeOwner({ orgId, accountId }: { orgId: string; accountId: string }): Promise<void> {
  await services.database.global(({ db }) =>
    db.insertInto('account').values({ id: accountId, email, name: 'Bench', email_verified_at: new Date() }).execute(),
  );
  await services.database.withOrg(orgId, async (tx) => {
    await tx.db
      .insertInto('organization')
      .values({ id: orgId, name: 'Bench', slug: 'bench', display_name: 'Bench' })
      .execute();
    await tx.db
      .insertInto('member')
      .values({ org_id: orgId, account_id: accountId, role_id: 'rol_owner', status: 'active' })
      .execute();
    const names = [{ kind: 'account', value: accountId } as const, { kind: 'email', value: email } as const];
    await services.people.resolve(tx, orgId, [{ names, display: 'Bench', picture: null, source: 'sightline' }]);
  });
}
