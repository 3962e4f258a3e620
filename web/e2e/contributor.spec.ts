import { type Browser, expect, type Page } from '@playwright/test';
import { createRepository, createStory } from '../../sandbox/src/testing/repository.ts';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import {
  authorizationHeader,
  importsCompleted,
  linkInMail,
  openUrl,
  type Person,
  password,
  setUp,
  signIn,
} from './steps.ts';
import { test } from './test.ts';

const zoe: Person = { name: 'Zoë Ångström', email: 'zoe@example.org' };

let story: Awaited<ReturnType<typeof createStory>>;
let other: ReturnType<typeof createRepository>;
let product: Tenant;
let owner: Page;

test.beforeAll(async ({ browser, server }) => {
  story = await createStory('widgets');
  other = createRepository('gadgets');
  await other.start();
  await other.commit('A repository of somebody else');
  product = await server.addTenant([story.path, other.path]);
  owner = await browser.newPage();
  await setUp(owner, product, 'Kestrel Payments');
  await importsCompleted(owner, product.url);
});
test.afterAll(async () => {
  await owner.context().close();
  await product.stop();
  await story.remove();
  await other.remove();
});

test('guides a contributor from the invitation to their profile', async ({ browser }) => {
  test.setTimeout(240_000);
  const page = await (await browser.newContext({ baseURL: product.url })).newPage();

  await test.step('creates an account from an invitation', async () => {
    await invite(zoe.email, 'rol_contributor');
    await openUrl(page, await linkInMail(product.url, zoe.email, '/invitation'));
    await page.getByRole('link', { name: /create an account|sign up/i }).click();
    await page.getByLabel('Full name').fill(zoe.name);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: /create account/i }).click();
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  });

  await test.step('shows remaining steps on Home, without those of owners', async () => {
    await expect(page.getByText('Set up your profile')).toBeVisible();
    await expect(page.getByText('0 of 2 done')).toBeVisible();
    await expect(page.getByText('Quick tips')).toBeHidden();
    expect(await sidebarOf(page)).toEqual([
      'Home',
      'Tool Inventory',
      'Vulnerabilities',
      'Repositories',
      'Explore',
      'Changes',
      'Commit digests',
      'Policies',
      'Integrations',
      'Settings',
    ]);
  });

  await test.step('explains why a page is unavailable to the role', async () => {
    await page.goto('/organization/members');
    await expect(page.getByText('Your role does not include this page')).toBeVisible();
    await expect(page.getByText(product.owner.email)).toBeVisible();
    await expectAccessible(page, 'not allowed');
  });

  await test.step('shows neither repositories nor profile without an identity', async () => {
    await page.goto('/repositories');
    await expect(page.getByText('No repositories')).toBeVisible();
    await expectAccessible(page, 'no repositories of theirs');
    await page.goto('/zoe-a');
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  await test.step('postpones the first step', async () => {
    await page.getByRole('link', { name: 'Connect GitHub' }).click();
    await expect(page.getByRole('progressbar', { name: 'Onboarding' })).toHaveAttribute('aria-valuetext', '1/2');
    await expect(page.getByRole('link', { name: 'Terms' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Privacy' })).toBeVisible();
    await expectAccessible(page, 'profile setup 1');
    await page.getByRole('link', { name: "I'll do this later" }).click();
    await expect(page.getByRole('heading', { name: 'Install the editor extension' })).toBeVisible();
    await expectAccessible(page, 'profile setup 2');
    await page.goto('/onboarding/setup/1');
  });

  await test.step('continues once the identity is connected', async () => {
    await page.getByRole('button', { name: 'Connect Sandbox GitHub' }).click();
    await page.getByRole('button', { name: /zoe-a/ }).click();
    await expect(page.getByRole('heading', { name: 'Install the editor extension' })).toBeVisible();
    await expect(page).toHaveURL(/setup\/2$/);
    await expect(page.getByText('Not connected')).toBeVisible();
  });

  await test.step('keeps missing steps on Home', async () => {
    await page.getByRole('button', { name: "I'll do this later" }).click();
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    await expect(page.getByText('1 of 2 done')).toBeVisible();
    const me = await page.request.get('/api/account/me', { headers: await authorizationHeader(page) });
    expect(await me.json()).toMatchObject({ traits: { onboardingComplete: true, github: { login: 'zoe-a' } } });
  });

  await test.step('shows their activity under their login', async () => {
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Your profile' }).click();
    await expect(page.getByRole('heading', { name: zoe.name, level: 1 })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/zoe-a');
    await expect(page.getByText('Add login').first()).toBeVisible();
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('Location').fill('Malmö');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Malmö')).toBeVisible();
    await expectAccessible(page, 'profile');
    await page.reload();
    await expect(page.getByText('Malmö')).toBeVisible();
  });

  await test.step('lists the repositories they worked in', async () => {
    await page.goto('/repositories');
    await expect(page.getByRole('link', { name: /widgets/ })).toBeVisible();
    await expect(page.getByRole('link', { name: /gadgets/ })).toBeHidden();
    await page.goto('/bob');
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  });
  await page.context().close();
});

test('navigates each role to its permitted pages', async ({ browser }) => {
  test.setTimeout(240_000);
  const organization = await owner.evaluate(() => localStorage.getItem('organization'));
  const everything = [
    'Home',
    'Tool Inventory',
    'Vulnerabilities',
    'Repositories',
    'Explore',
    'Overview',
    'Changes',
    'Commit digests',
    'Policies',
    'Access reviews',
    'Snapshots',
    'Ledger',
    'Integrations',
    'Members',
    'Settings',
    'Audit log',
  ];
  expect(await sidebarOf(owner)).toEqual(everything);
  for (const role of ['reviewer', 'auditor']) {
    const person = { name: `Rita ${role}`, email: `${role}@example.org` };
    await product.sightline(
      'user',
      'create',
      '--email',
      person.email,
      '--name',
      person.name,
      '--password',
      password,
      '--verified',
    );
    await product.sightline('member', 'add', '--org', String(organization), '--email', person.email, '--role', role);
    const page = await signedIn(browser, person);
    expect(await sidebarOf(page), role).toEqual(everything);
    await page.goto('/repositories');
    await expect(page.getByRole('link', { name: /gadgets/ })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add repositories' })).toBeHidden();
    await page.context().close();
  }
});

async function invite(email: string, roleID: string): Promise<void> {
  const answer = await owner.request.post(`${product.url}/api/v2/auth0mgm/org/invite`, {
    headers: await authorizationHeader(owner),
    data: { invite: { emails: [email], roleID } },
  });
  expect(await answer.json()).toMatchObject({ invited: [{ email }] });
}

async function signedIn(browser: Browser, person: Person): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: product.url })).newPage();
  await openUrl(page, '/login');
  await signIn(page, person);
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  return page;
}

async function sidebarOf(page: Page): Promise<string[]> {
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  // Flags also determine visibility, and load a moment later.
  await expect(links.filter({ hasText: 'Explore' })).toBeVisible();
  return links.allTextContents();
}
