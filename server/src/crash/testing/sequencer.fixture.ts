import { createLog } from '#core/log.ts';
import { createSecrets } from '#core/secrets.ts';
import { openDatabase } from '#database/database.ts';
import { startSequencer } from '../../domains/ledger/ledger/worker.ts';

// The test runs this in its own process, which it kills at any moment: a sequencer without a server.
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
