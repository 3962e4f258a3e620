import { type Browser, expect, type Page, test } from '@playwright/test';
import { type RoleId, roleNames } from '../../contract/src/core/permissions.ts';
import { createStory } from '../../sandbox/src/testing/repository.ts';
import { forgery, uploadScan } from './findings.ts';
import { type Product, startProduct } from './server.ts';
import { ada, authorizationHeader, importsCompleted, openUrl, type Person, password, setUp, signIn } from './steps.ts';

// A failed route does not hide the others.
const softly = expect.configure({ soft: true, timeout: 60_000 });

const organizationName = 'Kestrel Payments';

let story: Awaited<ReturnType<typeof createStory>>;
let product: Product;
let ids: { organization: string; repository: string; finding: string };

const people: Record<RoleId, Person> = {
  rol_owner: ada,
  rol_contributor: { name: 'Zoë Ångström', email: 'zoe@example.org' },
  rol_reviewer: { name: 'Rita Reviewer', email: 'rita@example.org' },
  rol_auditor: { name: 'Otto Auditor', email: 'otto@example.org' },
};
const everyRole = Object.keys(people) as RoleId[];

test.beforeAll(async ({ browser }) => {
  test.setTimeout(1_500_000);
  story = await createStory('widgets');
  product = await startProduct([story.path]);
  const page = await (await browser.newContext({ baseURL: product.url })).newPage();
  await setUp(page, product, organizationName);
  await importsCompleted(page, product.url);
  await uploadScan(page, 'sandbox/widgets', [forgery]);
  const organization = (await page.evaluate(() => localStorage.getItem('organization'))) ?? '';
  ids = {
    organization,
    repository: await firstIdOf(page, '/v2/repositories'),
    finding: await firstIdOf(page, '/v2/vulnerabilities?dataSource=semgrep'),
  };
  for (const role of everyRole.slice(1)) await createMember(role);
  await page.context().close();
});
test.afterAll(async () => {
  await product.stop();
  await story.remove();
});

interface OpenedRoute {
  /** The pattern in section 2.2 of the specification. */
  pattern: string;
  path: () => string;
  /** The final URL, if it differs. */
  leadsTo?: string;
  /** The heading of the page. */
  heading: string | RegExp;
  /** The roles without access, and their alternative content. */
  refuses?: readonly RoleId[];
}

const notAllowed = 'Your role does not include this page';

const routes: OpenedRoute[] = [
  { pattern: '/', path: () => '/', heading: 'Home' },
  { pattern: '/notification/settings', path: () => '/notification/settings', heading: 'Notification settings' },
  { pattern: '/tools', path: () => '/tools', heading: 'Tool Inventory' },
  { pattern: '/explore', path: () => '/explore', heading: 'Explore' },
  { pattern: '/repositories', path: () => '/repositories', heading: 'Repositories' },
  {
    pattern: '/repository/{repositoryId}',
    path: () => `/repository/${ids.repository}`,
    leadsTo: '/repository/github/sandbox/widgets',
    heading: /widgets/,
  },
  {
    pattern: '/repository/{provider}/{path...}',
    path: () => '/repository/github/sandbox/widgets',
    heading: /widgets/,
  },
  { pattern: '/organizations', path: () => '/organizations', heading: 'Organizations' },
  {
    pattern: '/organization',
    path: () => '/organization',
    leadsTo: '/organization/settings',
    heading: organizationName,
  },
  ...['settings', 'repositories', 'members'].map((section) => ({
    pattern: '/organization/{section}',
    path: () => `/organization/${section}`,
    heading: organizationName,
    ...(section === 'members' && { refuses: ['rol_contributor'] as const }),
  })),
  { pattern: '/integrations', path: () => '/integrations', heading: 'Integrations' },
  ...['source-code-management', 'browser-extensions', 'ide-extensions', 'security-scanners'].map((category) => ({
    pattern: '/integrations/{category}',
    path: () => `/integrations/${category}`,
    heading: 'Integrations',
  })),
  { pattern: '/vulnerabilities', path: () => '/vulnerabilities', heading: 'Vulnerabilities' },
  { pattern: '/vulnerabilities/{id}', path: () => `/vulnerabilities/${ids.finding}`, heading: forgery.name },
  { pattern: 'profile of another handle', path: () => '/bob', leadsTo: '/', heading: 'Home' },
  { pattern: 'any unknown path', path: () => '/nope', heading: '404 Not Found' },
  { pattern: 'any unknown path', path: () => '/nope/xx', heading: '404 Not Found' },
  { pattern: '_/integrations/github', path: () => '/_/integrations/github', heading: 'GitHub was not connected' },
];

for (const role of everyRole) {
  test(`${roleNames[role]} opens every route of section 2.2`, async ({ browser }) => {
    const page = await signedIn(browser, people[role]);
    if (role === 'rol_contributor') await connectIdentity(page);
    for (const { pattern, path, leadsTo, heading, refuses } of routes) {
      await test.step(`${pattern} at ${path()}`, async () => {
        await page.goto(path());
        if (refuses?.includes(role)) {
          await softly(page.getByText(notAllowed), path()).toBeVisible();
          return;
        }
        await softly(page.getByRole('heading', { name: heading, level: 1 }).first(), path()).toBeVisible();
        await softly.poll(() => new URL(page.url()).pathname, path()).toBe(leadsTo ?? path());
        await softly(page.getByRole('dialog'), path()).toBeHidden();
      });
    }
    await page.context().close();
  });
}

const firstIdOf = async (page: Page, path: string): Promise<string> => {
  const answer = await page.request.get(`/api${path}`, { headers: await authorizationHeader(page) });
  const [first] = (await answer.json()) as { id: string }[];
  expect(first, `something at ${path}`).toBeDefined();
  return first?.id ?? '';
};

async function createMember(role: RoleId): Promise<void> {
  const { name, email } = people[role];
  const { organization } = ids;
  await product.sightline('user', 'create', '--email', email, '--name', name, '--password', password, '--verified');
  await product.sightline('member', 'add', '--org', organization, '--email', email, '--role', role.replace('rol_', ''));
}

async function signedIn(browser: Browser, person: Person): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: product.url })).newPage();
  await openUrl(page, '/login');
  await signIn(page, person);
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  return page;
}

/** Connects the code host login, which the role's own repositories require, during the onboarding. */
async function connectIdentity(page: Page): Promise<void> {
  await test.step('/onboarding and /onboarding/setup/{step}', async () => {
    await page.goto('/onboarding');
    await expect(page).toHaveURL(/\/onboarding\/setup\/1$/);
    await page.getByRole('button', { name: 'Connect Sandbox GitHub' }).click();
    await page.getByRole('button', { name: /zoe-a/ }).click();
    await expect(page).toHaveURL(/\/onboarding\/setup\/2$/);
    await expect(page.getByRole('heading', { name: 'Install the editor extension' })).toBeVisible();
  });
  await test.step('opens the profile of their own handle', async () => {
    await page.goto('/zoe-a');
    await expect(page.getByRole('heading', { name: people.rol_contributor.name, level: 1 })).toBeVisible();
  });
}
