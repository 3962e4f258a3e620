import { expect } from '@playwright/test';
import { sendTelemetry } from '../../server/src/domains/tools/agent-sessions/testing/otlp.ts';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { createOrganization, signUp } from './steps.ts';
import { test } from './test.ts';

test.setTimeout(180_000);

let product: Tenant;
test.beforeAll(async ({ server }) => {
  product = await server.addTenant([]);
});
test.afterAll(() => product.stop());

test('sets up an agent in one step, confirms its first record, and shows the session', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, product.url, product.owner);
  await createOrganization(page, 'Kestrel Agents');

  await test.step('shows the settings with the address and a new key', async () => {
    await page.goto(`${product.url}/tools`);
    await page.getByRole('link', { name: 'Agent sessions' }).click();
    await expect(page.getByText('No agent sessions yet')).toBeVisible();
    await expectAccessible(page, 'no agent sessions');
    await page.getByRole('link', { name: 'Set up an agent' }).click();
    await expect(page.getByText('Waiting for the first record of Claude Code.')).toBeVisible();
    await expectAccessible(page, 'setup of an agent');
    await page.getByRole('button', { name: 'Create access key' }).click();
  });

  const settings = page.getByRole('region', { name: '~/.claude/settings.json' });
  await expect(settings).toContainText('sightline_');
  const { env } = JSON.parse((await settings.textContent()) ?? '') as { env: Record<string, string> };
  const key = /^Authorization=Bearer (sightline_\S+)$/.exec(env.OTEL_EXPORTER_OTLP_HEADERS ?? '')?.[1] ?? '';

  await test.step('confirms the first record without a reload', async () => {
    const answer = await sendTelemetry(
      env.OTEL_EXPORTER_OTLP_ENDPOINT ?? '',
      key,
      {
        signal: 'logs',
        resource: { 'service.name': 'claude-code', 'service.version': '2.1.30' },
        records: [
          {
            name: 'claude_code.user_prompt',
            at: new Date(Date.now() - 5_000).toISOString(),
            attributes: { 'session.id': 'e2e-session', 'event.sequence': 1, prompt_length: 42 },
          },
          {
            name: 'claude_code.api_request',
            at: new Date(Date.now() - 3_000).toISOString(),
            attributes: {
              'session.id': 'e2e-session',
              'event.sequence': 2,
              model: 'claude-sonnet-5',
              input_tokens: 1200,
              output_tokens: 34,
              cost_usd: 0.0125,
            },
          },
        ],
      },
      'protobuf+gzip',
    );
    expect(answer.status).toBe(200);
    await expect(page.getByText(/Telemetry of Claude Code arrived/)).toBeVisible();
  });

  await test.step('lists the session and shows its records', async () => {
    await page.getByRole('link', { name: 'Agent sessions' }).click();
    const row = page.getByRole('table', { name: 'Agent sessions' }).getByRole('row').filter({ hasText: 'Claude Code' });
    await expect(row).toContainText('Own key');
    await expect(row).toContainText('1,234');
    await expectAccessible(page, 'agent sessions');
    await row.getByRole('link').first().click();
    await expect(page.getByRole('heading', { name: 'Claude Code session' })).toBeVisible();
    await expect(page.getByRole('table', { name: 'Records' }).getByRole('row')).toHaveCount(3);
    await expect(page.getByText('42 characters')).toBeVisible();
    await expect(page.getByText('$0.0125').first()).toBeVisible();
    await expectAccessible(page, 'an agent session');
  });
});
