import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { createDemo } from '@sightline/contract/organization/demo.ts';
import type { z } from 'zod';
import type { AccountActor, Actor } from '#core/actor.ts';
import { deleteDemoFile, writeDemoFile } from '#core/demo-file.ts';
import { Conflict, Forbidden } from '#core/errors.ts';
import { requireOwnerAlsoIfArchived } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import { deleteSandboxDemo, startDemoCommand } from '#providers/sandbox.ts';
import { archiveOwnOrganization, requireMayCreateOrganization } from '../organizations/commands.ts';
import { findOrganization } from '../organizations/queries.ts';
import { findDemo, sandboxUrlOf } from './queries.ts';

/**
 * Starts to create the demo organization of this server. Throws 403 on a server without a sandbox or for an account that
 * may not create organizations, and 409 if it exists.
 */
export async function requestDemo(
  services: Services,
  actor: AccountActor,
): Promise<z.output<typeof createDemo.response>> {
  const url = sandboxUrlOf(services.config);
  if (url === undefined) throw Forbidden('This server offers no demo. It needs a sandbox.');
  await requireMayCreateOrganization(services, actor);
  const { progress } = await findDemo(services);
  if (progress?.state === 'ready') throw Conflict('The demo organization of this server exists already.');
  if (progress?.state !== 'creating') {
    const process = await startDemoCommand(url, actor.email);
    const begun = { state: 'creating', done: 0, total: 1, step: 'Start', problem: null, organizationId: null } as const;
    await writeDemoFile(services.config.dataDir, { ...begun, process, portal: null, credentials: [] });
  }
  return findDemo(services);
}

/**
 * Archives a demo organization, which disconnects its members, and queues its deletion. Throws 409 for an organization
 * without generated data.
 */
export async function requestDemoRemoval(services: Services, actor: Actor): Promise<null> {
  const { orgId } = actor;
  const { withOrg } = services.database;
  const organization = await withOrg(orgId, async (tx) => {
    await requireOwnerAlsoIfArchived(tx, actor);
    return findOrganization(tx, actor);
  });
  if (!organization.isDemo) throw Conflict('This is no demo organization. Archive it instead.');
  if (organization.archivedAt === null) await archiveOwnOrganization(services, actor);
  await withOrg(orgId, (tx) => services.jobs.enqueue(tx, 'demo.remove', { orgId }, { key: orgId }));
  return null;
}

/**
 * Deletes a demo organization with all its rows, files and accounts, and the demo of the sandbox. The database rejects
 * it for any other organization.
 */
export async function deleteDemo(services: Services, orgId: string): Promise<void> {
  const { config, database, memberships, realtime, ledger } = services;
  await services.deleteBundleFiles(orgId);
  await database.withOrg(orgId, async (tx) => {
    await tx.query({ name: 'demo.delete', text: 'select delete_demo_organization()', values: [] });
    tx.afterCommit(() => {
      memberships.forgetOrganization(orgId);
      realtime.cutOrganization(orgId);
    });
  });
  await rm(join(ledger.folder, `${orgId}.checkpoint`), { force: true });
  const url = sandboxUrlOf(config);
  if (url !== undefined) await deleteSandboxDemo(url);
  await deleteDemoFile(config.dataDir);
}
