import { type BrowserContext, expect, type Page } from '@playwright/test';
import { tabTo } from './keys.ts';
import { expectToShow, screens } from './screens.ts';
import { type Product, startProduct } from './server.ts';
import { importsCompleted, openOutbox, setUp } from './steps.ts';
import { test } from './test.ts';

const softly = expect.configure({ soft: true });

let product: Product;
let session: Awaited<ReturnType<BrowserContext['storageState']>>;

test.beforeAll(async ({ browser }) => {
  product = await startProduct();
  const page = await browser.newPage();
  await setUp(page, product, 'Kestrel Payments');
  await importsCompleted(page, product.url);
  session = await page.context().storageState();
  await page.close();
});
test.afterAll(() => product.stop());

/** Navigates to a screen by keyboard from the previous one; returns another page if one opened. */
type KeyboardRoute = (page: Page) => Promise<Page | undefined>;

const letter =
  (key: string): KeyboardRoute =>
  async ({ keyboard }) => {
    await keyboard.press('g');
    await keyboard.press(key);
    return undefined;
  };

const palette =
  (words: string, found: RegExp): KeyboardRoute =>
  async (page) => {
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Search and commands' })).toBeFocused();
    await page.keyboard.type(words);
    await expect(page.getByRole('dialog').getByRole('option', { selected: true })).toHaveText(found);
    await page.keyboard.press('Enter');
    return undefined;
  };

const link =
  (name: RegExp, before?: KeyboardRoute): KeyboardRoute =>
  async (page) => {
    await before?.(page);
    const target = page.getByRole('main').getByRole('link', { name }).first();
    await expect(target).toBeVisible();
    await tabTo(page, target);
    await page.keyboard.press('Enter');
    return undefined;
  };

const opened =
  (navigateTo: KeyboardRoute): KeyboardRoute =>
  async (page) => {
    const [popup] = await Promise.all([page.waitForEvent('popup'), navigateTo(page)]);
    return popup;
  };

const repository = palette('widg', /widgets/);

/** Opens a documentation page from the table of contents. */
const article =
  (name: string | RegExp): KeyboardRoute =>
  async (page) => {
    const docs = (await opened(palette('documentation', /^Open the documentation/))(page)) ?? page;
    const target = docs.getByRole('link', { name, exact: true }).first();
    await expect(target).toBeVisible();
    await tabTo(docs, target);
    await docs.keyboard.press('Enter');
    return docs;
  };

/** The screens of screens.ts that the product links to. */
const keyboardRoutes: Record<string, KeyboardRoute> = {
  '/': letter('h'),
  '/repositories': letter('r'),
  '/tools': letter('t'),
  '/agent-sessions': link(/^Agent sessions/, letter('t')),
  '/agent-configuration': link(/^Configuration/, link(/^Agent sessions/, letter('t'))),
  '/agent-reconciliation': link(/^Reconciliation/, link(/^Agent sessions/, letter('t'))),
  '/agent-reconciliation/agents': link(/^Agents$/, link(/^Reconciliation/, link(/^Agent sessions/, letter('t')))),
  '/agent-sessions/copilot': link(/^GitHub Copilot usage/, link(/^Agent sessions/, letter('t'))),
  '/agent-sessions/setup': link(/^Set up an agent/, link(/^Agent sessions/, letter('t'))),
  '/explore': letter('e'),
  '/vulnerabilities': letter('v'),
  '/integrations': letter('i'),
  '/organization/members': letter('m'),
  '/organization/settings': letter('s'),
  '/evidence': letter('o'),
  '/changes': letter('d'),
  '/digests': letter('w'),
  '/policies': letter('p'),
  '/policies/new': link(/^Create from scratch/, letter('p')),
  '/policies/changes': link(/^Changes/, letter('p')),
  '/waivers': link(/^Waivers/, letter('p')),
  '/evidence/frameworks': link(/^Frameworks/, letter('o')),
  '/evidence/frameworks/soc2': link(/^SOC 2/, link(/^Frameworks/, letter('o'))),
  '/remediations': link(/^Remediation/, letter('o')),
  '/evidence/access-reviews': letter('c'),
  '/evidence/host-access': link(/^Access on code hosts/, letter('c')),
  '/evidence/host-access/duties': link(/^Segregation of duties/, link(/^Access on code hosts/, letter('c'))),
  '/evidence/snapshots': letter('f'),
  '/evidence/auditor-portals': link(/^Auditor portals/, letter('f')),
  '/evidence/destinations': link(/^Evidence destinations/, letter('f')),
  '/ledger': letter('l'),
  '/audit': letter('a'),
  '/audit/streams': link(/^Configure streaming/, letter('a')),
  '/notifications': letter('n'),
  '/account': palette('account', /^Account settings/),
  '/organizations': palette('organizations', /^Organizations/),
  '/organization/repositories': link(/^Repositories/, letter('s')),
  '/organization/access-keys': link(/^Access keys/, letter('s')),
  '/organization/erasures': link(/^Data deletion/, letter('s')),
  '/me/personal-data': link(/^Your data/, palette('account', /^Account settings/)),
  '/organization/webhooks': link(/^Webhooks/, letter('s')),
  '/notification/settings': palette('notification set', /^Notification settings/),
  '/integrations/security-scanners': link(/^Security scanners/i, letter('i')),
  '/integrations/chat': link(/^Chat/, letter('i')),
  '/docs': opened(palette('documentation', /^Open the documentation/)),
  '/docs/explore': article('Explore'),
  '/docs/outgoing-webhooks': article(/webhooks/i),
  '/docs/ledger': article(/ledger/i),
  '/docs/audit-streams': article(/streaming/i),
  '/docs/integrations-slack': article('Slack'),
  REPOSITORY: repository,
  'REPOSITORY/-/scans': link(/^Scans/, repository),
  'REPOSITORY/-/contributors': link(/^Contributors/, repository),
  'REPOSITORY/-/settings': link(/^Settings/, repository),
  'REPOSITORY/-/vulnerabilities': link(/^Vulnerabilities/, repository),
};

/** Screens without a link in the product: reached from an email, another program, a code host, or a mistyped URL. */
const externalOnly =
  /^\/(authorize|portal|_|auth|outbox|terms|no|integrations\/security-scanners\/(checkmarx|sonarqube)|integrations\/chat\/|tools\/nothing|vulnerabilities\/nothing|integrations\/nothing|docs\/nothing|repository\/github\/unknown|organization\/webhooks\/|evidence\/frameworks\/01890000|evidence\/(access-reviews|snapshots|auditor-portals|destinations|controls)\/|changes\/|digests\/)/;

test('reaches every screen by keyboard and shows the current one', async ({ browser }) => {
  test.setTimeout(600_000);
  const context = await browser.newContext({ baseURL: product.url, storageState: session });
  await openOutbox(context);
  const page = await context.newPage();
  await returnToShell(page);
  const path = await pathOfRepository(page);
  const seen = new Set<string>();
  for (const screen of screens('REPOSITORY')) {
    const route = screen.path.replace(/[?].*/, '');
    // The screens behind the help link are checked on the same screen.
    if (seen.has(route)) continue;
    seen.add(route);
    await test.step(route, async () => {
      const keyboardRoute = keyboardRoutes[route];
      expect(keyboardRoute !== undefined || externalOnly.test(route), `a keyboard route to ${route}`).toBe(true);
      const shownPage = (await (keyboardRoute ?? ((at) => openByUrl(at, route)))(page)) ?? page;
      await expect(shownPage).toHaveURL(new RegExp(`${route.replace('REPOSITORY', path)}(/getting-started)?([?#]|$)`));
      // A new page starts at its top.
      if (keyboardRoute && shownPage === page) await expectFocusInContent(shownPage, route);
      // Its heading can appear before its content.
      if (screen.path === route) await expectToShow(shownPage, screen);
      await tabThroughScreen(shownPage, route);
      if (shownPage !== page) await shownPage.close();
      await returnToShell(page);
    });
  }
});

/** Returns to a page with global shortcuts. */
async function returnToShell(page: Page): Promise<void> {
  if ((await page.getByRole('navigation', { name: 'Main' }).count()) > 0) return;
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
}

async function openByUrl(page: Page, path: string): Promise<undefined> {
  await page.goto(path);
  await expect(page.getByRole('heading').first()).toBeVisible();
}

async function pathOfRepository(page: Page): Promise<string> {
  await repository(page);
  await expect(page.getByRole('heading', { name: /widgets/, level: 1 })).toBeFocused();
  return new URL(page.url()).pathname;
}

/** Expects the focus in the new content, neither lost nor in the previous page. */
async function expectFocusInContent(page: Page, name: string): Promise<void> {
  const focusPosition = () =>
    page.locator('html').evaluate((html) => {
      const { activeElement } = html.ownerDocument;
      return activeElement.closest('main') === null ? activeElement.outerHTML.slice(0, 120) : 'in the page';
    });
  await softly.poll(focusPosition, { message: `where the focus is on ${name}`, timeout: 15_000 }).toBe('in the page');
}

/** Presses Tab through the entire screen and out of it; each stop must be visible. */
async function tabThroughScreen(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading').first()).toBeVisible();
  await page.locator('html').evaluate((html) => {
    html.ownerDocument.defaultView.stops = [];
    html.ownerDocument.activeElement?.blur();
  });
  for (let stops = 0; stops < MAX_STOPS; stops++) {
    await page.keyboard.press('Tab');
    const stop = await page.locator('html').evaluate((html) => {
      const { activeElement: element, body, defaultView: window } = html.ownerDocument;
      if (element === body || element === html) return 'out';
      // After the last stop comes the first one, past the browser's controls.
      if (element === window.stops[0]) return 'out';
      // Day, month, year and the calendar of a date field are stops of the same element.
      if (element === window.stops.at(-1) && element.type === 'date') return 'seen';
      if (window.stops.includes(element)) return `again ${element.outerHTML.slice(0, 160)}`;
      window.stops.push(element);
      // Custom controls show the focus on the adjacent label, fields with chips on their frame.
      const { parentElement: parent, nextElementSibling: beside } = element;
      const drawn = [element, beside, parent, parent?.parentElement, parent?.parentElement?.parentElement].filter(
        Boolean,
      );
      const marked = drawn.some((one) => {
        const { outlineStyle, outlineWidth, boxShadow } = window.getComputedStyle(one);
        return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
      });
      return marked ? 'seen' : `unseen ${element.outerHTML.slice(0, 160)}`;
    });
    if (stop === 'out') {
      expect(stops, `stops on ${name}`).toBeGreaterThan(0);
      return;
    }
    expect.soft(stop, `stop ${stops + 1} on ${name}`).toBe('seen');
    if (stop.startsWith('again')) return;
  }
  // A text field at the last stop would take the letters of the next shortcut.
  await page.locator('html').evaluate((html) => html.ownerDocument.activeElement?.blur());
}

/** Limits the stops in a long timeline. More than those of the notification settings. */
const MAX_STOPS = 120;
