import { sql } from 'kysely';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Database } from '#database/database.ts';
import { isMcpClient, REGISTERED_CLIENT_DAYS } from './mcp-clients.ts';

const unexpired = sql<boolean>`(expires_at is null or expires_at > now())`;

/** The storage of oidc-provider for codes, sessions, grants and clients: one row of one table each. */
export function createAdapter({ global }: Database): (model: string) => Adapter {
  return (model) => {
    const firstPayload = (rows: { payload: unknown; consumed_at: Date | null }[]): AdapterPayload | undefined => {
      const [row] = rows;
      if (!row || (model === 'Session' && row.consumed_at)) return undefined;
      return {
        ...(row.payload as AdapterPayload),
        ...(row.consumed_at && { consumed: Math.floor(row.consumed_at.getTime() / 1000) }),
      };
    };
    const findBy = (column: 'id' | 'uid' | 'user_code', value: string) =>
      global(async ({ db }) =>
        firstPayload(
          await db
            .selectFrom('oidc_payload')
            .select(['payload', 'consumed_at'])
            .where('model', '=', model)
            .where(column, '=', value)
            .where(unexpired)
            .orderBy('consumed_at', (order) => order.desc().nullsFirst())
            .orderBy('expires_at', 'desc')
            .limit(1)
            .execute(),
        ),
      );
    return {
      find: (id) => findBy('id', id),
      findByUid: (uid) => findBy('uid', uid),
      findByUserCode: (code) => findBy('user_code', code),

      async upsert(id, payload, expiresIn) {
        const lifetime = expiresIn || (isMcpClient(payload) ? REGISTERED_CLIENT_DAYS * 86_400 : undefined);
        const values = {
          payload: JSON.stringify(payload),
          grant_id: payload.grantId ?? null,
          uid: payload.uid ?? null,
          user_code: payload.userCode ?? null,
          expires_at: lifetime === undefined ? null : sql<Date>`now() + make_interval(secs => ${lifetime})`,
        };
        await global(({ db }) =>
          db
            .insertInto('oidc_payload')
            .values({ model, id, ...values })
            .onConflict((conflict) => {
              const set = conflict.columns(['model', 'id']).doUpdateSet(values);
              // A silent renewal in progress at logout must not restore the session.
              return model === 'Session' ? set.where('oidc_payload.consumed_at', 'is', null) : set;
            })
            .execute(),
        );
      },

      // Only the first use succeeds. An unconditional update would allow concurrent requests to redeem one code.
      async consume(id) {
        const { numUpdatedRows } = await global(({ db }) =>
          db
            .updateTable('oidc_payload')
            .set({ consumed_at: sql`now()` })
            .where('model', '=', model)
            .where('id', '=', id)
            .where('consumed_at', 'is', null)
            .executeTakeFirstOrThrow(),
        );
        if (numUpdatedRows !== 1n) throw new errors.InvalidGrant('it was used already');
      },

      async destroy(id) {
        await global(async ({ db }) => {
          const deletion = db.deleteFrom('oidc_payload').where('model', '=', model).where('id', '=', id);
          if (model !== 'Session') return deletion.execute();
          return db
            .updateTable('oidc_payload')
            .set({ consumed_at: sql`now()`, payload: '{}' })
            .where('model', '=', model)
            .where('id', '=', id)
            .execute();
        });
      },

      async revokeByGrantId(grantId) {
        await global(({ db }) =>
          db.deleteFrom('oidc_payload').where('model', '=', model).where('grant_id', '=', grantId).execute(),
        );
      },
    };
  };
}
