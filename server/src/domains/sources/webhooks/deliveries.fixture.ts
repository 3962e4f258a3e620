import { createHmac, randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { Tx } from '#database/database.ts';
import { type SandboxGithub, webhookSecret } from '#providers/github/sandbox.fixture.ts';
import type { TestOrganization, TestServer } from '#testing/server.ts';
import { syncRepositories } from '../code-hosts/commands.ts';

/** The ID of the ledger entry for the connection of installations that tests bind. */
export const testConnectionEntryId = '00000000-0000-4000-8000-00000000c0de';

/** Helpers for webhook tests: bind an installation, send a delivery, wait for its processing. */
export const webhookHelpers = (server: () => TestServer) => {
  const inOrg = <Result>(orgId: string, work: (tx: Tx) => Promise<Result>) =>
    server().services.database.withOrg(orgId, work);

  const bind = (org: TestOrganization, id: string) =>
    inOrg(org.id, ({ db }) =>
      db
        .insertInto('installation')
        .values({
          org_id: org.id,
          provider: 'github',
          installation_id: id,
          account_login: 'sandbox',
          html_url: 'http://localhost',
          created_by: org.owner.id,
          connection_entry: testConnectionEntryId,
        })
        .execute(),
    );

  /** Binds a new installation of a sandbox with one repository, enables the repository and returns its ID. */
  const enableOnly = async (org: TestOrganization, sandbox: SandboxGithub): Promise<string> => {
    const installation = String(sandbox.install().id);
    await bind(org, installation);
    await syncRepositories(server().services, org.id, 'github', installation);
    return inOrg(org.id, async ({ db }) => {
      await db.updateTable('repository').set({ tracked: true }).execute();
      return (await db.selectFrom('repository').select('id').executeTakeFirstOrThrow()).id;
    });
  };

  const post = async (event: string, payload: object): Promise<string> => {
    const id = randomUUID();
    const body = JSON.stringify(payload);
    const answer = await fetch(`${server().url}/api/webhooks/github`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': event,
        'x-github-delivery': id,
        'x-hub-signature-256': `sha256=${createHmac('sha256', webhookSecret).update(body).digest('hex')}`,
      },
    });
    expect(answer.status).toBe(202);
    return id;
  };

  /** Waits until all deliveries are processed, and returns them in the order of completion. */
  const waitUntilProcessed = (orgId: string, timeout = 20_000) =>
    vi.waitFor(
      async () => {
        const rows = await inOrg(orgId, ({ db }) =>
          db.selectFrom('webhook_delivery').selectAll().orderBy('processed_at').orderBy('received_at').execute(),
        );
        expect(rows.filter((row) => row.processed_at === null)).toEqual([]);
        expect(rows.length).toBeGreaterThan(0);
        return rows;
      },
      { timeout, interval: 100 },
    );

  return { inOrg, bind, enableOnly, post, waitUntilProcessed };
};
