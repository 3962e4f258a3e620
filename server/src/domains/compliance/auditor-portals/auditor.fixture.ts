import { createPortal, enterPortal } from '@sightline/contract/compliance/auditor-portals.ts';
import { createSnapshot, getSnapshot } from '@sightline/contract/compliance/snapshots.ts';
import { type ApiCall, createClient, urlOf } from '@sightline/contract/core/client.ts';
import type { CallInput, Endpoint } from '@sightline/contract/core/endpoint.ts';
import { expect, vi } from 'vitest';
import type { TestOrganization, TestServer } from '#testing/server.ts';
import { addChanges, addRepository } from '../snapshots/changes.fixture.ts';

/** A browser of an auditor in one portal. */
export interface TestAuditor {
  portalId: string;
  call: ApiCall;
  /** Sends a request with the cookie and returns the response. */
  send: <E extends Endpoint>(endpoint: E, input: CallInput<E>, init?: RequestInit) => Promise<Response>;
}

/** Adds a repository without a scanner with twelve merges, of which the fourth and eleventh have no approval, and a ready snapshot. */
export async function addReadySnapshot(
  server: TestServer,
  org: TestOrganization,
  period: '2026-Q2' | '2026-Q3' = '2026-Q3',
): Promise<string> {
  const repository = await addRepository(server.services, org.id, `widgets-${period}`);
  const from = period === '2026-Q3' ? '2026-07-02T00:00:00.000Z' : '2026-04-02T00:00:00.000Z';
  await addChanges(server.services, org.id, repository, { from, count: 12 });
  const by = server.as(org.owner, org.id);
  const created = await by(createSnapshot, {
    body: { name: `Snapshot ${period}`, period, controls: ['CHG-01', 'LOG-01', 'SCN-01'] },
  } as never);
  await vi.waitFor(
    async () => expect((await by(getSnapshot, { params: { snapshotId: created.id } })).state).toBe('ready'),
    { timeout: 60_000, interval: 200 },
  );
  return created.id;
}

/** Opens a portal and returns its auditor. */
export async function openTestPortal(
  server: TestServer,
  org: TestOrganization,
  snapshots: string[],
  more: object = {},
): Promise<TestAuditor> {
  const { link } = await server.as(org.owner, org.id)(createPortal, {
    body: {
      name: 'Audit 2026',
      auditor: { name: 'Petra Prüfer', email: null },
      snapshots,
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      ...more,
    },
  } as never);
  const baseUrl = `${server.url}/api`;
  let cookie = '';
  const withCookie: typeof fetch = async (url, init) => {
    const response = await fetch(url, { ...init, headers: { ...(init?.headers as object), cookie } });
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return response;
  };
  const call = createClient({ baseUrl, token: () => undefined, fetch: withCookie });
  const { portalId } = await call(enterPortal, { body: { token: link.split('#')[1] ?? '' } });
  return {
    portalId,
    call,
    send: (endpoint, input, init) => withCookie(urlOf(baseUrl, endpoint, input), { method: endpoint.method, ...init }),
  };
}
