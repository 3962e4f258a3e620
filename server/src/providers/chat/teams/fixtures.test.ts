import { expect, test } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { startJsonServer } from '#testing/json-server.ts';
import message from './fixtures/workflow-message.json' with { type: 'json' };
import { service } from './service.ts';

const notification = {
  title: 'GitLab failed',
  body: 'It does not respond.',
  severity: 'high',
  label: 'Failed integrations',
  link: 'https://sightline.example.com/integrations',
} as const;

test('sends a workflow the message of the reference', async () => {
  const { url, requests } = await startJsonServer(
    () => ({}),
    () => 202,
  );
  const post = { id: 'a1', organization: 'Acme', content: { notification }, thread: null };
  const to = `${url}/workflows/1/triggers/manual/paths/invoke`;
  expect(await service.post(createOutbound([url]), '', { to, token: '' }, post)).toEqual({ thread: null });
  expect(requests).toEqual([{ method: 'POST', path: '/workflows/1/triggers/manual/paths/invoke', body: message }]);
});
