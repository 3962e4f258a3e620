import { hostname } from 'node:os';
import { createApi, type SendRequest } from '@sightline/telemetry/api.ts';
import { createSession, type ExtensionSignInSession, type StoredSession } from '@sightline/telemetry/session.ts';
import { authorizeUrl, pkce, redeemCode } from '@sightline/telemetry/sign-in.ts';
import { env, type SecretStorage, Uri, window } from 'vscode';
import { createPending } from './pending-sign-ins.ts';
import { serverAddress } from './server-address.ts';
import { settings } from './settings.ts';
import { parseJson } from './shared-file.ts';

export interface EditorAccount {
  session: ExtensionSignInSession;
  callApi: SendRequest;
  /** Opens the page on which the user authorizes this editor. */
  signIn: () => Promise<void>;
  /** Receives the code from a link. */
  finish: (link: Uri) => Promise<void>;
  signOut: () => Promise<void>;
}

const secretName = 'sightline.session';
const linkPath = '/authorize';

/** Another window may have signed in or out. */
export const isOfSession = ({ key }: { key: string }): boolean => key === secretName;

export function createAccount(secrets: SecretStorage, program: string, version: string): EditorAccount {
  const server = () => settings.server() ?? 'https://unknown.invalid';
  const callApi = createApi({ server });
  const pending = createPending(secrets);

  const session = createSession({
    callApi,
    version,
    // A sign-in belongs to its server. No other server receives its token.
    load: async () => {
      const stored = parseJson(await secrets.get(secretName)) as { server: string; saved: StoredSession } | undefined;
      return stored?.server === settings.server() ? (stored?.saved ?? null) : null;
    },
    save: async (saved) => {
      if (saved) await secrets.store(secretName, JSON.stringify({ server: server(), saved }));
      else await secrets.delete(secretName);
    },
  });

  async function signIn() {
    const address = settings.server() ?? (await promptServerUrl());
    if (address === undefined) return;
    const challenge = await pkce();
    await pending.add({ state: challenge.state, codeVerifier: challenge.codeVerifier, server: address });
    const back = await env.asExternalUri(Uri.parse(`${env.uriScheme}://sightline.sightline${linkPath}`));
    const url = authorizeUrl({
      server: address,
      scheme: env.uriScheme,
      challenge,
      type: program,
      device: hostname(),
      // An editor in a browser receives links through a page of its own server.
      ...(/^https?$/.test(back.scheme) ? { callback: back.toString(true) } : {}),
    });
    // Passed as a string: a `Uri` decodes the query, so that `&` in the callback would end it.
    await env.openExternal(url as unknown as Uri);
  }

  async function finish(link: Uri) {
    const given = new URLSearchParams(link.query);
    const begun = link.path === linkPath ? await pending.take(given.get('state') ?? '') : undefined;
    if (!begun || begun.server !== settings.server()) {
      void window.showWarningMessage('Sightline: a sign-in that this editor did not request was ignored.');
      return;
    }
    const answer = await redeemCode(callApi, {
      code: given.get('code') ?? '',
      codeVerifier: begun.codeVerifier,
      version,
    });
    if ('problem' in answer) return failed(answer.problem);
    await session.signIn(answer.signedIn);
    window.setStatusBarMessage(`$(pass) Sightline: signed in as ${answer.signedIn.account.email}`, 5000);
  }

  async function failed(problem: string) {
    const again = 'Sign in again';
    if ((await window.showErrorMessage(`Sightline: ${problem}`, again)) === again) await signIn();
  }

  return { session, callApi, signIn, finish, signOut: () => session.signOut() };
}

async function promptServerUrl(): Promise<string | undefined> {
  const given = await window.showInputBox({
    title: 'Sightline: sign in',
    prompt: 'URL of the Sightline server of your organization',
    placeHolder: 'https://sightline.example.com',
    ignoreFocusOut: true,
    validateInput: (text) => {
      const checked = serverAddress(text);
      return 'problem' in checked ? checked.problem : undefined;
    },
  });
  const checked = serverAddress(given ?? '');
  if ('problem' in checked) return undefined;
  await settings.setServer(checked.address);
  return checked.address;
}
