import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { expect } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { authorize, type Browser, type Visited } from './browser.ts';

const publicUrl = 'http://localhost:1';

export interface LoginScene {
  server: TestServer;
  sandbox: SandboxGithub;
  close: () => Promise<void>;
}

/** Starts a server with GitHub, Google and an issuer called acme, all of them the sandbox. */
export async function startLogins(
  environment: (sandbox: { issuer: string }) => Record<string, string> = () => ({}),
): Promise<LoginScene> {
  const story = await createStory();
  const sandbox = await startSandboxGithub([story.path], {
    callbackUrl: [`${publicUrl}/_/integrations/github`, `${publicUrl}/oidc/upstream/github/callback`],
    oidcCallbackUrls: [publicUrl],
  });
  const { GITHUB_APP_CLIENT_ID: id = '', GITHUB_APP_CLIENT_SECRET: secret = '' } = sandbox.environment;
  const { issuer } = sandbox.sandbox;
  const server = await startTestServer({
    jobs: true,
    environment: {
      ...sandbox.environment,
      GITHUB_LOGIN_CLIENT_ID: id,
      GITHUB_LOGIN_CLIENT_SECRET: secret,
      GOOGLE_ISSUER: issuer,
      GOOGLE_LOGIN_CLIENT_ID: id,
      GOOGLE_LOGIN_CLIENT_SECRET: secret,
      OIDC_LOGINS: JSON.stringify([{ name: 'acme', label: 'Acme', issuer, clientId: id, clientSecret: secret }]),
      ...environment({ issuer }),
    },
  });
  return {
    server,
    sandbox,
    async close() {
      await server.close();
      await sandbox.close();
      await story.remove();
    },
  };
}

/** A user of the sandbox, with the fields of its sign-in form. */
export interface SandboxUser {
  login: string;
  name?: string;
  email?: string;
  verified?: boolean;
  /** Seconds since the user signed in at the sandbox. */
  age?: string;
  /** Groups at the identity provider, separated by commas. */
  groups?: string;
}

/** Submits the sign-in form of an identity provider as the user. Returns the URL of the redirect. */
export async function submitSandboxSignIn(at: Visited, { verified, ...fields }: SandboxUser): Promise<string> {
  const answer = await fetch(`${at.url.origin}${at.url.pathname}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: at.url.origin },
    body: new URLSearchParams({
      ...Object.fromEntries(at.url.searchParams),
      ...fields,
      ...(verified !== false && { verified: 'yes' }),
    }),
  });
  const back = answer.headers.get('location') ?? '';
  expect(back).toContain(publicUrl);
  return back;
}

/** Signs in with an identity provider and returns the last page of the browser. */
export async function signInWith(
  server: TestServer,
  {
    browser,
    connection,
    user,
    extra = {},
  }: { browser: Browser; connection: string; user: SandboxUser; extra?: Record<string, string> | undefined },
): Promise<Visited> {
  const at = await browser.get(authorize(server, { connection, ...extra }).url);
  return browser.get(await submitSandboxSignIn(at, user));
}

/** The audit entries of an account, newest last. */
export const accountLog = ({ services }: TestServer, accountId: string) =>
  services.database.global(({ db }) =>
    db
      .selectFrom('account_audit')
      .select(['action', 'actor_id', 'data'])
      .where('account_id', '=', accountId)
      .orderBy('at')
      .orderBy('id')
      .execute(),
  );

/** The account of an email address; undefined for none. */
export const accountOf = ({ services }: TestServer, email: string) =>
  services.database.global(({ db }) =>
    db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirst(),
  );
