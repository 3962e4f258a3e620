import { type Browser, expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { authorizationHeader, createOrganization, openUrl, password, signIn, signUp } from './steps.ts';
import { test } from './test.ts';

const rita = { name: 'Rita Reviewer', email: 'rita@kestrelpay.example' };
const reason = 'The vendor rotates these keys once a month.';

let product: Tenant;
test.beforeAll(async ({ server }) => {
  product = await server.addTenant([]);
});
test.afterAll(() => product?.stop());

/** Signs Rita in as a Digest Reviewer of the owner's organization. */
async function joinAsReviewer(browser: Browser, owner: Page): Promise<Page> {
  const organization = String(await owner.evaluate(() => localStorage.getItem('organization')));
  const account = ['--email', rita.email, '--name', rita.name, '--password', password, '--verified'];
  await product.sightline('user', 'create', ...account);
  await product.sightline('member', 'add', '--org', organization, '--email', rita.email, '--role', 'reviewer');
  const page = await (await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' })).newPage();
  await openUrl(page, `/login?organization=${organization}`);
  await signIn(page, rita);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  return page;
}

const limit = async (page: Page, policyId: string) => {
  const headers = await authorizationHeader(page);
  const answer = await page.request.get(`${product.url}/api/v2/policies/${policyId}`, { headers });
  const { version, settings } = (await answer.json()) as {
    version: number;
    settings: Record<string, { limit: number }>;
  };
  return [version, settings['VUL-02']?.limit];
};

test('requires a second person to weaken a policy', async ({ page: owner, browser }) => {
  test.setTimeout(240_000);
  await signUp(owner, product.url, product.owner);
  await createOrganization(owner, 'Kestrel Payments');
  const reviewer = await joinAsReviewer(browser, owner);
  const created = await owner.request.post(`${product.url}/api/v2/policies`, {
    headers: await authorizationHeader(owner),
    data: {
      name: 'Leaked keys',
      kind: 'sla',
      settings: { 'VUL-02': { limit: 2 } },
      scope: { repositories: null, branches: [], tools: [] },
    },
  });
  const { policy } = (await created.json()) as { policy: { id: string } };
  const heading = owner.getByRole('heading', { name: 'Pending change' });
  const pendingChange = owner.locator('section').filter({ has: heading });

  await test.step('holds the weaker version back and shows its old and new values', async () => {
    await owner.goto(`${product.url}/policies/${policy.id}`);
    await owner.getByLabel('Limit', { exact: true }).fill('30');
    await owner.getByRole('button', { name: 'Save new version' }).click();
    await expect(pendingChange).toContainText(/Limit\s*2\s*30/);
    await expect(pendingChange.getByRole('button', { name: 'Approve change' })).toHaveCount(0);
    await expect(pendingChange.getByRole('button', { name: 'Withdraw change' })).toBeVisible();
    await expectAccessible(owner, 'a policy with a pending change');
    expect(await limit(owner, policy.id)).toEqual([1, 2]);
  });

  await test.step('counts it on the home page of the reviewer, who approves it with a reason', async () => {
    await reviewer.goto('/');
    await reviewer.getByRole('link', { name: /Policy change to decide/ }).click();
    await expect(reviewer.getByRole('heading', { level: 1 })).toHaveText('Policy changes');
    await expectAccessible(reviewer, 'pending changes of policies');
    await reviewer.getByRole('button', { name: 'Actions for the change of Leaked keys' }).click();
    await reviewer.getByRole('menuitem', { name: 'Approve' }).click();
    const dialog = reviewer.getByRole('dialog', { name: 'Approve this change' });
    await expect(dialog.getByRole('button', { name: 'Approve' })).toBeDisabled();
    await dialog.getByLabel('Reason').fill(reason);
    await expectAccessible(reviewer, 'the approval of a change');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await expect(reviewer.getByRole('heading', { name: 'No pending changes' })).toBeVisible();
    await reviewer.getByRole('link', { name: 'Decided' }).click();
    await expect(reviewer.getByRole('table')).toContainText(`by ${rita.name}`);
  });

  await test.step('applies the approved version, and records both persons', async () => {
    await expect(pendingChange).toHaveCount(0);
    expect(await limit(owner, policy.id)).toEqual([2, 30]);
    await owner.goto(`${product.url}/audit`);
    await expect(owner.getByText(/approved a change that weakens the policy/)).toBeVisible();
    await expect(owner.getByText(/requested a change that weakens the policy/)).toBeVisible();
  });

  await test.step('withdraws an own request', async () => {
    await owner.goto(`${product.url}/policies/${policy.id}`);
    await owner.getByLabel('Limit', { exact: true }).fill('60');
    await owner.getByRole('button', { name: 'Save new version' }).click();
    await pendingChange.getByRole('button', { name: 'Withdraw change' }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Withdraw change' }).click();
    await expect(pendingChange).toHaveCount(0);
    expect(await limit(owner, policy.id)).toEqual([2, 30]);
  });
  await reviewer.context().close();
});
