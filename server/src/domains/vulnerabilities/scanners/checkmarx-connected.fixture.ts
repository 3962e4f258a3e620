import { connectScanner, getScanner } from '@sightline/contract/sources/integrations.ts';
import { currentKey, tenantName } from '@sightline/sandbox/checkmarx/tenant.ts';
import { fullName } from '@sightline/sandbox/github/host.ts';
import { expect, vi } from 'vitest';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import type { SandboxGithub } from '#providers/github/sandbox.fixture.ts';
import type { TestOrganization, TestServer } from '#testing/server.ts';

export const ofCheckmarx = { scanner: 'checkmarx' } as const;

/** Helpers for tests of Checkmarx One: enable the repositories of the sandbox, connect, scan, and read findings. */
export const createCheckmarxHelpers = (server: () => TestServer, github: () => SandboxGithub) => {
  const inOrg = <Result>(orgId: string, work: (tx: Tx) => Promise<Result>) =>
    server().services.database.withOrg(orgId, work);

  /** Enables the repositories of the sandbox and returns their IDs by full name. */
  const enable = async (org: TestOrganization): Promise<Map<string, string>> => {
    const ids = new Map<string, string>();
    for (const repository of github().sandbox.host.repositories) {
      const [name, id] = [fullName(repository), newId()];
      ids.set(name, id);
      await inOrg(org.id, ({ db }) =>
        db
          .insertInto('repository')
          .values({
            org_id: org.id,
            id,
            provider: 'github',
            provider_repo_id: String(repository.id),
            installation_id: '1',
            owner: repository.owner.login,
            name: repository.name,
            full_name: name,
            default_branch: 'main',
            is_private: true,
            html_url: `${github().sandbox.url}/${name}`,
            tracked: true,
          })
          .execute(),
      );
    }
    return ids;
  };

  const key = () => currentKey(github().sandbox.tenant);
  const connect = async (org: TestOrganization) => {
    const body = { tenant: tenantName, apiKey: key() };
    const settings = await server().as(org.owner, org.id)(connectScanner, { params: ofCheckmarx, body });
    return settings;
  };

  /** Waits until no sync is queued or running, and returns the settings. */
  const settled = (org: TestOrganization) =>
    vi.waitFor(
      async () => {
        const settings = await server().as(org.owner, org.id)(getScanner, { params: ofCheckmarx });
        expect(settings?.sync.state).toMatch(/idle|failed/);
        expect(settings?.sync.finishedAt).not.toBeNull();
        if (!settings) throw new Error('not connected');
        return settings;
      },
      { timeout: 60_000, interval: 100 },
    );

  /** Scans a project of the sandbox again and waits for the delivery of the webhook. */
  const scan = async (body: object): Promise<void> => {
    // The URL of a test server differs from its PUBLIC_URL.
    for (const hook of github().sandbox.tenant.kept.webhooks)
      hook.url = hook.url.replace(/^.*(?=\/api\/)/, server().url);
    await github().control('checkmarx/scan', body);
  };

  const findings = (orgId: string) =>
    inOrg(orgId, ({ db }) =>
      db
        .selectFrom('finding as f')
        .innerJoin('finding_title as t', (join) =>
          join.onRef('t.org_id', '=', 'f.org_id').onRef('t.id', '=', 'f.title_id'),
        )
        .where('f.org_id', '=', orgId)
        .select(['f.id', 't.title', 'f.status', 'f.severity', 'f.category', 'f.path', 'f.line', 'f.repository_id'])
        .orderBy('f.id')
        .execute(),
    );

  return { inOrg, enable, key, connect, settled, scan, findings };
};
