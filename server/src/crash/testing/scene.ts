import { type ApiCall, createClient } from '@sightline/contract/core/client.ts';
import { createInstallation, type Installation, type RunningServer } from '../../cli/testing/installation.ts';

/** An installation with a running server, an organization, and its owner's token. */
export interface CrashScene {
  installation: Installation;
  server: RunningServer;
  orgId: string;
  /** Returns a token that is valid for an hour. */
  token: () => Promise<string>;
  call: ApiCall;
}

const owner = 'owner@example.org';

export async function createScene(environment: Record<string, string> = {}): Promise<CrashScene> {
  const installation = await createInstallation(environment);
  const server = await installation.start();
  await installation.ask('user', 'create', '--email', owner, '--name', 'Olga Owner', '--verified');
  const { organization } = await installation.ask<{ organization: { id: string } }>(
    ...['org', 'create', '--name', 'Acme', '--owner', owner],
  );
  const token = async () => {
    const args = ['token', '--email', owner, '--org', organization.id, '--minutes', '60'];
    return (await installation.ask<{ token: string }>(...args)).token;
  };
  const current = await token();
  const call = createClient({ baseUrl: `${installation.url}/api`, token: () => current });
  return { installation, server, orgId: organization.id, token, call };
}
