import pg from 'pg';

const owner = 'sightline';

/**
 * Creates the login that owns the schema, and its database, on a built-in cluster. Returns the connection string of the
 * login; idempotent.
 */
export async function prepareCluster(superuserUrl: string, database = 'sightline'): Promise<string> {
  const password = new URL(superuserUrl).password;
  const client = new pg.Client({ connectionString: superuserUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows: roles } = await client.query('select from pg_roles where rolname = $1', [owner]);
    if (roles.length === 0) {
      await client.query(`create role ${owner} login createrole password ${pg.escapeLiteral(password)}`);
    }
    const { rows: databases } = await client.query('select from pg_database where datname = $1', [database]);
    if (databases.length === 0) await client.query(`create database ${pg.escapeIdentifier(database)} owner ${owner}`);
  } finally {
    await client.end();
  }
  const url = new URL(superuserUrl);
  url.username = owner;
  url.pathname = `/${database}`;
  return url.href;
}
