import { type Browser, expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { authorizationHeader, createOrganization, openUrl, type Person, signIn, signUp } from './steps.ts';
import { test } from './test.ts';

const bob: Person = { name: 'Bob Stone', email: 'bob.stone@example.org' };
const carol: Person = { name: 'Carol Hart', email: 'carol.hart@example.org' };
const kestrel = 'Kestrel Payments';
const heron = 'Heron Logistics';

let product: Tenant;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ server }) => {
  product = await server.addTenant([]);
});
test.afterAll(() => product.stop());

test('creates, switches and changes organizations', { tag: '@core' }, async ({ page }) => {
  await signUp(page, product.url, product.owner);
  await createOrganization(page, kestrel);

  await test.step('creates a second one by keyboard alone', () => createByKeyboard(page));
  await test.step('marks the current organization in the list and explains why it cannot be left', () =>
    checkList(page));
  await test.step('switches on a click', () => switchTo(page, kestrel));
  await test.step('changes name and description as an owner', () => changeSettings(page));
});

test('invites, archives, restores and leaves organizations', async ({ page, browser }) => {
  test.setTimeout(300_000);
  await page.goto(`${product.url}/organizations`);
  await signIn(page, product.owner);
  await switchTo(page, kestrel);
  const guest = await newPerson(browser, bob);

  await test.step('declines an invitation', () => declineInvitation(page, browser));
  await test.step('accepts another one', () => acceptInvitation(page, guest));
  await test.step('shows settings read-only to a contributor', () => readAsContributor(guest));
  await test.step('closes an archived organization to members and makes it read-only for owners', () =>
    archive(page, guest));
  await test.step('restores it for everybody', () => restoreOrganization(page, guest));
  await test.step('leaves as a member', () => leaveOrganization(guest));
  await test.step('shows why leaving failed', () => checkFailedLeave(page));
});

async function newPerson(browser: Browser, person: Person): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signUp(page, product.url, person);
  await expect(page).toHaveURL(/onboarding\/setup\/1/);
  return page;
}

async function createByKeyboard(page: Page): Promise<void> {
  await page.goto(`${product.url}/organizations`);
  await page.getByRole('button', { name: 'Create New Organization' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Create New Organization' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Heron_');
  await expect(
    dialog.getByText('Unfortunately, the organization name might contain only [A-z] characters and !@#$-.'),
  ).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await page.keyboard.press('Backspace');
  await page.keyboard.type(' Logistics');
  await page.keyboard.press('Enter');
  // Creating an organization switches to it and opens Home.
  await expect(page.getByRole('button', { name: `Organization: ${heron} Org` })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/');
}

const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

async function openMenu(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name: `Actions for ${name}` });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Organization Settings' })).toBeVisible();
}

async function checkList(page: Page): Promise<void> {
  await page.goto(`${product.url}/organizations`);
  await expect(rowOf(page, heron)).toContainText('Current');
  await expect(rowOf(page, kestrel)).not.toContainText('Current');
  await expect(page.getByText('Account Owner')).toHaveCount(2);
  for (const [name, reason] of [
    [heron, 'You are the only account owner.'],
    [kestrel, 'Switch to this organization first'],
  ] as const) {
    await openMenu(page, name);
    const item = page.getByRole('menuitem', { name: 'Leave Organization' });
    await expect(item).toContainText(reason);
    await expect(item).toHaveAttribute('aria-disabled', 'true');
    await item.press('Enter');
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(item).toBeHidden();
  }
}

async function switchTo(page: Page, name: string): Promise<void> {
  await page.goto(`${product.url}/organizations`);
  await rowOf(page, name).getByRole('button', { name }).first().click();
  await expect(page.getByRole('button', { name: `Organization: ${name} Org` })).toBeVisible();
}

async function changeSettings(page: Page): Promise<void> {
  await page.goto(`${product.url}/organization`);
  await expect(page).toHaveURL(/\/organization\/settings$/);
  await expect(page.getByRole('heading', { name: kestrel, level: 1 })).toBeVisible();
  for (const [tab, section] of [
    ['Repositories', 'repositories'],
    [/^Members/, 'members'],
    ['General', 'settings'],
  ] as const) {
    await page.getByRole('main').getByRole('link', { name: tab }).first().click();
    await expect(page).toHaveURL(new RegExp(`/organization/${section}$`));
  }
  const save = page.getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  await expect(page.getByText('128x128 or bigger, PNG or JPG, 2 MB max')).toBeVisible();
  await expect(page.getByRole('button', { name: /logo/i })).toHaveCount(0);
  await page.getByLabel('Name').fill('Kestrel, Inc.');
  await expect(
    page.getByText('Unfortunately, the organization name might contain only [A-z] characters and !@#$.'),
  ).toBeVisible();
  await expect(save).toBeDisabled();
  await page.getByLabel('Name').fill(' ');
  await expect(save).toBeDisabled();
  await page.getByLabel('Name').fill(kestrel);
  await expect(save).toBeDisabled();
  await page.getByLabel('Description').fill('Cards and transfers');

  await page.route('**/api/v2/auth0mgm/org', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.fallback(),
  );
  await save.click();
  await expect(page.getByRole('alert')).toContainText('was not saved');
  await expect(page.getByLabel('Description')).toHaveValue('Cards and transfers');
  await page.unroute('**/api/v2/auth0mgm/org');
  await save.click();
  await expect(page.getByText('The organization is saved.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Description')).toHaveValue('Cards and transfers');
}

async function invite(page: Page, { email }: Person, roleID: string): Promise<void> {
  const answer = await page.request.post(`${product.url}/api/v2/auth0mgm/org/invite`, {
    headers: await authorizationHeader(page),
    data: { invite: { emails: [email], roleID } },
  });
  expect(await answer.json()).toMatchObject({ invited: [{ email }] });
}

async function declineInvitation(page: Page, browser: Browser): Promise<void> {
  const invited = await newPerson(browser, carol);
  await invite(page, carol, 'rol_reviewer');
  await invited.goto(product.url);
  await expect(invited.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  const row = rowOf(invited, kestrel);
  await expect(row).toContainText(`Digest Reviewer · from ${product.owner.name}, expires in 7 days`);
  await row.getByRole('button', { name: `Decline invitation to ${kestrel}` }).click();
  await invited.getByRole('dialog').getByRole('button', { name: 'Decline invitation' }).click();
  await expect(invited.getByText(`The invitation to ${kestrel} is declined.`)).toBeVisible();
  await expect(row).toBeHidden();
  await invited.context().close();
}

async function acceptInvitation(page: Page, guest: Page): Promise<void> {
  await invite(page, bob, 'rol_contributor');
  await guest.goto(product.url);
  await rowOf(guest, kestrel)
    .getByRole('link', { name: `Accept invitation to ${kestrel}` })
    .click();
  await expect(guest.getByRole('button', { name: `Organization: ${kestrel} Org` })).toBeVisible();
}

async function readAsContributor(guest: Page): Promise<void> {
  await guest.goto(`${product.url}/organization/settings`);
  await expect(guest.getByText(`Only an account owner can change this. Ask ${product.owner.email}.`)).toBeVisible();
  await expect(guest.getByLabel('Name')).toHaveValue(kestrel);
  await expect(guest.getByLabel('Name')).not.toBeEditable();
  await expect(guest.getByRole('button', { name: 'Save' })).toBeHidden();
  await expect(guest.getByText('Danger Zone')).toBeHidden();
}

async function archive(page: Page, guest: Page): Promise<void> {
  await guest.goto(product.url);
  await expect(guest.getByRole('heading', { name: 'Home' })).toBeVisible();
  await page.goto(`${product.url}/organization/settings`);
  await page.getByRole('button', { name: 'Archive organization' }).click();
  const dialog = page.getByRole('dialog', { name: `Archive ${kestrel}?` });
  const confirm = dialog.getByRole('button', { name: 'Archive organization' });
  await expect(dialog.getByLabel(`Type ${kestrel} to confirm`)).toBeFocused();
  await page.keyboard.type('Kestrel');
  await expect(confirm).toBeDisabled();
  await page.keyboard.type(' Payments');
  await page.keyboard.press('Enter');

  await expect(page.getByText('This organization is archived since')).toBeVisible();
  await expect(page.getByLabel('Name')).not.toBeEditable();
  await expect(page.getByText('Danger Zone')).toBeHidden();
  const refused = await page.request.put(`${product.url}/api/v2/auth0mgm/org`, {
    headers: await authorizationHeader(page),
    data: { displayName: 'Other', description: '' },
  });
  expect(refused.status()).toBe(409);
  await page.goto(product.url);
  await expect(page.getByText('This organization is archived since')).toBeVisible();
  await page.goto(`${product.url}/organizations`);
  await expect(rowOf(page, kestrel)).toContainText('Archived');

  // Shown immediately on the current page.
  await expect(guest.getByRole('heading', { name: 'You no longer have access' })).toBeVisible();
  const denied = await guest.request.get(`${product.url}/api/v2/auth0mgm/org`, {
    headers: await authorizationHeader(guest),
  });
  expect(denied.status()).toBe(403);
  await guest.goto(`${product.url}/organizations`);
  await expect(guest.getByRole('heading', { name: 'Organizations' })).toBeVisible();
  await expect(rowOf(guest, kestrel)).toBeHidden();
}

async function restoreOrganization(page: Page, guest: Page): Promise<void> {
  await page.goto(product.url);
  await page.getByRole('button', { name: 'Restore organization' }).click();
  await expect(page.getByText('This organization is archived since')).toBeHidden();
  await expect(page.getByRole('button', { name: `Organization: ${kestrel} Org` })).toBeVisible();
  await page.goto(`${product.url}/organization/settings`);
  await expect(page.getByRole('button', { name: 'Archive organization' })).toBeVisible();
  await guest.goto(`${product.url}/organizations`);
  await expect(rowOf(guest, kestrel)).toContainText('Code Contributor');
}

async function leaveOrganization(guest: Page): Promise<void> {
  await guest.goto(`${product.url}/organizations`);
  await openMenu(guest, kestrel);
  const item = guest.getByRole('menuitem', { name: 'Leave Organization' });
  await expect(async () => {
    await guest.keyboard.press('ArrowDown');
    await expect(item).toBeFocused({ timeout: 200 });
  }).toPass();
  await guest.keyboard.press('Enter');
  const dialog = guest.getByRole('dialog', { name: `Leave ${kestrel}?` });
  await dialog.getByRole('button', { name: 'Leave organization' }).click();
  await expect(dialog).toBeHidden();
  await expect(guest.getByRole('heading', { name: 'Organizations' })).toBeVisible();
  await expect(rowOf(guest, kestrel)).toBeHidden();
  expect(new URL(guest.url()).pathname).toBe('/organizations');
  expect(await guest.evaluate(() => localStorage.getItem('organization'))).toBeNull();
}

async function checkFailedLeave(page: Page): Promise<void> {
  // Another owner left while the page was open, so the list still offers to leave.
  await page.route('**/api/v2/auth0mgm/user/organizations?*', async (route) => {
    const answer = await route.fetch();
    const list = (await answer.json()) as { owners: string[] }[];
    await route.fulfill({ response: answer, json: list.map((one) => ({ ...one, owners: [...one.owners, 'gone'] })) });
  });
  await page.goto(`${product.url}/organizations`);
  await openMenu(page, kestrel);
  await page.getByRole('menuitem', { name: 'Leave Organization' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave organization' }).click();
  const banner = page.getByRole('alert');
  await expect(banner).toContainText('You are the only account owner.');
  await banner.getByRole('button', { name: 'See details' }).click();
  await expect(banner).toContainText('An organization needs an account owner');
  await banner.getByRole('button', { name: 'Dismiss' }).click();
  await expect(banner).toBeHidden();
}

test('opens the only organization after signing in', async ({ page }) => {
  const eve: Person = { name: 'Eve Lone', email: 'eve.lone@example.org' };
  await signUp(page, product.url, eve);
  await createOrganization(page, 'Lone Falcon');
  await openUrl(page, `${product.url}/logout`);
  await signIn(page, eve);
  await expect(page.getByRole('button', { name: 'Organization: Lone Falcon Org' })).toBeVisible();
});

test('limits sessions and networks', async ({ page }) => {
  await signUp(page, product.url, { name: 'Nell Net', email: 'nell.net@example.org' });
  await createOrganization(page, 'Osprey Networks');
  await page.goto(`${product.url}/organization/settings`);
  await page.getByRole('button', { name: 'Limit sessions' }).click();
  await page.getByRole('combobox', { name: 'Idle timeout' }).click();
  await page.getByRole('option', { name: '30 minutes' }).click();
  await expectAccessible(page, 'sessions');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Members sign in again after 30 minutes without use.')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('button', { name: 'Allow networks' }).click();
  await page.getByRole('textbox', { name: 'Networks' }).fill('198.51.100.0/24');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('You would be locked out')).toBeVisible();
  await expectAccessible(page, 'networks');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Allow networks' })).toBeFocused();
});

test('adds a domain and requires its verification before a login', async ({ page }) => {
  await signUp(page, product.url, { name: 'Sam Sign', email: 'sam.sign@example.org' });
  await createOrganization(page, 'Kite Logins');
  await page.goto(`${product.url}/organization/settings`);
  await page.getByLabel('Domain').fill('kite.example');
  await page.getByRole('button', { name: 'Add domain' }).click();
  await expect(page.getByText('_sightline.kite.example')).toBeVisible();
  await page.getByRole('button', { name: 'Verify kite.example' }).click();
  await expect(page.getByRole('alert')).toContainText(/does not have the TXT record yet|did not answer/);
  await expectAccessible(page, 'a domain');
  await page.getByRole('button', { name: 'Require a provider' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Provider' }).click();
  await page.getByRole('option').nth(1).click();
  await dialog.getByRole('checkbox', { name: 'Sam Sign' }).check();
  await expectAccessible(page, 'a required login');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('A break-glass owner is an active Account Owner');
});
