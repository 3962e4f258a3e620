import { ATTEMPT_LIMITS, refundAttempts } from '#core/attempts.ts';
import { mailLimits } from '#core/limits.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { mailboxOf } from '#providers/mail-budget.ts';
import type { ErasureContext } from './erasure-context.ts';
import type { NameScrub } from './scrub.ts';
import { patternsSql } from './tables.ts';

/**
 * Erases data outside the organization: locally stored emails, ended jobs and, if no other organization has it, the
 * account with its sign-in methods. The ID of the account remains, since rows and entries reference it.
 */
export async function eraseOutsideOrganization(erasing: ErasureContext): Promise<number> {
  const { services, scrub, accountId, deletesAccount, emails } = erasing;
  const jobs = await deleteJobsWithNames(services, scrub);
  return services.erasure.global(async (tx) => {
    let rows = jobs;
    const run = async (text: string, ...values: unknown[]) => {
      const [row] = await tx.query<{ n: number }>({
        name: '',
        text: `with changed as (${text} returning 1) select count(*)::int as n from changed`,
        values,
      });
      rows += row?.n ?? 0;
    };
    rows += await deleteTextsWithNames(tx, scrub);
    if (accountId !== null && deletesAccount) {
      for (const text of accountStatements) await run(text, accountId);
      await deleteAttempts(tx, [accountId, ...emails]);
    }
    return rows;
  });
}

/** Deletes emails and sign-in payloads that name the person. Checks each match, as the query also finds word parts. */
async function deleteTextsWithNames(tx: Tx, scrub: NameScrub): Promise<number> {
  if (scrub.needles.length === 0) return 0;
  let rows = 0;
  for (const { table, key, texts } of searchedTables) {
    const found = await tx.query<{ key: string; text: string }>({
      name: '',
      text: `with n as materialized (${patternsSql('$1')})
             select ${key}::text as key, concat_ws(E'\\n', ${texts}) as text from ${table}, n
             where lower(concat_ws(E'\\n', ${texts})) like any(n.patterns)`,
      values: [scrub.needles],
    });
    const keys = found.flatMap((row) => (scrub.text(row.text) === row.text ? [] : [row.key]));
    await tx.query({ name: '', text: `delete from ${table} where ${key}::text = any($1::text[])`, values: [keys] });
    rows += keys.length;
  }
  return rows;
}

const searchedTables = [
  { table: 'mail', key: 'id', texts: 'recipient, subject, body_text, body_html' },
  { table: 'oidc_payload', key: '(model, id)', texts: 'payload::text' },
];

/** Deletes ended jobs, which retain their data and errors for days, and queued emails if they name the person. */
async function deleteJobsWithNames({ database }: Services, scrub: NameScrub): Promise<number> {
  if (scrub.needles.length === 0) return 0;
  return database.global(async (tx) => {
    const [queue] = await tx.query<{ made: boolean }>({
      name: '',
      text: "select to_regclass('pgboss.job') is not null as made",
      values: [],
    });
    if (!queue?.made) return 0;
    const found = await tx.query<{ id: string; text: string }>({
      name: '',
      text: `with n as materialized (${patternsSql('$1')})
             select id, concat_ws(E'\\n', data::text, output::text) as text from pgboss.job, n
             where state <> 'active' and lower(concat_ws(E'\\n', data::text, output::text)) like any(n.patterns)`,
      values: [scrub.needles],
    });
    const ids = found.flatMap((row) => (scrub.text(row.text) === row.text ? [] : [row.id]));
    await tx.query({ name: '', text: 'delete from pgboss.job where id = any($1::uuid[])', values: [ids] });
    return ids.length;
  });
}

const accountStatements = [
  `delete from oidc_payload where uid = $1::uuid::text or payload ->> 'accountId' = $1::uuid::text`,
  `delete from oidc_payload p using account_session s
   where s.account_id = $1 and (p.uid = s.uid or p.payload ->> 'sessionUid' = s.uid)`,
  'delete from account_session where account_id = $1',
  'delete from account_identity where account_id = $1',
  'delete from account_password where account_id = $1',
  'delete from account_totp where account_id = $1',
  'delete from account_passkey where account_id = $1',
  'delete from account_recovery_code where account_id = $1',
  'delete from account_flag where account_id = $1',
  'delete from account_audit where account_id = $1',
  `update account set email = id || '@erased.invalid', email_verified_at = null, name = 'Deleted person', picture = null,
     github_login = null, github_name = null, description = '{}', last_login_at = null, is_employee = false,
     is_operator = false where id = $1`,
];

async function deleteAttempts(tx: Tx, subjects: readonly string[]): Promise<void> {
  const signIns = Object.values(ATTEMPT_LIMITS).flatMap((limit) =>
    subjects.map((subject) => [limit, subject] as const),
  );
  const mails = Object.values(mailLimits).flatMap((limit) =>
    subjects.map((subject) => [limit, mailboxOf(subject)] as const),
  );
  await refundAttempts(tx, { cleared: [...signIns, ...mails] });
}
