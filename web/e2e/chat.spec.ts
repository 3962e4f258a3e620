import { expect, type Page } from '@playwright/test';
import { createRepository } from '../../sandbox/src/testing/repository.ts';
import { expectAccessible } from './accessible.ts';
import { type Product, sandboxOf, startProduct } from './server.ts';
import { authorizationHeader, importsCompleted, setUp } from './steps.ts';
import { test } from './test.ts';

let repository: ReturnType<typeof createRepository>;
let product: Product;

test.beforeAll(async () => {
  repository = createRepository('widgets');
  await repository.start();
  await repository.commit('Take payments');
  product = await startProduct([repository.path]);
});
test.afterAll(async () => {
  await product.stop();
  await repository.remove();
});

interface Workspace {
  token: string;
  signingSecret: string;
  messages: { channel: string; text: string }[];
}

const control = async (page: Page, path: string, data?: object) => {
  const address = `${sandboxOf(product)}/_sandbox/${path}`;
  const answer = await (data ? page.request.post(address, { data }) : page.request.get(address));
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer;
};
const workspaceOf = async (page: Page) => (await (await control(page, 'slack')).json()) as Workspace;
const textsIn = async (page: Page) => (await workspaceOf(page)).messages.map(({ text }) => text);
const fault = (page: Page, more: object) => control(page, 'faults', { match: 'chat.postMessage', times: 1, ...more });

let isEnabled = true;
/** Disables or enables the repository, which raises one notification. Returns its title. */
async function changeRepository(page: Page): Promise<string> {
  const headers = await authorizationHeader(page);
  const address = `${product.url}/api/v2/auth0mgm/org/repos`;
  const { providerRepos } = (await (await page.request.get(address, { headers })).json()) as {
    providerRepos: { github: Record<string, { id: string }[]> };
  };
  isEnabled = !isEnabled;
  const [owner = '', [one] = []] = Object.entries(providerRepos.github)[0] ?? [];
  const data = { providerRepos: { github: { [owner]: [{ id: one?.id, tracked: isEnabled }] } } };
  const answer = await page.request.post(address, { headers, data });
  expect(answer.ok(), await answer.text()).toBe(true);
  return isEnabled ? 'enabled' : 'disabled';
}

const card = (page: Page, name: string) => page.getByRole('listitem', { name });

test('connects Slack, survives its failures without losing or repeating a message, and disconnects', async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const page = await (await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' })).newPage();
  await setUp(page, product, 'Kestrel Payments');
  await importsCompleted(page, product.url);
  /** The titles of all notifications, in order. */
  const expected: string[] = [];
  const arrived = async () => {
    await expect
      .poll(async () => (await textsIn(page)).filter((text) => !text.startsWith('This is a test')).length, {
        timeout: 60_000,
      })
      .toBe(expected.length);
    const texts = (await textsIn(page)).filter((text) => !text.startsWith('This is a test'));
    texts.forEach((text, index) => {
      expect(text).toContain(expected[index]);
    });
  };
  const notify = async () => expected.push(await changeRepository(page));

  await test.step('rejects a wrong token and connects with the right one', async () => {
    await page.goto('/integrations/chat');
    await page.getByRole('button', { name: 'Connect Slack' }).click();
    const drawer = page.getByRole('dialog', { name: 'Connect Slack' });
    const { signingSecret, token } = await workspaceOf(page);
    await drawer.getByRole('textbox', { name: 'Bot token' }).fill('xoxb-1234567890-not-a-token');
    await drawer.getByRole('textbox', { name: 'Signing secret' }).fill(signingSecret);
    await drawer.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(drawer.getByText(/Slack does not accept the token/)).toBeVisible();
    await expectAccessible(page, 'a refused token');
    await drawer.getByRole('textbox', { name: 'Bot token' }).fill(token);
    await drawer.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(page).toHaveURL(/\/integrations\/chat\/slack/);
    await expect(page.getByText('No channels')).toBeVisible();
    await expectAccessible(page, 'no channels');
  });

  await test.step('adds a channel, tests it, and sees a message', async () => {
    await page.getByRole('button', { name: 'Add channel' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add channel' });
    await dialog.getByRole('combobox', { name: 'Channel' }).click();
    await page.getByRole('option', { name: '#security' }).click();
    await expectAccessible(page, 'adding a channel');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('heading', { name: '#security', level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Send test message' }).click();
    await expect(page.getByText('A test message was sent to #security.')).toBeVisible();
    await notify();
    await arrived();
    await expect(page.getByRole('row').filter({ hasText: 'Delivered' })).toHaveCount(1);
    await expectAccessible(page, 'a channel');
  });

  await test.step('waits when Slack limits messages, and shows it on the card', async () => {
    await fault(page, { status: 429, retryAfter: 15 });
    await notify();
    await expect(page.getByText(/Slack limits the number of messages/)).toBeVisible();
    await page.goto('/integrations/chat');
    await expect(card(page, 'Slack').getByText(/Slack limits messages until/)).toBeVisible();
    await expectAccessible(page, 'a limited card');
    await arrived();
    await expect(card(page, 'Slack').getByText(/Slack limits messages until/)).toBeHidden();
  });

  await test.step('repeats after an error, and waits for a slow response', async () => {
    await fault(page, { status: 500 });
    await notify();
    await expect(card(page, 'Slack').getByText(/Slack responded with status 500/)).toBeVisible();
    await arrived();
    await expect(card(page, 'Slack').getByText(/Slack responded with status 500/)).toBeHidden();
    await fault(page, { delayMs: 3_000 });
    await notify();
    await arrived();
    // The message was accepted, and the response was lost.
    await fault(page, { truncate: true });
    await notify();
    await expect(card(page, 'Slack').getByText(/closed early/)).toBeVisible();
    await expect(card(page, 'Slack').getByText(/closed early/)).toBeHidden({ timeout: 30_000 });
    await arrived();
  });

  await test.step('keeps messages while the token is revoked, and sends them with the next one', async () => {
    await control(page, 'slack/revoke', {});
    await notify();
    await expect(card(page, 'Slack').getByText(/The token was revoked in Slack/)).toBeVisible();
    await expect(card(page, 'Slack').getByText('1 message is not delivered yet.')).toBeVisible();
    await expectAccessible(page, 'a revoked token');
    await page.getByRole('button', { name: 'Change token Slack' }).click();
    const drawer = page.getByRole('dialog', { name: 'Change the token of Slack' });
    const { signingSecret, token } = await workspaceOf(page);
    await drawer.getByRole('textbox', { name: 'Bot token' }).fill(token);
    await drawer.getByRole('textbox', { name: 'Signing secret' }).fill(signingSecret);
    await drawer.getByRole('button', { name: 'Connect', exact: true }).click();
    await arrived();
    await page.goto('/integrations/chat');
    await expect(card(page, 'Slack').getByText(/revoked/)).toBeHidden();
  });

  await test.step('adds a workflow of Teams without showing its URL again', async () => {
    const [workflow] = (await (await control(page, 'teams')).json()) as { url: string }[];
    await page.getByRole('button', { name: 'Add a channel Microsoft Teams' }).click();
    await page.getByRole('button', { name: 'Add channel' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add channel' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Security');
    await dialog.getByRole('textbox', { name: 'Workflow URL' }).fill(workflow?.url ?? '');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Security', level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Send test message' }).click();
    await expect(page.getByText('A test message was sent to Security.')).toBeVisible();
    expect(await page.content()).not.toContain('sig=');
  });

  await test.step('disconnects', async () => {
    await page.goto('/integrations/chat');
    await page.getByRole('button', { name: 'Disconnect Slack' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disconnect Slack?' });
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await expect(page.getByText(/Slack is disconnected/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Connect Slack' })).toBeVisible();
    await page.goto('/audit');
    await expect(page.getByText(/disconnected Slack of Sandbox workspace/)).toBeVisible();
  });
  await page.context().close();
});
