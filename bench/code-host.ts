import { fork } from 'node:child_process';
import { join } from 'node:path';

/** The sandbox in its own process, with its control address. */
export interface BenchCodeHost {
  /** The environment of a server that imports from it. */
  environment: Record<string, string>;
  url: string;
  control: <Answer = unknown>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<Answer>;
  stop: () => void;
}

export interface RateLimitResponse {
  at: number;
  until: number;
}

export interface CodeHostOptions {
  repositories: readonly string[];
  folder: string;
  /** The URL of the server. */
  server: string;
  requestsPerHour: number;
}

export async function startBenchCodeHost(options: CodeHostOptions): Promise<BenchCodeHost> {
  const { repositories, folder, server, requestsPerHour } = options;
  const child = fork(
    new URL('../sandbox/src/main.ts', import.meta.url),
    [
      ...repositories.flatMap((path) => ['--repo', path]),
      ...['--port', '0', '--rate-limit', String(requestsPerHour), '--data', join(folder, 'app'), '--no-alerts'],
      ...['--deliver-to', `${server}/api/webhooks/github`],
      ...['--setup-url', `${server}/_/integrations/github`, '--callback-url', `${server}/_/integrations/github`],
    ],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );
  const app = await new Promise<Record<string, string>>((resolve, reject) => {
    child.once('message', (message) => resolve(message as never));
    child.once('exit', (code) => reject(new Error(`The sandbox ended with ${code}`)));
  });
  const url = String(app.url);
  return {
    url,
    environment: {
      GITHUB_URL: url,
      GITHUB_APP_ID: String(app.appId),
      GITHUB_APP_SLUG: String(app.appSlug),
      GITHUB_APP_PRIVATE_KEY: String(app.privateKeyPem),
      GITHUB_APP_CLIENT_ID: String(app.clientId),
      GITHUB_APP_CLIENT_SECRET: String(app.clientSecret),
      GITHUB_WEBHOOK_SECRET: String(app.webhookSecret),
    },
    async control<Answer>(method: string, path: string, body?: object) {
      const answer = await fetch(`${url}/_sandbox${path}`, {
        method,
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${path}`);
      const text = await answer.text();
      return (text === '' ? undefined : JSON.parse(text)) as Answer;
    },
    stop: () => child.disconnect(),
  };
}
