import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import type { Tenant } from './server.ts';
import {
  authorizationHeader,
  createOrganization,
  linkInMail,
  openUrl,
  type Person,
  password,
  signIn,
  signUp,
} from './steps.ts';
import { test } from './test.ts';

const kestrel = 'Kestrel Payments';
const priya: Person = { name: 'Priya Raman', email: 'priya@kestrelpay.example' };
const hanna: Person = { name: 'Hanna Kowalczyk', email: 'hanna@kestrelpay.example' };
const yuki: Person = { name: 'Yuki Tanabe', email: 'yuki@kestrelpay.example' };

// The second test depends on the first one.
test.describe.configure({ mode: 'serial' });

let product: Tenant;
test.beforeAll(async ({ server }) => {
  product = await server.addTenant([]);
});
test.afterAll(() => product.stop());

test('invites members of each role with and without accounts, and manages them', async ({ page, browser }) => {
  test.setTimeout(300_000);
  await signUp(page, product.url, product.owner);
  await createOrganization(page, kestrel);
  // Two of them have an account; one is signed in when the invitation arrives.
  const signedOut = await signedOutPersonOf(browser, hanna);
  const elsewhere = await personOf(browser, yuki);

  await page.goto(`${product.url}/organization/members`);
  await test.step('distinguishes valid and invalid addresses in the form', () => checkForm(page));
  await test.step('adds a contributor with a new account', async () => {
    await invite(page, priya, 'Code Contributor');
    const guest = await joinWithNewAccount(browser, priya);
    await expect(rowOf(page, priya)).toContainText('Active');
    await expectMembers(guest, false);
    await guest.context().close();
  });
  await test.step('adds a reviewer who signs in to an account', async () => {
    await invite(page, hanna, 'Digest Reviewer');
    await joinBySigningIn(signedOut, hanna);
    await expect(rowOf(page, hanna)).toContainText('Active');
    await expectMembers(signedOut, true);
    await expect(signedOut.getByRole('button', { name: /^Actions for/ })).toHaveCount(0);
    await expect(signedOut.getByRole('heading', { name: 'Invite members' })).toHaveCount(0);
  });
  await test.step('adds an owner with an open session', async () => {
    await invite(page, yuki, 'Account Owner');
    await joinSignedIn(elsewhere, yuki);
    await expect(rowOf(page, yuki)).toContainText('Account Owner');
    await expectMembers(elsewhere, true);
    await expect(elsewhere.getByRole('heading', { name: 'Invite members' })).toBeVisible();
  });
  await test.step('filters the list by counts, in the address', () => checkList(page));
  await test.step('removes owner pages from a demoted owner', async () => {
    await changeRole(page, yuki, 'Digest Reviewer');
    await expect(rowOf(page, yuki)).toContainText('Digest Reviewer');
    const answer = await elsewhere.request.get(`${product.url}/api/v2/auth0mgm/org`, {
      headers: await authorizationHeader(elsewhere),
    });
    expect(await answer.json()).toMatchObject({ role: 'rol_reviewer' });
  });
  await test.step('removes access on deactivation at once and restores it on reinstatement', async () => {
    await choose(page, hanna, 'Deactivate');
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await expect(rowOf(page, hanna)).toContainText('Deactivated');
    expect(await statusOf(signedOut)).toBe(403);
    await choose(page, hanna, 'Reinstate');
    await expect(rowOf(page, hanna)).toContainText('Active');
    expect(await statusOf(signedOut)).toBe(200);
  });
  await test.step('explains to the only owner why they cannot be changed', async () => {
    await openMenu(page, product.owner);
    for (const name of ['Deactivate', 'Delete']) {
      const item = page.getByRole('menuitem', { name });
      await expect(item).toHaveAttribute('aria-disabled', 'true');
      await expect(item).toContainText('This is the only active Account Owner.');
      await item.press('Enter');
      await expect(page.getByRole('dialog')).toBeHidden();
    }
    await page.keyboard.press('Escape');
  });
});

test('invites, changes a role and deletes by keyboard alone', async ({ page }) => {
  await openUrl(page, product.url);
  await signIn(page, product.owner);
  await arrive(page);
  await page.goto(`${product.url}/organization/members?status=active`);
  await expect(rowOf(page, hanna)).toBeVisible();

  await tabTo(page, page.getByLabel('Email addresses'));
  await page.keyboard.type('lena@kestrelpay.example noor@kestrelpay ');
  await expect(page.getByText('1 to correct')).toBeVisible();
  await page.keyboard.press('Backspace');
  await expect(page.getByLabel('Email addresses')).toHaveValue('noor@kestrelpay');
  await page.keyboard.type('.example');
  await expect(page.getByRole('button', { name: 'Invite 2' })).toBeEnabled();
  await tabTo(page, page.getByRole('button', { name: 'Invite 2' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 invitations sent')).toBeVisible();

  await tabTo(page, page.getByRole('button', { name: `Role of ${hanna.name}: Digest Reviewer` }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: /^Account Owner/ })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, hanna)).toContainText('Code Contributor');

  await tabTo(page, page.getByRole('button', { name: `Actions for ${hanna.name}` }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Deactivate' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Delete ${hanna.name}?` });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, hanna)).toHaveCount(0);
  await expect(page.getByText(`${hanna.name} is no longer a member`)).toBeVisible();
});

test('adds people of each role with a new account, an existing account and an open session', async ({
  page,
  browser,
}) => {
  test.setTimeout(300_000);
  await openUrl(page, product.url);
  await signIn(page, product.owner);
  await arrive(page);
  for (const role of ['Account Owner', 'Code Contributor', 'Digest Reviewer']) {
    const newcomer = person('Nadia', role);
    const returning = person('Rafael', role);
    const present = person('Petra', role);
    const signedOut = await signedOutPersonOf(browser, returning);
    const elsewhere = await personOf(browser, present);
    await page.goto(`${product.url}/organization/members`);
    for (const each of [newcomer, returning, present]) await invite(page, each, role);
    const fresh = await joinWithNewAccount(browser, newcomer);
    await joinBySigningIn(signedOut, returning);
    await joinSignedIn(elsewhere, present);
    for (const guest of [fresh, signedOut, elsewhere]) {
      await expectMembers(guest, role !== 'Code Contributor');
      await guest.context().close();
    }
    await page.goto(
      `${product.url}/organization/members?search=${encodeURIComponent(role.toLowerCase().replace(' ', '.'))}`,
    );
    for (const each of [newcomer, returning, present]) {
      await expect(rowOf(page, each)).toContainText('Active');
      await expect(rowOf(page, each)).toContainText(role);
    }
  }
});

const person = (name: string, role: string): Person => ({
  name: `${name} ${role}`,
  email: `${name}.${role.replace(' ', '.')}@kestrelpay.example`.toLowerCase(),
});

/** Creates an account for the newcomer during the sign-up. */
async function joinWithNewAccount(browser: Browser, newcomer: Person): Promise<Page> {
  const guest = await (await browser.newContext()).newPage();
  await openUrl(guest, await linkTo(newcomer));
  await guest.getByRole('link', { name: 'Create an account' }).click();
  await guest.getByLabel('Full name').fill(newcomer.name);
  // The invitation was sent to this address, which is therefore confirmed.
  await expect(guest.getByLabel('Email')).toHaveValue(newcomer.email);
  await guest.getByLabel('Password').fill(password);
  await guest.getByRole('button', { name: 'Create account' }).click();
  await arrive(guest);
  return guest;
}

async function joinBySigningIn(page: Page, returning: Person): Promise<void> {
  await openUrl(page, await linkTo(returning));
  await signIn(page, returning);
  await arrive(page);
}

async function joinSignedIn(page: Page, present: Person): Promise<void> {
  await openUrl(page, await linkTo(present));
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await arrive(page);
}

async function signedOutPersonOf(browser: Browser, returning: Person): Promise<Page> {
  const page = await personOf(browser, returning);
  await openUrl(page, `${product.url}/logout`);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  return page;
}

async function personOf(browser: Browser, person: Person): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signUp(page, product.url, person);
  await expect(page).toHaveURL(/onboarding\/setup\/1/);
  return page;
}

const rowOf = (page: Page, { name, email }: Person): Locator =>
  page.getByRole('row').filter({ hasText: new RegExp(`${name}|${email}`) });

async function checkForm(page: Page): Promise<void> {
  const field = page.getByLabel('Email addresses');
  await expect(page.getByRole('button', { name: 'Invite 0' })).toBeDisabled();
  await field.fill('half@way');
  await expect(page.getByText('Incomplete address')).toBeVisible();
  await field.press('Enter');
  await expect(page.getByText('1 to correct')).toBeVisible();
  await page.getByRole('button', { name: /^half@way/ }).click();
  await expect(field).toHaveValue('half@way');
  await field.fill('ola@a.example,  1ola@a.example ola@a.example2 ola@a.e\tolb@a.example');
  await field.press('Enter');
  await expect(page.getByRole('button', { name: 'Invite 2' })).toBeVisible();
  await expect(page.getByText('3 to correct. Select an address to edit it')).toBeVisible();
  for (const address of ['ola@a.example', '1ola@a.example', 'ola@a.example2', 'ola@a.e', 'olb@a.example'])
    await page.getByRole('button', { name: `Remove ${address}`, exact: true }).click();
  await page.setInputFiles('input[type=file]', {
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('name,email\nOlu,olu@contractor.example\nBroken,olu@\n'),
  });
  await expect(page.getByRole('button', { name: 'Invite 1' })).toBeEnabled();
  await page.getByRole('button', { name: 'Remove olu@contractor.example' }).click();
  await page.getByRole('button', { name: 'Remove olu@', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Invite 0' })).toBeDisabled();
}

async function invite(page: Page, { email }: Person, role: string): Promise<void> {
  await page.getByLabel('Email addresses').fill(email);
  await page.locator('form').getByLabel('Role').click();
  await page.getByRole('option', { name: role }).click();
  await page.getByRole('button', { name: 'Invite 1' }).click();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText(email);
  await expect(rowOf(page, { name: email, email })).toContainText('Pending');
}

/** The link in the newest email to a person, which the email was sent for. */
const linkTo = ({ email }: Person, path = '/invitation?') => linkInMail(product.url, email, path);

async function arrive(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: `Organization: ${kestrel} Org` })).toBeVisible({ timeout: 30_000 });
}

async function expectMembers(page: Page, allowed: boolean): Promise<void> {
  await page.goto(`${product.url}/organization/members`);
  const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Members' });
  if (allowed) {
    await expect(page.getByRole('table', { name: 'Members' })).toBeVisible();
    await expect(entry).toBeVisible();
  } else {
    await expect(page.getByRole('heading', { name: 'Your role does not include this page' })).toBeVisible();
    await expect(entry).toHaveCount(0);
  }
}

async function checkList(page: Page): Promise<void> {
  await page.reload();
  await page.getByRole('button', { name: /^Active/ }).click();
  await expect(page).toHaveURL(/status=active/);
  await expect(page.getByRole('row')).toHaveCount(5);
  await page.getByLabel('Search members').fill('yuki');
  await expect(page).toHaveURL(/search=yuki/);
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByLabel('Search members').fill('nobody at all');
  await expect(page.getByText('No member matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('row')).toHaveCount(5);
  await page.goto(
    `${product.url}/organization/members?status=active,pending&role=rol_owner,rol_reviewer&sort=name-asc&page=1`,
  );
  await expect(page.getByRole('row')).toHaveCount(4);
  await expect(page.getByRole('row').nth(1)).toContainText(product.owner.name);
  await page.goto(`${product.url}/organization/members`);
  await expect(page.getByRole('row')).toHaveCount(5);
  await page.getByRole('button', { name: 'Role permissions' }).click();
  const table = page.getByRole('dialog').getByRole('table');
  await expect(table.getByRole('row').filter({ hasText: 'Invite people' }).getByText('Yes')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(table).toBeHidden();
}

async function changeRole(page: Page, { name }: Person, role: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^Role of ${name}`) }).click();
  await page.getByRole('menuitem', { name: role }).click();
  await expect(page.getByText(`${name} is ${role} now`)).toBeVisible();
}

async function openMenu(page: Page, { name }: Person): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await expect(page.getByRole('menu')).toBeVisible();
}

async function choose(page: Page, person: Person, action: string): Promise<void> {
  await openMenu(page, person);
  await page.getByRole('menuitem', { name: action }).click();
}

async function statusOf(page: Page): Promise<number> {
  const answer = await page.request.get(`${product.url}/api/v2/auth0mgm/org`, {
    headers: await authorizationHeader(page),
  });
  return answer.status();
}

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element.matches(':focus'))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not lead there');
}
