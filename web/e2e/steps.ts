import { expect, type Page } from '@playwright/test';

export interface Person {
  name: string;
  email: string;
}

export const ada: Person = { name: 'Ada Byron', email: 'ada.byron@example.org' };
export const password = 'correct horse battery staple';

/** From the address of the product to a confirmed account, signed in, at the first step of the setup. */
export async function signUp(page: Page, url: string, { name, email }: Person = ada): Promise<void> {
  await page.goto(`${url}/signup`);
  await page.getByLabel('Full name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Confirm your email' })).toBeVisible();
  await page.goto(`${url}/outbox`);
  const mail = page.getByRole('article').filter({ hasText: `To ${email}` });
  const link = mail.locator('a[href*="/oidc/verify"]').first();
  // The page looks for new mails by itself, which a click could meet.
  await page.goto((await link.getAttribute('href')) ?? '');
  await page.getByRole('button', { name: /confirm/i }).click();
}

/** Gives the sign-in page what it asks for, wherever it was opened from. */
export async function signIn(page: Page, { email }: Person = ada): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

export async function createOrganization(page: Page, name: string): Promise<void> {
  await expect(page).toHaveURL(/onboarding\/setup\/1/);
  await page.getByLabel(/name/i).fill(name);
  await page.getByRole('button', { name: /continue|create/i }).click();
  await expect(page).toHaveURL(/onboarding\/setup\/2/);
}

export async function connectSandbox(page: Page): Promise<void> {
  await page.getByRole('button', { name: /connect/i }).click();
  await expect(page).toHaveURL(/installations\/new/);
  await page.getByRole('button', { name: /^install/i }).click();
  await expect(page).toHaveURL(/onboarding\/setup\/3/);
}

export async function chooseAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Select all/ }).click();
  await page.getByRole('button', { name: /^(continue|add)/i }).click();
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
}

/** An account with an organization, the sandbox connected and every repository of it chosen. */
export async function setUp(page: Page, url: string, organization: string): Promise<void> {
  await signUp(page, url);
  await createOrganization(page, organization);
  await connectSandbox(page);
  await chooseAll(page);
}

/** Goes on once no repository is being read in any more. */
export async function everythingReadIn(page: Page, url: string): Promise<void> {
  await expect(async () => {
    const answer = await page.request.get(`${url}/api/v2/repositories`, { headers: await authorization(page) });
    const states = ((await answer.json()) as { import: { state: string } }[]).map((row) => row.import.state);
    expect(states.length).toBeGreaterThan(0);
    expect(states.filter((state) => state !== 'done')).toEqual([]);
  }).toPass({ timeout: 60_000 });
}

/** The header with which the page's own session asks the API. */
export async function authorization(page: Page): Promise<{ authorization: string }> {
  return { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('accessToken'))}` };
}
