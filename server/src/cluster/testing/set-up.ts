import type { Installation } from '../../cli/testing/installation.ts';

/** Creates an organization with an owner and a token of the owner. */
export async function setUpOrganization({ ask }: Installation): Promise<{ orgId: string; token: string }> {
  const email = 'ada@example.org';
  await ask('user', 'create', '--email', email, '--name', 'Ada', '--verified');
  const { organization } = await ask<{ organization: { id: string } }>(
    ...['org', 'create', '--name', 'Acme', '--owner', email],
  );
  const { token } = await ask<{ token: string }>('token', '--email', email, '--org', organization.id);
  return { orgId: organization.id, token };
}
