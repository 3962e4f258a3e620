import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createCertificate } from '#testing/certificate.ts';
import { createTestDatabase } from '#testing/databases.ts';
import { startEgressProxy } from '#testing/egress-proxy.ts';
import { createInstallation, type Installation } from '../cli/testing/installation.ts';

// A network where this machine resolves no external name, a proxy provides access, and a private authority issues
// certificates.
const outside = ['pictures.example', 'traces.example', 'refused.example'];
const received: string[] = [];
const picture = Buffer.from('89504e470d0a1a0a', 'hex');
let folder: string;
let proxy: Awaited<ReturnType<typeof startEgressProxy>>;
let host: ReturnType<typeof createServer>;
let installation: Installation;
let ask: (url: string) => Promise<Response>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-egress-'));
  const certificate = createCertificate(outside.map((name) => `DNS:${name}`).join(','));
  await writeFile(join(folder, 'authority.pem'), certificate.cert);
  host = createServer(certificate, (request, response) => {
    received.push(`${request.headers.host}${request.url}`);
    response.setHeader('content-type', request.url === '/ada.png' ? 'image/png' : 'application/json');
    response.end(request.url === '/ada.png' ? picture : '{}');
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  proxy = await startEgressProxy((host.address() as AddressInfo).port, ['refused.example:443']);
  installation = await createInstallation({
    DATABASE_URL: await createTestDatabase(),
    HTTPS_PROXY: proxy.url,
    NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example',
    TRACE_SAMPLE_RATE: '1',
  });
  await installation.start();
  await installation.ask('user', 'create', '--email', 'ada@example.org', '--name', 'Ada', '--verified');
  const { organization } = await installation.ask<{ organization: { id: string } }>(
    ...['org', 'create', '--name', 'Acme', '--owner', 'ada@example.org'],
  );
  const { token } = await installation.ask<{ token: string }>('token', '--email', 'ada@example.org');
  ask = (url) =>
    fetch(`${installation.url}/api/v2/pictures?${new URLSearchParams({ url })}`, {
      headers: { authorization: `Bearer ${token}`, 'x-organization': organization.id },
    });
});
afterAll(async () => {
  await installation.close();
  await proxy.close();
  await new Promise((resolve) => host.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

test('reaches names that only the proxy resolves, and trusts a private authority', { tags: ['full'] }, async () => {
  const answer = await ask('https://pictures.example/ada.png');
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(picture);
  expect(proxy.asked).toContain('pictures.example:443');
  await vi.waitFor(() => expect(received).toContain('traces.example/v1/traces'), 30_000);
  expect(proxy.asked).toContain('traces.example:443');
});

test('reports that the proxy refused a connection', async () => {
  const answer = await ask('https://refused.example/ada.png');
  expect(answer.status).toBe(502);
  expect(JSON.stringify(await answer.json())).toContain('The egress proxy of this server refused the connection.');
});

test('never requests a private address from the proxy', async () => {
  const before = proxy.asked.length;
  for (const url of ['https://10.0.0.8/a.png', 'https://169.254.169.254/a.png', 'https://localhost/a.png']) {
    const answer = await ask(url);
    expect([url, answer.status]).toEqual([url, 400]);
  }
  expect(proxy.asked.slice(before).filter((asked) => !asked.startsWith('traces.'))).toEqual([]);
});
