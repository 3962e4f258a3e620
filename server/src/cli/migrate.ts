import { migrate } from '#database/migrate.ts';
import { readConfig } from '../config.ts';
import { command } from './command.ts';
import { openDatabase } from './command-resources.ts';
import { readSchemaState } from './schema.ts';

export const migrateCommand = command({
  name: 'migrate',
  description: 'Migrates the database to this release, like a start.',
  options: {},
  run: async () => {
    const database = await openDatabase(readConfig());
    try {
      const { missing } = await readSchemaState(database.ownerUrl);
      await migrate(database.ownerUrl);
      return {
        json: { applied: missing },
        lines: missing.length === 0 ? ['The database is up to date.'] : missing.map((name) => `Migrated ${name}`),
      };
    } finally {
      await database.close();
    }
  },
});
