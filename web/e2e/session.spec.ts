import { expect, type Page } from '@playwright/test';
import { type Product, startProduct } from './server.ts';
import { ada, openUrl, setUp, signIn } from './steps.ts';
import { test } from './test.ts';

// The tests share one account and depend on their order.
test.describe.configure({ mode: 'serial' });

let product: Product;
let state: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>;
let first: string;

test.beforeAll(async ({ browser }) => {
  product = await startProduct();
  const page = await browser.newPage();
  await setUp(page, product, 'Kestrel Payments');
  first = await organizationOf(page);
  state = await page.context().storageState();
  await page.close();
});
test.afterAll(() => product.stop());

test('signs in on a link without a session and returns to its page with the query', async ({ page }) => {
  await openUrl(page, `${product.url}/explore?query=kind:commit+widget`);
  await signIn(page);
  await expect(page.getByRole('heading', { name: 'Explore' })).toBeVisible();
  expect(addressOf(page)).toBe('/explore?query=kind:commit+widget');
});

test('opens the sign-up form at /signup and the sign-in form at /login', async ({ page }) => {
  await openUrl(page, `${product.url}/signup`);
  await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible();
  await openUrl(page, `${product.url}/login`);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('signs in at /login to Home, to a path or to the address of redirect', async ({ browser }) => {
  for (const [asked, reached] of [
    ['/login', '/'],
    ['/login?path=/tools', '/tools'],
    ['/login?redirect=/explore', '/explore'],
  ] as const) {
    const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    const page = await context.newPage();
    await openUrl(page, product.url + asked);
    await signIn(page);
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    await expect.poll(() => addressOf(page)).toBe(reached);
    await context.close();
  }
});

test('shows a wrong password beside the form', async ({ page }) => {
  await openUrl(page, `${product.url}/login`);
  await page.getByLabel('Email').fill(ada.email);
  await page.getByLabel('Password').fill('not the right one');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('is wrong');
});

test('logs an invalid response of the provider and returns to the sign-in', async ({ page }) => {
  const logged: string[] = [];
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()));
  await page.goto(`${product.url}/auth?code=invented&state=invented`);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(logged.join('\n')).toContain('Signing in failed');
});

test.describe('signed in', () => {
  test.use({ storageState: async ({ browserName: _ }, use) => use(state) });

  test('clears the storage on a refused call and returns to the page', async ({ page }) => {
    await page.goto(`${product.url}/repositories`);
    await expect(page.getByRole('heading', { name: 'Repositories', level: 1 })).toBeVisible();
    await page.evaluate(() => localStorage.setItem('onboardingStarted', 'true'));
    await page.route('**/api/v2/repositories?*', (route) =>
      route.fulfill({ status: 401, json: { code: 'unauthorized', message: 'No', requestId: 'none' } }),
    );
    const left = page.waitForURL(/\/login|\/oidc\//);
    await page.goto(`${product.url}/repositories?search=widgets`);
    await left;
    await page.unroute('**/api/v2/repositories?*');
    await expect(page.getByRole('link', { name: /widgets/ })).toBeVisible();
    expect(addressOf(page)).toBe('/repositories?search=widgets');
    expect(await page.evaluate(() => localStorage.getItem('onboardingStarted'))).toBeNull();
  });

  test('keeps the storage names of the specification, and those of single screens', async ({ page }) => {
    await page.goto(`${product.url}/explore`);
    await expect(page.getByRole('heading', { name: 'Explore' })).toBeVisible();
    const storageKeys = await page.evaluate(() => Object.keys(localStorage));
    const named = [
      'accessToken',
      'accountId',
      'organization',
      'initialUrl',
      'returnUrl',
      'onboardingStarted',
      'userTesting',
    ];
    expect(storageKeys).toEqual(expect.arrayContaining(['accessToken', 'accountId', 'organization']));
    const ofScreens = /^(zoneOffset|histogram|exploreHistory\..+|exploreLetters|theme|oidc\..+)$/;
    expect(storageKeys.filter((name) => !named.includes(name) && !ofScreens.test(name))).toEqual([]);
  });

  test('redirects /app and everything below it to Home', async ({ page }) => {
    for (const path of ['/app', '/app/members/1']) {
      await page.goto(product.url + path);
      await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
      expect(addressOf(page)).toBe('/');
    }
  });

  test('starts a session with a token at /testing, which does not exist in production', async ({ page, browser }) => {
    await page.goto(product.url);
    const strip = page.getByRole('complementary', { name: 'Environment' });
    await expect(strip).toContainText('Local outbox');
    await expect(strip.getByRole('link', { name: 'Try a token' })).toHaveAttribute('href', '/testing');
    const token = await page.evaluate(() => localStorage.getItem('accessToken'));
    const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    const other = await context.newPage();
    const storedSession = () =>
      other.evaluate(() => [localStorage.getItem('accessToken'), localStorage.getItem('userTesting')]);
    // The page configuration of a production server.
    await other.route('**/testing*', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace('content="development"', 'content="production"');
      await route.fulfill({ response: answer, body });
    });
    await other.goto(`${product.url}/testing?accessToken=${token}`);
    await expect(other.getByRole('heading', { name: '404 Not Found' })).toBeVisible();
    expect(await storedSession()).toEqual([null, null]);
    await other.unroute('**/testing*');

    await other.goto(`${product.url}/testing?accessToken=invented`);
    await expect(other.getByRole('heading', { name: 'Invalid or expired token' })).toBeVisible();
    expect(await storedSession()).toEqual([null, null]);
    await openUrl(other, `${product.url}/testing?accessToken=${token}`);
    await expect(other.getByRole('heading', { name: 'Home' })).toBeVisible();
    expect(addressOf(other)).toBe('/');
    expect(await storedSession()).toEqual([token, 'true']);
    await context.close();
  });

  test('redirects an invitation without its parameters to Home', async ({ page }) => {
    for (const path of ['/invitation', '/invitation?invitation=1', '/invitation?organization=1']) {
      await page.goto(product.url + path);
      await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    }
  });

  test('shows 404 for an unknown path', async ({ page }) => {
    await page.goto(`${product.url}/no/such/page`);
    await expect(page.getByRole('heading', { name: '404 Not Found' })).toBeVisible();
  });

  test('excludes pages from search engines outside production', async ({ page }) => {
    await page.goto(product.url);
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  });

  test('never redirects to another site after signing in', async ({ page }) => {
    for (const path of ['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example']) {
      await openUrl(page, `${product.url}/login?path=${encodeURIComponent(path)}`);
      await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
      expect(new URL(page.url()).origin).toBe(product.url);
    }
  });

  test('has a sidebar of 264 px and pages of at most 1440 px', async ({ page }) => {
    await page.setViewportSize({ width: 2400, height: 900 });
    await page.goto(product.url);
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    const sidebar = await page.getByRole('complementary', { name: 'Sidebar' }).boundingBox();
    const main = await page.getByRole('main').boundingBox();
    expect(sidebar?.width).toBe(264);
    expect(264 + (main?.width ?? 0)).toBe(1440);
  });

  test('opens the documentation from the header', async ({ page }) => {
    await page.goto(product.url);
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: /^Documentation/ }).click();
    const documentation = await opened;
    await expect(documentation.getByRole('navigation', { name: 'Documentation' })).toBeVisible();
    expect(new URL(documentation.url()).pathname).toMatch(/^\/docs\//);
    await documentation.close();
  });

  test('shows a toast at the bottom left that disappears', async ({ page }) => {
    await page.goto(`${product.url}/repositories`);
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Disable repository' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable repository' }).click();
    const toast = page.getByRole('status').filter({ hasText: 'widgets' });
    await expect(toast).toBeVisible();
    const box = await toast.boundingBox();
    expect(box?.x).toBeLessThan(100);
    expect(box?.y).toBeGreaterThan(600);
    await expect(toast).toBeHidden();
  });

  test('switches to the organization in the address, and enters no unknown one', async ({ page }) => {
    await page.goto(`${product.url}/organizations`);
    await page.getByRole('button', { name: 'Create New Organization' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Heron Logistics');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('button', { name: /Heron Logistics/ })).toBeVisible();
    expect(await organizationOf(page)).not.toBe(first);

    await openUrl(page, `${product.url}/explore?query=kind:commit&organization=${first}`);
    await expect(page.getByRole('button', { name: /Kestrel Payments/ })).toBeVisible();
    expect(addressOf(page)).toBe('/explore?query=kind:commit');
    expect(await organizationOf(page)).toBe(first);

    await openUrl(page, `${product.url}/explore?organization=org_nobody`);
    await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
    for (const name of ['Heron Logistics', 'Kestrel Payments'])
      await expect(page.getByRole('main').getByText(name).first()).toBeVisible();
    expect(await organizationOf(page)).toBe('');
  });

  test('reports a server outage and refetches everything afterwards', async ({ page }) => {
    const connected = connection(page);
    await openUrl(page, `${product.url}/?organization=${first}`);
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    await connected;
    const lost = page.getByText(/^Connection lost \(the current websocket connection is closed\)/);
    await expect(lost).toBeHidden();
    await product.halt();
    await expect(lost).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    await expect(page.getByRole('dialog')).toBeHidden();
    const askedAgain = page.waitForResponse(
      (response) => response.url().includes('/user/organizations') && response.status() === 200,
    );
    await product.resume();
    await askedAgain;
    await expect(lost).toBeHidden();
  });
});

/**
 * Waits until the server has accepted a socket of the page, since the message for a connection that never succeeded
 * differs.
 */
const connection = (page: Page): Promise<void> =>
  new Promise((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (/^40\/\w+/.test(String(payload))) resolve();
      }),
    );
  });

/** Path and query, decoded: the app may write a colon either way. */
function addressOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return decodeURIComponent(pathname + search);
}

const organizationOf = (page: Page): Promise<string> => page.evaluate(() => localStorage.getItem('organization') ?? '');
