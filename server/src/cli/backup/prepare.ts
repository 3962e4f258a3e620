import { migrate } from '#database/migrate.ts';

/** Creates the tables of this release in a database: its own by migrations, those of the queue by its package. */
export async function prepareDatabase(ownerUrl: string): Promise<void> {
  await migrate(ownerUrl);
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({ connectionString: ownerUrl, schema: 'pgboss', supervise: false, schedule: false });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.stop({ graceful: false });
}
