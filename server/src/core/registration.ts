import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import type { Services } from './services.ts';

/** Whether `SIGN_UP` allows this email address to create an account. Operators create accounts with `user create`. */
export async function mayRegister({ config }: Pick<Services, 'config'>, { db }: Tx, email: string): Promise<boolean> {
  const { SIGN_UP, SIGN_UP_DOMAINS } = config;
  if (SIGN_UP === 'open') return true;
  if (SIGN_UP === 'closed') return false;
  if (SIGN_UP_DOMAINS.includes(email.slice(email.lastIndexOf('@') + 1))) return true;
  const { rows } = await sql<{ invited: boolean }>`select has_open_invitation(${email}) as invited`.execute(db);
  return rows[0]?.invited === true;
}

/** The registration rule for people who may not sign up; undefined if sign-up is open. */
export function registrationRule({ SIGN_UP, SIGN_UP_DOMAINS }: Services['config']): string | undefined {
  if (SIGN_UP === 'open') return undefined;
  if (SIGN_UP === 'closed') return 'Only the operator of this server creates accounts. Ask the operator for one.';
  const invited = 'people whom an Account Owner of an organization invited';
  const domains = SIGN_UP_DOMAINS.length > 0 ? `addresses of ${SIGN_UP_DOMAINS.join(', ')}, and for ` : '';
  return `Accounts on this server are for ${domains}${invited}.`;
}
