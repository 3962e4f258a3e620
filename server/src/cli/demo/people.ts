import { randomBytes } from 'node:crypto';
import { createClient } from '@sightline/contract/core/client.ts';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { completeOnboarding, registerAccount } from '@sightline/contract/identity/accounts.ts';
import { inviteMembers } from '@sightline/contract/organization/invitations.ts';
import { deactivateMember, deleteMember } from '@sightline/contract/organization/members.ts';
import { sql } from 'kysely';
import type { Services } from '#core/services.ts';
import type { SigningKeys } from '#core/signing-keys.ts';
import { joinMember } from '../../domains/organization/members/commands.ts';
import { addAccount, type CliAccount } from '../accounts.ts';
import { operatorActorFor } from '../operator.ts';
import { signToken } from '../tokens.ts';
import type { DemoMember } from './demo-run.ts';
import { signInWithPassword } from './sign-in.ts';

const emailOf = (name: string): string => `${name.toLowerCase().replace(' ', '.')}@harborline.example`;

/** People who sign in, one of each role. They commit under the same addresses, except the auditor. */
const demoRoles = [
  { name: 'Mira Okafor', roleId: 'rol_owner' },
  { name: 'Lena Fischer', roleId: 'rol_contributor' },
  { name: 'Jonas Berg', roleId: 'rol_reviewer' },
  { name: 'Eva Lindgren', roleId: 'rol_auditor' },
] as const satisfies { name: string; roleId: RoleId }[];

/** Members who only commit and review. */
const colleagues = [
  ...['Tomas Novak', 'Priya Raman', 'Kenji Mori', 'Aisha Bello', 'Marek Zielinski', 'Sofia Rossi', 'Noah Weber'],
];
/** Members who left: the first is deactivated, the second removed. */
const leavers = ['Hanna Lindqvist', 'Diego Alvarez'] as const;
const invited = ['rosa.keller', 'amir.haddad'].map((name) => `${name}@harborline.example`);

/** Password of an account with the role, in the order of `demoRoles`. */
type DemoCredential = { name: string; email: string; password: string; roleId: RoleId };

export const createOwnerAccount = async (
  services: Services,
): Promise<{ account: CliAccount; credential: DemoCredential }> => {
  const [{ name, roleId }] = demoRoles;
  const credential = { name, roleId, email: emailOf(name), password: newPassword() };
  return { account: await addAccount(services, { ...credential, verified: true }), credential };
};

const newPassword = (): string => randomBytes(9).toString('base64url');

/** Where members join, with the keys that sign their tokens. */
interface Joining {
  services: Services;
  keys: SigningKeys;
  orgId: string;
}

/** Signs a member in with the password, as some actions require a recent sign-in. */
export async function signInMember(
  { services, orgId }: Pick<Joining, 'services' | 'orgId'>,
  accountId: string,
  { name, email, password }: DemoCredential,
): Promise<DemoMember> {
  const { PUBLIC_URL } = services.config;
  const token = await signInWithPassword(PUBLIC_URL, { email, password, organization: orgId });
  return { accountId, email, name, token, call: createClient({ baseUrl: `${PUBLIC_URL}/api`, token: () => token }) };
}

/** Adds the other members, and lets two of them leave again. Returns those who sign in. */
export async function addMembers(
  joining: Joining,
  owner: DemoMember,
): Promise<{ members: DemoMember[]; credentials: DemoCredential[] }> {
  const [, ...others] = demoRoles;
  const members: DemoMember[] = [];
  const credentials: DemoCredential[] = [];
  for (const { name, roleId } of others) {
    const credential = { name, roleId, email: emailOf(name), password: newPassword() };
    credentials.push(credential);
    members.push(await addDemoMember(joining, credential));
  }
  const [left, removed] = leavers;
  for (const name of [...colleagues, ...leavers]) {
    const colleague = { name, roleId: 'rol_contributor', email: emailOf(name), password: undefined } as const;
    const { accountId: userId } = await addDemoMember(joining, colleague);
    if (name === left) await owner.call(deactivateMember, { params: { userId } });
    if (name === removed) await owner.call(deleteMember, { params: { userId } });
  }
  await owner.call(inviteMembers, { body: { invite: { emails: invited, roleID: 'rol_contributor' } } });
  return { members, credentials };
}

/** Adds an existing account as an owner, such as the one who asked for the demo. */
export const addOwner = ({ services, orgId }: Joining, account: CliAccount): Promise<boolean> =>
  services.database.withOrg(orgId, (tx) =>
    joinMember(services, tx, { account: operatorActorFor(account), orgId, roleId: 'rol_owner' }),
  );

/** Records an account that is deleted with the organization. */
export const recordDemoAccount = (services: Services, orgId: string, accountId: string): Promise<unknown> =>
  services.database.withOrg(orgId, ({ db }) =>
    db
      .updateTable('organization')
      .set({ demo_accounts: sql<string[]>`demo_accounts || ${accountId}::uuid` })
      .where('id', '=', orgId)
      .execute(),
  );

/** Creates an account, adds it to the organization, and opens it once, which makes the member active. */
async function addDemoMember(
  { services, keys, orgId }: Joining,
  { name, email, password, roleId }: Omit<DemoCredential, 'password'> & { password: string | undefined },
): Promise<DemoMember> {
  const account = await addAccount(services, { name, email, password, verified: true });
  await recordDemoAccount(services, orgId, account.id);
  await services.database.withOrg(orgId, (tx) =>
    joinMember(services, tx, { account: operatorActorFor(account), orgId, roleId }),
  );
  const member = await openSession({ services, keys, orgId }, account);
  await member.call(registerAccount, { body: {} });
  if (roleId === 'rol_contributor') await member.call(completeOnboarding, {});
  return member;
}

/** A member with a token for an hour, longer than the one of a sign-in: the import of a busy machine takes that long. */
export async function openSession({ services, keys, orgId }: Joining, account: CliAccount): Promise<DemoMember> {
  const { id: accountId, email, name } = account;
  const token = await signToken(services, { keys, account, orgId, minutes: 60 });
  const call = createClient({ baseUrl: `${services.config.PUBLIC_URL}/api`, token: () => token });
  return { accountId, email, name, token, call };
}
