import { createLog } from '#core/log.ts';
import { createSecrets } from '#core/secrets.ts';
import { openDatabase } from '#database/database.ts';
import { startSequencer } from '../../domains/ledger/ledger/worker.ts';

// Run by the test as a process of its own, which is killed at any moment: a sequencer and nothing beside it.
const [url = '', masterKey = '', folder = ''] = process.argv.slice(2);
const log = createLog('error');
startSequencer({
  database: openDatabase({ url, max: 2, role: 'sightline_ledger', onError: () => undefined }),
  secrets: createSecrets(Buffer.from(masterKey, 'base64')),
  host: 'crash.example',
  folder,
  log,
  failed: async (_, because) => {
    process.send?.(`halted: ${because}`);
  },
  sequenced: async () => undefined,
});
process.send?.('ready');
