import { type BrowserContext, expect, type Page } from '@playwright/test';

export interface Person {
  name: string;
  email: string;
}

export const ada: Person = { name: 'Ada Byron', email: 'ada.byron@example.org' };
export const password = 'correct horse battery staple';

/** A person who may sign up at a server, and the code host account that they may connect. */
export interface Newcomer {
  url: string;
  owner: Person;
  account: string;
}

/** Signs up: from the product URL to a confirmed, signed-in account on its first page. */
export async function signUp(page: Page, url: string, { name, email }: Person = ada): Promise<void> {
  await openUrl(page, `${url}/signup`);
  await page.getByLabel('Full name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Confirm your email' })).toBeVisible();
  await page.goto(await linkInMail(url, email, '/oidc/verify'));
  await page.getByRole('button', { name: /confirm/i }).click();
  await signInEnded(page);
}

/**
 * The link with a path in the newest email to an address, once it was sent. Requested outside of the page, whose
 * requests send another client address, since the outbox serves only this machine.
 */
export async function linkInMail(url: string, email: string, path: string): Promise<string> {
  let found: string | undefined;
  await expect(async () => {
    const outbox = await (await fetch(`${url}/outbox`)).text();
    const mails = outbox.split('<article').filter((mail) => mail.includes(`To ${email},`));
    const links = mails.flatMap((mail) => [...mail.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link));
    found = links.find((link) => link.includes(path))?.replaceAll('&amp;', '&');
    expect(found, `a mail to ${email} with a link to ${path}`).toBeDefined();
  }).toPass({ timeout: 60_000 });
  return found ?? '';
}

/** Completes the sign-in page, regardless of where it was opened. */
export async function signIn(page: Page, { email }: Person = ada): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Opens a URL that redirects, possibly before its page is loaded. */
export async function openUrl(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'commit' });
}

export async function createOrganization(page: Page, name: string): Promise<void> {
  await expect(page).toHaveURL(/onboarding\/setup\/1/);
  await page.getByLabel(/name/i).fill(name);
  await page.getByRole('button', { name: /continue|create/i }).click();
  await expect(page).toHaveURL(/onboarding\/setup\/2/);
}

export async function connectSandbox(page: Page, { account }: Pick<Newcomer, 'account'>): Promise<void> {
  await page.getByRole('button', { name: /connect/i }).click();
  await expect(page).toHaveURL(/installations\/new/);
  const form = page.getByRole('form', { name: account, exact: true });
  await form.getByRole('button', { name: /^install/i }).click();
  await expect(page).toHaveURL(/onboarding\/setup\/3/);
}

export async function enableAllRepositories(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Select all/ }).click();
  await page.getByRole('button', { name: /^(continue|add)/i }).click();
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
}

/** Creates an account with an organization, the connected sandbox and all its repositories enabled. */
export async function setUp(page: Page, newcomer: Newcomer, organization: string): Promise<void> {
  await signUp(page, newcomer.url, newcomer.owner);
  await createOrganization(page, organization);
  await connectSandbox(page, newcomer);
  await enableAllRepositories(page);
}

/** Waits until no import is running. */
export async function importsCompleted(page: Page, url: string): Promise<void> {
  await expect(async () => {
    const answer = await page.request.get(`${url}/api/v2/repositories`, { headers: await authorizationHeader(page) });
    const states = ((await answer.json()) as { import: { state: string } }[]).map((row) => row.import.state);
    expect(states.length).toBeGreaterThan(0);
    expect(states.filter((state) => state !== 'done')).toEqual([]);
  }).toPass({ timeout: 120_000 });
}

/** The Authorization header of the page's session. Navigations in progress are awaited. */
export async function authorizationHeader(page: Page): Promise<{ authorization: string }> {
  const token = await page.waitForFunction(() => localStorage.getItem('accessToken'));
  return { authorization: `Bearer ${await token.jsonValue()}` };
}

/** Waits until a sign-in has ended on a page, since a navigation would interrupt its redirects. */
async function signInEnded(page: Page): Promise<void> {
  await page.waitForURL(({ pathname }) => !/^\/(oidc|auth|login|signup)(\/|$)/.test(pathname));
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible({ timeout: 60_000 });
}

/**
 * Lets the pages of a context show the local outbox, which serves only this machine without a proxy. It reloads every
 * two seconds, which would interrupt checks.
 */
export async function openOutbox(context: BrowserContext): Promise<void> {
  await context.route('**/outbox', async (route) => {
    // A request of the browser context would have its extra header `x-forwarded-for`.
    const response = await fetch(route.request().url());
    const { refresh: _, ...headers } = Object.fromEntries(response.headers);
    await route.fulfill({ status: response.status, headers, body: await response.text() });
  });
}
