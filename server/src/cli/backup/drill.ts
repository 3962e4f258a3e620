import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createLog } from '#core/log.ts';
import { startEmbeddedPostgres } from '#database/embedded/supervisor.ts';
import { prepareCluster } from '#database/prepare.ts';
import type { Config } from '../../config.ts';
import { checkLedger } from '../../domains/ledger/ledger/check/check.ts';
import { loadBackup } from './load.ts';
import type { VerifiedBackup } from './open-backup.ts';
import { prepareDatabase } from './prepare.ts';

/** Disables external services during a drill. */
const standalone = {
  KEY_COMMAND: undefined,
  CLICKHOUSE_URL: undefined,
  REDIS_URL: undefined,
  SMTP_URL: undefined,
} satisfies Partial<Config>;

export interface RestoreDrillResult {
  /** Entries of all ledgers. */
  entries: number;
  /** Organizations that have a ledger. */
  ledgers: number;
  /** Differences from the signed checkpoints, with the organization. */
  problems: string[];
  /** The duration of the restore, without the verification of the ledgers. */
  seconds: number;
}

/** Restores a backup into a temporary PostgreSQL in the data directory, and verifies every ledger. */
export async function runRestoreDrill(config: Config, backup: VerifiedBackup): Promise<RestoreDrillResult> {
  await mkdir(config.dataDir, { recursive: true });
  const dataDir = await mkdtemp(join(config.dataDir, 'drill-'));
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
    try {
      const ownerUrl = await prepareCluster(postgres.url);
      const began = performance.now();
      await prepareDatabase(ownerUrl);
      const { entries } = await loadBackup(ownerUrl, backup);
      const seconds = Math.round((performance.now() - began) / 100) / 10;
      const scratch = { ...config, dataDir, MASTER_KEY: backup.masterKey.toString('base64'), ...standalone };
      return { entries, seconds, ...(await checkLedgers(scratch, ownerUrl)) };
    } finally {
      await postgres.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function checkLedgers(
  config: Config,
  ownerUrl: string,
): Promise<Pick<RestoreDrillResult, 'ledgers' | 'problems'>> {
  const { composeServices: compose } = await import('../../compose.ts');
  const { services, close } = await compose(config, ownerUrl, createLog('silent'));
  try {
    const { rows } = await services.database.pool.query<{ id: string }>('select every_organization() as id');
    let ledgers = 0;
    const problems: string[] = [];
    for (const { id } of rows) {
      const checked = await checkLedger(services, id);
      if (!checked) continue;
      ledgers += 1;
      problems.push(...checked.problems.map(({ epoch, message }) => `${id}: epoch ${epoch}, ${message}`));
    }
    return { ledgers, problems };
  } finally {
    await close();
  }
}
