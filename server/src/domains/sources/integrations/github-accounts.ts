import type { CardContext } from './manifest.ts';

/** A sentence for each account with a suspended app. */
export async function suspendedAccountMessages({ tx, actor }: CardContext): Promise<string[]> {
  const rows = await installations(tx, actor.orgId)
    .where('deleted_at', 'is', null)
    .where('suspended_at', 'is not', null)
    .execute();
  return rows.map(
    ({ account_login }) =>
      `The app is suspended on ${account_login}: no new data is imported. Resume it in its settings on GitHub.`,
  );
}

/** A sentence for each account from which the app was uninstalled. */
export async function uninstalledAccountMessages({ tx, actor }: CardContext): Promise<string[]> {
  const rows = await installations(tx, actor.orgId).where('deleted_at', 'is not', null).execute();
  return rows.map(
    ({ account_login }) =>
      `The app is no longer installed on ${account_login}. Imported data is kept. Connect GitHub again to continue.`,
  );
}

const installations = ({ db }: CardContext['tx'], orgId: string) =>
  db
    .selectFrom('installation')
    .where('org_id', '=', orgId)
    .where('provider', '=', 'github')
    .select('account_login')
    .distinct()
    .orderBy('account_login');
