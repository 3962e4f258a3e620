import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addressesOf } from './code-host-service.ts';
import { demoFoldersIn } from './demo/demo.ts';
import type { SandboxOptions } from './options.ts';
import { type Sandbox, startSandbox } from './server.ts';

type Credentials = Pick<SandboxOptions, 'webhookSecret' | 'clientId' | 'clientSecret'> & {
  appId: number;
  appSlug: string;
  privateKeyPem: string;
};

const usage = `A local GitHub over real git repositories.

  node sandbox/src/main.ts [--repo PATH]... [--port N] [--deliver-to URL]

  --repo PATH          a git repository to show; repeat for more (default: this checkout)
  --port N             default 4180
  --host ADDRESS       default 127.0.0.1
  --deliver-to URL     where webhooks go
  --setup-url URL      where the browser goes after an installation
  --callback-url URL   where it goes after signing in; repeat for more
  --oidc-callback URL  where the OpenID Connect issuer leads back to; repeat for more
  --gitlab-callback URL  where GitLab's authorization server leads back to; repeat for more
  --no-alerts          let the host's own scanners be switched off, as long as none is added
  --rate-limit N       requests an hour, default 15000
  --data FOLDER        where the app's keys and the installations are kept (default: .data/sandbox of this checkout)`;

const checkout = resolve(import.meta.dirname, '../..');

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      repo: { type: 'string', multiple: true, default: [checkout] },
      port: { type: 'string', default: '4180' },
      host: { type: 'string', default: '127.0.0.1' },
      'deliver-to': { type: 'string' },
      'setup-url': { type: 'string' },
      'callback-url': { type: 'string', multiple: true },
      'oidc-callback': { type: 'string', multiple: true, default: [] },
      'gitlab-callback': { type: 'string', multiple: true, default: [] },
      'no-alerts': { type: 'boolean', default: false },
      'rate-limit': { type: 'string', default: '15000' },
      data: { type: 'string', default: join(checkout, '.data/sandbox') },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const appFile = join(values.data, 'app.json');
  const demoFolder = resolve(values.data, 'demo');
  const credentials = credentialsIn(appFile);
  const sandbox = await startSandbox({
    ...credentials,
    repositories: [...values.repo.map((path) => resolve(path)), ...demoFoldersIn(demoFolder)],
    demoFolder,
    port: Number(values.port),
    host: values.host,
    rateLimit: Number(values['rate-limit']),
    alerts: !values['no-alerts'],
    stateFile: join(values.data, 'installations.json'),
    plantedFile: join(values.data, 'planted.json'),
    checkmarxFile: join(values.data, 'checkmarx.json'),
    scannersFolder: join(values.data, 'scanners'),
    bitbucketFile: join(values.data, 'bitbucket.json'),
    codeHostsFolder: join(values.data, 'code-hosts'),
    directoryFile: join(values.data, 'directory.json'),
    gitlabFile: join(values.data, 'gitlab.json'),
    slackFile: join(values.data, 'slack.json'),
    teamsFile: join(values.data, 'teams.json'),
    trackersFolder: join(values.data, 'trackers'),
    gitlabCallbackUrls: values['gitlab-callback'],
    oidcCallbackUrls: values['oidc-callback'],
    ...(values['deliver-to'] === undefined ? {} : { deliverTo: values['deliver-to'] }),
    ...(values['setup-url'] === undefined ? {} : { setupUrl: values['setup-url'] }),
    ...(values['callback-url'] === undefined ? {} : { callbackUrl: values['callback-url'] }),
  });
  if (process.send) {
    // Started by the server, which needs our URL, and stops us when it exits.
    process.once('disconnect', () => void end(sandbox));
    const { url, api: apiUrl } = sandbox.bitbucket;
    const bitbucket = { url, apiUrl };
    process.send({
      url: sandbox.url,
      apiUrl: sandbox.host.api,
      issuer: sandbox.issuer,
      bitbucket,
      codeHosts: addressesOf(sandbox.codeHosts, sandbox.url),
      ...credentials,
    });
    return;
  }
  console.log(`Sandbox GitHub at ${sandbox.url}, REST API at ${sandbox.host.api}`);
  console.log(`Checkmarx One: tenant and key are at ${sandbox.url}/checkmarx`);
  console.log(`Jira and Linear: addresses and tokens are at ${sandbox.url}/trackers`);
  console.log(`Bitbucket Cloud: tokens are at ${sandbox.bitbucket.url}, its REST API at ${sandbox.bitbucket.api}`);
  for (const [name, { sandboxPage }] of Object.entries(addressesOf(sandbox.codeHosts, sandbox.url)))
    console.log(`${name}: tokens are at ${sandboxPage}`);
  console.log(`Slack: a token is at ${sandbox.url}/slack; Microsoft Teams: workflows are at ${sandbox.url}/teams`);
  console.log(
    `Vanta, Drata, DefectDojo, external controls of GitLab: what lets in is at ${sandbox.url}/_sandbox/receivers`,
  );
  console.log(`The app's id, keys and secrets are in ${appFile}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void end(sandbox));
  }
};

/** Ends the process after at most two seconds for pending requests. */
const end = async (sandbox: Sandbox): Promise<void> => {
  await Promise.race([sandbox.close(), delay(2_000)]);
  process.exit(0);
};

const credentialsIn = (file: string): Credentials => {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Credentials;
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const secret = (): string => randomBytes(20).toString('hex');
  const app = { appId: 1, appSlug: 'sightline-sandbox', clientId: `Iv1.${randomBytes(8).toString('hex')}` };
  const credentials = { ...app, clientSecret: secret(), webhookSecret: secret(), privateKeyPem: privateKey };
  mkdirSync(resolve(file, '..'), { recursive: true });
  writeFileSync(file, JSON.stringify(credentials, null, 2), { mode: 0o600 });
  return credentials;
};

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
