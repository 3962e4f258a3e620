import { expect, type Page } from '@playwright/test';
import { narrow, wide } from './accessible.ts';

export interface Screen {
  path: string;
  /** A text of the loaded page. */
  shows: string | RegExp;
  /** Overlays of the page; each is opened and closed with Escape. */
  opens?: Record<string, Opening>;
}
type Open = (page: Page) => Promise<void>;
/** Opens an overlay in a wide window and checks both sizes; with a size, only that one. */
type Opening = Open | { wide: Open } | { narrow: Open };

/** All screens of an owner in an organization with one repository, one row each. */
export const screens = (repository: string): Screen[] => [
  ...overviewScreens,
  ...repositoryScreens(repository),
  ...exploreScreens,
  ...settingsScreens,
  ...findingScreens(repository),
  ...activityScreens,
  ...evidenceScreens,
  ...ledgerScreens,
  ...publicScreens,
];

/** Home, repositories, tools and the sign-in of extensions. */
const overviewScreens: Screen[] = [
  {
    path: '/',
    shows: 'Release Notes',
    opens: {
      'user menu': (page) => page.getByRole('button', { name: /^Account of/ }).click(),
      organizations: (page) => page.getByRole('button', { name: /^Organization:/ }).click(),
      palette: async (page) => {
        await page.keyboard.press('Control+k');
        await expect(page.getByRole('combobox', { name: 'Search and commands' })).toBeFocused();
      },
      'keyboard shortcuts': async (page) => {
        await expect(page.getByRole('dialog')).toBeHidden();
        await page.keyboard.press('?');
        await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
      },
      drawer: {
        narrow: async (page) => {
          await page.getByRole('button', { name: /navigation/i }).click();
          await expect(page.getByRole('dialog')).toBeVisible();
        },
      },
    },
  },
  {
    path: '/repositories',
    shows: /widgets/,
    opens: {
      'row menu': (page) =>
        page
          .getByRole('main')
          .getByRole('button', { name: /^Actions for/ })
          .first()
          .click(),
      'add repositories': async (page) => {
        await page.getByRole('button', { name: 'Add repositories' }).click();
        await expect(page.getByRole('dialog').getByRole('checkbox').first()).toBeVisible();
      },
    },
  },
  { path: '/repositories?search=zzz', shows: 'No repository matches' },
  {
    path: '/tools?tab=developer',
    shows: 'No tools detected',
    opens: { range: (page) => page.getByRole('button', { name: 'Last 30 days' }).click() },
  },
  { path: '/tools?search=zzz', shows: 'No tool matches' },
  { path: '/agent-sessions', shows: 'No agent sessions yet' },
  { path: '/agent-configuration', shows: 'No agent configuration found' },
  { path: '/agent-configuration?search=zzz', shows: 'No configuration matches' },
  { path: '/agent-reconciliation', shows: 'Nothing to reconcile yet' },
  { path: '/agent-reconciliation/agents', shows: 'No agents yet' },
  { path: '/agent-sessions/copilot', shows: 'Copilot' },
  { path: '/agent-sessions/setup', shows: 'Waiting for the first record' },
  // Without a challenge the page opens nothing and remains visible.
  { path: '/authorize/vscode', shows: 'could not be signed in' },
  { path: '/authorize/vscode?state=short', shows: 'could not be signed in' },
  { path: '/authorize/browser/done', shows: 'You can close this tab' },
  { path: '/tools/nothing-such', shows: '404 Not Found' },
];

/** One repository. */
const repositoryScreens = (repository: string): Screen[] => [
  {
    path: `${repository}?statuses=accepted,closed`,
    shows: 'Let people in',
    opens: { authors: (page) => page.getByRole('combobox', { name: 'Author' }).click() },
  },
  { path: `${repository}?search=zzz`, shows: 'No Pull Requests detected' },
  { path: `${repository}/-/scans`, shows: 'Drop a SARIF file here' },
  { path: `${repository}/-/contributors`, shows: /@/ },
  {
    path: `${repository}/-/settings`,
    shows: 'Disable Repository',
    opens: { disable: (page) => page.getByRole('button', { name: 'Disable repository' }).click() },
  },
  { path: '/repository/github/unknown/nothing', shows: 'Repository not found' },
];

/** Explore. */
const exploreScreens: Screen[] = [
  {
    path: '/explore',
    shows: 'Let people in',
    opens: {
      suggestions: (page) => page.getByRole('combobox', { name: 'Filter events' }).click(),
      timezone: (page) => page.getByRole('combobox', { name: 'Timezone' }).click(),
      event: async (page) => {
        await page.getByRole('button', { name: 'Show details' }).first().click();
        await expect(page.getByText('Received')).toBeVisible();
      },
      fault: async (page) => {
        await page.getByRole('combobox', { name: 'Filter events' }).fill('sevrity:high ledger');
        await expect(page.getByText('did you mean')).toBeVisible();
      },
    },
  },
  { path: '/explore?query=kind:commit+-actor:nobody', shows: /Merge pull request/ },
  { path: '/explore?query=kind:commit+zzz', shows: 'No events match' },
];

/** The account, its organizations and their connections. */
const settingsScreens: Screen[] = [
  // Its dialogs are checked in account.spec.ts.
  { path: '/account', shows: 'This session' },
  {
    path: '/organizations',
    shows: 'Your organizations',
    opens: {
      menu: (page) => page.getByRole('button', { name: /^Actions for/ }).click(),
      create: async (page) => {
        await page.getByRole('button', { name: 'Create New Organization' }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
      },
    },
  },
  {
    path: '/organization/settings',
    shows: 'Danger Zone',
    opens: {
      archive: async (page) => {
        await page.getByRole('button', { name: 'Archive organization' }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
      },
    },
  },
  { path: '/organization/repositories', shows: 'GitHub is connected' },
  {
    path: '/integrations',
    shows: 'Checkmarx One',
    opens: {
      'scanner form': (page) => page.getByRole('button', { name: /^Setup with an API key Checkmarx/ }).click(),
    },
  },
  { path: '/integrations/security-scanners', shows: 'No uploads.' },
  { path: '/integrations/security-scanners/checkmarx', shows: 'Checkmarx One is not connected' },
  { path: '/integrations/security-scanners/sonarqube', shows: 'SonarQube is not connected' },
  { path: '/integrations/nothing-of-ours', shows: '404 Not Found' },
];

/** Vulnerabilities. */
const findingScreens = (repository: string): Screen[] => [
  // A detail page is checked in vulnerabilities.spec.ts.
  {
    path: '/vulnerabilities',
    shows: 'Use of a weak hash',
    opens: {
      'row menu': (page) =>
        page
          .getByRole('button', { name: /^Actions for/ })
          .first()
          .click(),
      export: (page) => page.getByRole('button', { name: 'Export', exact: true }).click(),
      'severity filter': (page) => page.getByRole('combobox', { name: 'Severity' }).click(),
      selection: { wide: select },
      'selection, at its end': {
        // When scrolled up, the bar intentionally covers a row.
        narrow: async (page) => {
          await select(page);
          await page.locator('html').evaluate((html) => html.ownerDocument.defaultView.scrollTo(0, html.scrollHeight));
        },
      },
    },
  },
  { path: '/vulnerabilities?search=zzz&severity=low', shows: 'No vulnerability matches' },
  { path: '/vulnerabilities/nothing-of-ours', shows: '404 Not Found' },
  // The list is checked in triage.spec.ts.
  { path: `${repository}/-/vulnerabilities`, shows: 'Use of a weak hash' },
];

/** The audit log, notifications, members and keys. */
const activityScreens: Screen[] = [
  { path: '/audit', shows: 'created the organization' },
  {
    path: '/audit/streams',
    shows: 'No destinations yet',
    opens: { add: (page) => page.getByRole('button', { name: 'Add destination' }).click() },
  },
  { path: '/notifications', shows: 'Activity that concerns you.' },
  { path: '/notifications?search=zzz', shows: 'No notification matches' },
  { path: '/notification/settings', shows: 'New vulnerabilities' },
  { path: '/notification/settings?of=roles', shows: 'Members with this role cannot change these settings' },
  {
    // The order by date is undefined for people found at the same time.
    path: '/organization/members?sort=name-asc',
    shows: 'Uninvited',
    opens: {
      'what roles may do': (page) => page.getByRole('button', { name: 'Role permissions' }).click(),
      'member menu': (page) =>
        page
          .getByRole('button', { name: /^Actions for/ })
          .first()
          .click(),
      'status filter': (page) => page.getByRole('combobox', { name: 'Status' }).click(),
    },
  },
  {
    path: '/organization/access-keys',
    shows: 'No access keys yet',
    opens: {
      create: async (page) => {
        await page.getByRole('button', { name: 'Create access key' }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
      },
    },
  },
];

/** Controls, changes, policies and evidence. */
const evidenceScreens: Screen[] = [
  { path: '/evidence', shows: 'Ledger integrity' },
  { path: '/evidence/controls/CHG-01?tab=definition', shows: 'Framework mappings' },
  { path: '/evidence/controls/CHG-01', shows: 'Evaluate control' },
  { path: '/evidence/frameworks', shows: 'SOC 2 (2017 criteria)' },
  { path: '/evidence/frameworks/soc2', shows: 'No control covers this requirement' },
  {
    path: '/evidence/frameworks/01890000-0000-7000-8000-000000000000',
    shows: 'The framework could not be loaded',
  },
  { path: '/evidence/controls/CHG-99', shows: '404 Not Found' },
  { path: '/changes', shows: 'No changes yet' },
  { path: '/changes/01890000-0000-7000-8000-000000000000', shows: 'The change could not be loaded' },
  { path: '/digests', shows: 'No commit digests yet' },
  { path: '/digests/01890000-0000-7000-8000-000000000000', shows: 'The digest could not be loaded' },
  { path: '/policies', shows: 'Policies' },
  { path: '/policies/new', shows: 'New policy' },
  { path: '/policies/changes', shows: 'No pending changes' },
  { path: '/waivers', shows: 'Waivers' },
  { path: '/remediations', shows: 'No open remediations' },
  { path: '/evidence/access-reviews', shows: 'No access reviews' },
  { path: '/evidence/host-access', shows: /No access recorded|Ada Lovelace/ },
  { path: '/evidence/host-access/duties', shows: /No access recorded|Ada Lovelace/ },
  { path: '/evidence/snapshots', shows: 'No snapshots' },
  {
    path: '/evidence/snapshots/01890000-0000-7000-8000-000000000000',
    shows: 'The snapshot could not be loaded',
  },
  {
    path: '/evidence/access-reviews/01890000-0000-7000-8000-000000000000',
    shows: 'The access review could not be loaded',
  },
  {
    path: '/evidence/access-reviews/01890000-0000-7000-8000-000000000000/code-hosts',
    shows: 'The access review could not be loaded',
  },
  {
    path: '/evidence/auditor-portals',
    shows: 'No auditor portals',
    opens: {
      'new portal': async (page) => {
        await page.getByRole('button', { name: 'New portal' }).click();
        await expect(page.getByRole('dialog').getByLabel('Auditor', { exact: true })).toBeVisible();
      },
    },
  },
  { path: '/evidence/auditor-portals/01890000-0000-7000-8000-000000000000', shows: 'The portal could not be loaded' },
  { path: '/portal', shows: 'This portal is not available' },
  {
    path: '/evidence/destinations',
    shows: 'No evidence destinations',
    opens: {
      'add destination': async (page) => {
        await page.getByRole('button', { name: 'Add destination' }).click();
        await expect(page.getByRole('dialog', { name: 'Add destination' })).toBeVisible();
      },
    },
  },
  {
    path: '/evidence/destinations/01890000-0000-7000-8000-000000000000',
    shows: 'The destination could not be loaded',
  },
];

/** The ledger, personal data, webhooks and the connection of GitHub. */
const ledgerScreens: Screen[] = [
  {
    path: '/ledger',
    shows: 'No external anchor configured.',
    opens: {
      'add anchor': async (page) => {
        await page.getByRole('button', { name: 'Add anchor' }).click();
        await expect(page.getByRole('dialog', { name: 'Add anchor' })).toBeVisible();
      },
    },
  },
  { path: '/ledger?entry=0', shows: 'Checked in this browser' },
  { path: '/organization/erasures', shows: 'No deletion requests' },
  {
    path: '/me/personal-data',
    shows: 'Sign-in methods',
    opens: { ask: (page) => page.getByRole('button', { name: 'Request data deletion' }).click() },
  },
  {
    path: '/organization/webhooks',
    shows: 'No webhooks',
    opens: {
      add: async (page) => {
        await page.getByRole('button', { name: 'Add webhook' }).click();
        await page.getByRole('radio', { name: 'Selected events' }).check();
      },
    },
  },
  { path: '/organization/webhooks/01890000-0000-7000-8000-000000000000', shows: 'Webhook not found' },
  { path: '/integrations/chat/slack', shows: 'Slack is not connected' },
  {
    path: '/integrations/chat/teams',
    shows: 'No channels',
    opens: {
      add: async (page) => {
        await page.getByRole('button', { name: 'Add channel' }).click();
      },
    },
  },
  { path: '/integrations/chat/channels/01890000-0000-7000-8000-000000000000', shows: 'Chat channel not found' },
  { path: '/organization/members?search=zzz&status=pending', shows: 'No member matches' },
  { path: '/_/integrations/github', shows: 'GitHub was not connected' },
  { path: '/_/integrations/github?setup_action=request', shows: 'Waiting for approval' },
  { path: '/_/integrations/github?installation_id=1&state=invented', shows: 'GitHub was not connected' },
];

/** Documentation and pages without an account. */
const publicScreens: Screen[] = [
  { path: '/auth/verify?user_id=nobody', shows: 'Confirm your email' },
  { path: '/outbox', shows: 'Local outbox' },
  { path: '/docs', shows: 'This page describes the steps from sign-up' },
  {
    path: '/docs/explore',
    shows: 'Filter with a query',
    opens: {
      search: async (page) => {
        await page.getByRole('combobox', { name: 'Search the documentation' }).fill('branch');
        await expect(page.getByRole('option').first()).toBeVisible();
      },
      pages: {
        narrow: async (page) => {
          await page.getByRole('button', { name: 'Pages' }).click();
          await expect(page.getByRole('dialog')).toBeVisible();
        },
      },
    },
  },
  { path: '/docs/ledger', shows: 'Ledger integrity failure' },
  { path: '/docs/audit-streams', shows: 'Delivery guarantees' },
  { path: '/docs/integrations-slack', shows: 'The card and the page of a channel show the reason.' },
  { path: '/docs/outgoing-webhooks', shows: 'Verify the signature' },
  { path: '/docs/nothing', shows: '404 Not Found' },
  { path: '/terms', shows: 'Terms' },
  { path: '/no/such/page', shows: '404 Not Found' },
];

/** Text that is visible only in print does not count. */
export const expectToShow = (page: Page, { shows }: Screen): Promise<void> =>
  expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible();

/** Opens a screen and passes it to `look`, first without and then with each overlay. */
export async function visit(page: Page, screen: Screen, look: ScreenLook): Promise<void> {
  await page.goto(screen.path);
  await expectToShow(page, screen);
  await look(screen.path);
  for (const [name, opening] of Object.entries(screen.opens ?? {})) {
    const [open, size] = openingOf(opening);
    if (size) await page.setViewportSize(size);
    await open(page);
    await look(`${screen.path}, ${name}`, size && [size]);
    await page.keyboard.press('Escape');
  }
}

function openingOf(opening: Opening): [open: Open, size?: typeof narrow] {
  if ('narrow' in opening) return [opening.narrow, narrow];
  return 'wide' in opening ? [opening.wide, wide] : [opening];
}

const select: Open = async (page) => {
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await expect(page.getByText(/^\d+ selected$/)).toBeVisible();
};

type ScreenLook = (name: string, sizes?: (typeof narrow)[]) => Promise<void>;
