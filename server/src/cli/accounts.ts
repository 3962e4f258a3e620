import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { normalizeEmail } from '#core/email-address.ts';
import { Conflict, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { newPasswordProblem } from '../domains/identity/authentication/common-passwords.ts';
import { hashPassword } from '../domains/identity/authentication/passwords.ts';
import { command } from './command.ts';
import { withServices } from './command-resources.ts';
import { promptPassword } from './prompt.ts';

export interface CliAccount {
  id: string;
  email: string;
  name: string;
  verified: boolean;
}

export const createUser = command({
  name: 'user create',
  description: 'Creates a user who signs in with a password.',
  options: {
    email: { valueName: 'ADDRESS', required: true, description: 'Their email address.' },
    name: { valueName: 'NAME', required: true, description: 'Their display name.' },
    password: { valueName: 'TEXT', description: 'Prompts if omitted. An empty input, or no terminal, generates one.' },
    verified: { description: 'Mark the address as confirmed. Otherwise sign-in sends a confirmation email.' },
  },
  run: async ({ options, json }) => {
    const email = addressOf(options.email);
    const given = options.password ?? (await promptPassword(json));
    const password = given || randomBytes(15).toString('base64url');
    const account = await withServices((services) => addAccount(services, { ...options, email, password }));
    const shown = given ? {} : { password };
    return {
      json: { user: { ...account, ...shown } },
      lines: [
        `Created ${account.email} (${account.id}), ${account.verified ? 'confirmed' : 'not confirmed yet'}.`,
        ...(given ? [] : [`Password (shown once): ${password}`]),
      ],
    };
  },
});

interface NewAccount {
  email: string;
  name: string;
  /** Undefined: the account cannot sign in with a password. */
  password: string | undefined;
  verified: boolean;
}

/**
 * Creates an account. Throws `conflict` for an address with an account, `validation_failed` for an invalid name or
 * password.
 */
export async function addAccount(services: Services, given: NewAccount): Promise<CliAccount> {
  const name = given.name.trim();
  if (name === '' || name.length > 200 || !name.isWellFormed())
    throw Invalid('--name', 'must have 1 to 200 characters');
  const hash = given.password === undefined ? undefined : await hashOf(services, given.password, given.email);
  const account = { id: newId(), email: given.email, name };
  await services.database.global(async ({ db }) => {
    const made = await db
      .insertInto('account')
      .values({ ...account, email_verified_at: given.verified ? sql<Date>`now()` : null })
      .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
      .executeTakeFirst();
    if (made.numInsertedOrUpdatedRows !== 1n) throw Conflict(`${given.email} already has an account.`);
    if (hash !== undefined) await db.insertInto('account_password').values({ account_id: account.id, hash }).execute();
  });
  return { ...account, verified: given.verified };
}

async function hashOf({ config }: Services, password: string, email: string): Promise<string> {
  const problem = await newPasswordProblem(password, email);
  if (problem !== undefined) throw Invalid('--password', `is not acceptable. ${problem.replace(/\.$/, '')}`);
  return hashPassword(password, config);
}

/** Returns the account of an address. Throws 404 if there is none. */
export async function findAccountByEmail(services: Services, given: string): Promise<CliAccount> {
  const account = await maybeAccountByEmail(services, addressOf(given));
  if (!account) throw NotFound(`Account ${given}`);
  return account;
}

/** `email` in the stored form. */
export const maybeAccountByEmail = ({ database }: Services, email: string): Promise<CliAccount | undefined> =>
  database.global(async ({ db }) => {
    const row = await db
      .selectFrom('account')
      .select(['id', 'email', 'name', 'email_verified_at'])
      .where(sql<boolean>`lower(email) = ${email}`)
      .executeTakeFirst();
    return row && { id: row.id, email: row.email, name: row.name, verified: row.email_verified_at !== null };
  });

function addressOf(given: string): string {
  const email = normalizeEmail(given);
  if (email === undefined) throw Invalid('--email', 'must be an email address');
  return email;
}
