import { type BrowserContext, expect, type Page } from '@playwright/test';
import { createStory } from '../../sandbox/src/testing/repository.ts';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { importsCompleted, setUp } from './steps.ts';
import { test } from './test.ts';

const secret = 'canary-secret-4711';
const configuration = {
  mcpServers: {
    hub: { command: 'npx', args: ['-y', '@kestrel/hub-mcp@2.1.0', secret], env: { HUB_KEY: secret } },
    tracker: { type: 'http', url: `https://mcp.tracker.example/${secret}` },
  },
};

let story: Awaited<ReturnType<typeof createStory>>;
let product: Tenant;
let context: BrowserContext;
let page: Page;
test.beforeAll(async ({ browser, server }) => {
  story = await createStory('widgets');
  story.git(['checkout', '--quiet', 'main']);
  await story.commit('Configure agents', {
    '.mcp.json': JSON.stringify(configuration, null, 2),
    '.codex/config.toml': '[mcp_servers',
    'AGENTS.md': 'Be kind.',
  });
  product = await server.addTenant([story.path]);
  context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  page = await context.newPage();
  await setUp(page, product, 'Kestrel Payments');
});
test.afterAll(async () => {
  await context.close();
  await product.stop();
  await story.remove();
});

// A longer timeout, since the test waits for an import and a scan.
test.setTimeout(240_000);

test('lists agent configuration, filters and denies an MCP server, and sets an agent policy', async () => {
  const table = page.getByRole('table', { name: 'Agent configuration' });
  const row = (words: string) => table.getByRole('row').filter({ hasText: words });

  await test.step('lists files and MCP servers without secrets', async () => {
    await importsCompleted(page, product.url);
    await page.goto('/agent-sessions');
    await page.getByRole('link', { name: 'Configuration' }).click();
    await expect(row('hub')).toContainText('npm:@kestrel/hub-mcp@2.1.0', { timeout: 30_000 });
    await expect(row('hub')).toContainText('HUB_KEY');
    await expect(row('hub')).toContainText('Ada Lovelace');
    await expect(row('tracker')).toContainText('https://mcp.tracker.example');
    await expect(row('.codex/config.toml')).toContainText('Could not be read: malformed');
    expect(await page.content()).not.toContain(secret);
    await expectAccessible(page, 'agent configuration');
  });

  await test.step('keeps a filter in the address', async () => {
    await page.goto('/agent-configuration?states=unreadable');
    await expect(table.getByRole('row')).toHaveCount(2);
    await page.goto('/agent-configuration?search=nothing-like-it');
    await expect(page.getByText('No configuration matches')).toBeVisible();
    await expectAccessible(page, 'agent configuration without a match');
  });

  await test.step('denies an MCP server from its row', async () => {
    await page.goto('/agent-configuration?types=server');
    await page.getByRole('button', { name: 'Actions for @kestrel/hub-mcp' }).click();
    await page.getByRole('menuitem', { name: 'Deny…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
    await expect(row('hub')).toContainText('Denied');
    await page.goto('/agent-configuration?approvals=denied');
    await expect(table.getByRole('row')).toHaveCount(2);
  });

  await test.step('edits the rules of an agent policy', async () => {
    await page.goto('/policies/new?from=agents');
    await expect(page.getByLabel('Allowed MCP servers')).toHaveValue('**');
    await page.getByLabel('Allowed MCP servers').fill('npm:@kestrel/*');
    await expect(page.getByLabel('Files that agents may not change')).toHaveValue('.github/workflows/**');
    await expectAccessible(page, 'agent policy');
    await page.getByRole('button', { name: 'Create policy' }).click();
    await expect(page.getByText('npm:@kestrel/*')).toBeVisible();
  });

  await test.step('shows a failed request', async () => {
    await page.route('**/api/v2/agent-configuration*', (request) => request.abort());
    await page.goto('/agent-configuration');
    await expect(page.getByRole('button', { name: /Try again|Retry/ })).toBeVisible();
    await expectAccessible(page, 'agent configuration that failed to load');
    await page.unroute('**/api/v2/agent-configuration*');
  });
});
