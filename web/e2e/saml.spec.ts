import { type Browser, expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { type Product, sandboxOf, startProduct } from './server.ts';
import { createOrganization, signUp } from './steps.ts';
import { test } from './test.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product?.stop());

const grace = 'grace.hopper@sandbox.example';

/** Chooses Grace at the identity provider, which is on another site, and returns with its response. */
async function signInAtProvider(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Grace Hopper/ }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** A browser without a session at the sign-in page. */
async function newVisitor(browser: Browser, path: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(path.startsWith('http') ? path : `${product.url}${path}`);
  return page;
}

test('connects a SAML identity provider, signs in, shows why it fails, and works again after the repair', async ({
  browser,
  page,
  context,
}) => {
  test.setTimeout(240_000);
  const sandbox = `${sandboxOf(product)}/saml`;
  const settings = `${product.url}/organization/settings`;
  await signUp(page, product.url, { name: 'Ada Byron', email: 'ada.byron@example.org' });
  await createOrganization(page, 'Kestrel Payments');
  const dialog = page.getByRole('dialog');
  const importAgain = async () => {
    await page.getByRole('button', { name: 'Change SAML' }).click();
    await dialog.getByRole('textbox', { name: 'Metadata URL' }).fill(`${sandbox}/metadata`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toHaveCount(0);
  };
  let link = '';

  await test.step('needs a verified domain', async () => {
    await page.goto(settings);
    await expect(page.getByText('To connect a SAML identity provider, first verify a domain')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Connect SAML' })).toBeDisabled();
    await product.sightline('org', 'verify-domain', 'kestrel-payments', 'sandbox.example');
    await page.reload();
  });
  await test.step('refuses a file that is no metadata, and connects by the file of the identity provider', async () => {
    await page.getByRole('button', { name: 'Connect SAML' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Sandbox Corp');
    await dialog.getByText('File or text').click();
    const file = dialog.locator('input[type=file]');
    await file.setInputFiles({ name: 'idp.xml', mimeType: 'text/xml', buffer: Buffer.from('<x/>') });
    await expect(dialog.getByLabel('Metadata', { exact: true })).toHaveValue('<x/>');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(dialog.getByRole('alert')).toContainText('The metadata must describe exactly one identity provider');
    await expectAccessible(page, 'the form of the SAML login');
    const xml = Buffer.from(await (await fetch(`${sandbox}/metadata`)).text());
    await file.setInputFiles({ name: 'idp.xml', mimeType: 'text/xml', buffer: xml });
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(page.getByText(/Sandbox Corp \(.*No sign-in yet/)).toBeVisible();
    await expect(page.getByRole('list', { name: 'Certificates' }).getByRole('listitem')).toHaveCount(1);
    await expectAccessible(page, 'a connected SAML login');
  });
  await test.step('tests the sign-in in another tab', async () => {
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Test sign-in' }).click();
    const tab = await opened;
    await signInAtProvider(tab);
    await expect(tab.getByRole('heading', { name: 'The test sign-in works' })).toBeVisible();
    await expect(tab.getByText(`Grace Hopper, ${grace}`)).toBeVisible();
    await expectAccessible(tab, 'a successful test sign-in');
    await tab.close();
  });
  await test.step('downloads the metadata of this service', async () => {
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download metadata' }).click();
    expect((await downloading).suggestedFilename()).toBe('sightline-saml-metadata.xml');
  });
  await test.step('signs a new person in by the work address, who is a member then', async () => {
    const visitor = await newVisitor(browser, '/login');
    await visitor.getByRole('link', { name: 'Sign in with your organization' }).click();
    await expectAccessible(visitor, 'the page that asks for a work address');
    await visitor.getByLabel('Work email').fill('grace@elsewhere.example');
    await visitor.getByRole('button', { name: 'Find the identity provider' }).click();
    await expect(visitor.getByRole('alert')).toContainText('No organization has an identity provider');
    await visitor.getByLabel('Work email').fill(grace);
    await visitor.getByRole('button', { name: 'Find the identity provider' }).click();
    await expectAccessible(visitor, 'the identity provider that was found');
    await visitor.getByRole('link', { name: 'Continue with Sandbox Corp' }).click();
    await signInAtProvider(visitor);
    await expect(visitor).toHaveURL(new RegExp(`^${product.url}/(?!oidc|login|auth)`));
    await visitor.context().close();
    await product.sightline('member', 'add', '--org', 'kestrel-payments', '--email', grace, '--role', 'reviewer');
    await page.reload();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy sign-in link' }).click();
    link = await page.evaluate(() =>
      (navigator as unknown as { clipboard: { readText: () => Promise<string> } }).clipboard.readText(),
    );
    const member = await newVisitor(browser, link);
    await signInAtProvider(member);
    await expect(member.getByRole('navigation', { name: 'Main' })).toBeVisible({ timeout: 30_000 });
    await member.context().close();
  });
  const provider = await context.newPage();
  await test.step('shows why responses are refused after the provider replaced its certificate', async () => {
    await provider.goto(sandbox);
    await provider.getByRole('button', { name: 'Replace the certificate at once' }).click();
    const visitor = await newVisitor(browser, link);
    await signInAtProvider(visitor);
    await expect(visitor.getByRole('alert')).toContainText('The response of Sandbox Corp was not accepted.');
    await expectAccessible(visitor, 'a refused response');
    await visitor.context().close();
    await expect(page.getByText(/Its signature matches none of the connected certificates/)).toBeVisible();
    await expectAccessible(page, 'a SAML login with a problem');
  });
  await test.step('works again after its metadata are imported', async () => {
    await importAgain();
    await expect(page.getByText(/Its signature matches none/)).toHaveCount(0);
    const visitor = await newVisitor(browser, link);
    await signInAtProvider(visitor);
    await expect(visitor.getByRole('navigation', { name: 'Main' })).toBeVisible({ timeout: 30_000 });
    await visitor.context().close();
  });
  await test.step('follows a published certificate without an interruption', async () => {
    await provider.getByRole('button', { name: 'Publish the next certificate' }).click();
    await expect(provider.getByText('The metadata contain the next certificate too.')).toBeVisible();
    await importAgain();
    await expect(page.getByRole('list', { name: 'Certificates' }).getByRole('listitem')).toHaveCount(2);
    await provider.getByRole('button', { name: 'Sign with the next certificate' }).click();
    await expect(provider.getByText('The metadata contain one certificate.')).toBeVisible();
    const visitor = await newVisitor(browser, link);
    await signInAtProvider(visitor);
    await expect(visitor.getByRole('navigation', { name: 'Main' })).toBeVisible({ timeout: 30_000 });
    await visitor.context().close();
  });
  await test.step('starts at the portal of the provider only after an owner allowed it', async () => {
    const visitor = await newVisitor(browser, sandbox);
    await signInAtProvider(visitor);
    await expect(visitor.getByRole('heading', { name: 'Start again' })).toBeVisible();
    await page.getByRole('button', { name: 'Change SAML' }).click();
    await dialog.getByText('Unchanged').click();
    await dialog.getByRole('switch', { name: 'Start from the portal of the identity provider' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toHaveCount(0);
    await visitor.goto(sandbox);
    await signInAtProvider(visitor);
    // The response of the portal is discarded, and the provider is asked.
    await expect(visitor.getByText('There you would be signed in')).toBeVisible();
    await signInAtProvider(visitor);
    await expect(visitor.getByRole('navigation', { name: 'Main' })).toBeVisible({ timeout: 30_000 });
    await visitor.context().close();
  });
  await test.step('disconnects', async () => {
    await page.getByRole('button', { name: 'Disconnect SAML' }).click();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await expect(page.getByText('No SAML identity provider is connected.')).toBeVisible();
  });
});
