import { expect, type Page } from '@playwright/test';

export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;

export interface Connection {
  tenant: string;
  apiKey: string;
  baseURL: string;
  projects: { id: string; name: string }[];
  webhooks: unknown[];
}

/** The connection data of the sandbox's Checkmarx One. */
export const sandboxConnection = async (page: Page, sandbox: string): Promise<Connection> =>
  (await (await page.request.get(`${sandbox}/_sandbox/checkmarx`)).json()) as Connection;

/** Tenant and key as shown on the sandbox page, which the form links to. */
export async function connection(page: Page, sandbox: string): Promise<Connection> {
  const shown = await page.context().newPage();
  await shown.goto(`${sandbox}/checkmarx`);
  const tenant = await shown.getByLabel('Tenant name').inputValue();
  const apiKey = await shown.getByLabel('API key').inputValue();
  await shown.close();
  return { ...(await sandboxConnection(page, sandbox)), tenant, apiKey };
}

/** Triggers an action there: a scan, or a key expiry. */
export async function sandboxControl(page: Page, sandbox: string, name: string, data: object = {}): Promise<void> {
  const answer = await page.request.post(`${sandbox}/_sandbox/checkmarx/${name}`, { data });
  expect(answer.ok(), await answer.text()).toBe(true);
}

export const projectNamed = async (page: Page, sandbox: string, name: string): Promise<string> =>
  (await sandboxConnection(page, sandbox)).projects.find((project) => project.name.endsWith(name))?.id ?? '';

/** The open findings in the newest scan of a project according to Checkmarx One. */
export async function openBySeverity(page: Page, sandbox: string, { tenant, apiKey }: Connection, name: string) {
  const { request } = page;
  const grant = { grant_type: 'refresh_token', client_id: 'ast-app', refresh_token: apiKey };
  const signedIn = await request.post(`${sandbox}/auth/realms/${tenant}/protocol/openid-connect/token`, {
    form: grant,
  });
  const { access_token } = (await signedIn.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  const params = { 'project-id': await projectNamed(page, sandbox, name), limit: 1 };
  const scans = await request.get(`${sandbox}/api/scans`, { headers, params });
  const [scan] = ((await scans.json()) as { scans: { id: string }[] }).scans;
  const answer = await request.get(`${sandbox}/api/results`, {
    headers,
    params: { 'scan-id': scan?.id ?? '', limit: 10_000 },
  });
  const { results } = (await answer.json()) as { results: { severity: string; state: string; status: string }[] };
  const open = results.filter(({ state, status }) => state !== 'NOT_EXPLOITABLE' && status !== 'FIXED');
  return Object.fromEntries(
    severities.map((severity) => [severity, open.filter((one) => one.severity.toLowerCase() === severity).length]),
  ) as Record<(typeof severities)[number], number>;
}
