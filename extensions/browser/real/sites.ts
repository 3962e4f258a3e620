import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Marker texts that must occur only in the pages themselves. */
export const canary = {
  page: 'canary-page-text-7c1e',
  title: 'canary-title-93ab',
  query: 'canary-query-51fd',
  path: 'canary-path-e802',
  clipboard: 'const canaryClipboard4d7a = () => 42;',
  password: 'canary-password-b06f',
};

/** Starts a web server that answers for any host, so that real host names resolve to our test pages. */
export async function startSites(): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = createServer(certificate(), (_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const page = `<!doctype html>
<title>${canary.title}</title>
<p>${canary.page}</p>
<pre id="code">${canary.clipboard}</pre>
<textarea id="field">${canary.clipboard}</textarea>
<input id="password" type="password" value="${canary.password}">`;

function certificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-sites-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const files = ['-keyout', key, '-out', cert];
  const what = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=sites.example'];
  execFileSync('openssl', ['req', '-x509', ...what, ...files], { stdio: 'ignore' });
  const read = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return read;
}
