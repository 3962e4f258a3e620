import { once } from 'node:events';
import { verifierText } from '@sightline/evidence/ledger/note.ts';
import { Invalid } from '#core/errors.ts';
import { command } from './command.ts';
import { serveWitness } from './witness/serve.ts';
import { openWitnessKeys, readLogKeys } from './witness/store.ts';

export const witnessCommand = command({
  name: 'witness',
  description: 'Runs a ledger witness: cosigns a checkpoint if its log is append-only.',
  options: {
    folder: {
      valueName: 'DIR',
      required: true,
      description: 'Folder with its key and state. Created if missing. If lost, start a witness with a new name.',
    },
    logs: {
      valueName: 'FILE',
      required: true,
      description: 'A file with the public keys of the ledgers, one per line.',
    },
    name: {
      valueName: 'NAME',
      description: 'The witness name in cosignatures, such as witness.example/audit. For a new folder.',
    },
    host: {
      valueName: 'ADDRESS',
      description: 'The listen address. Default: 127.0.0.1. Use a reverse proxy with TLS.',
    },
    port: { valueName: 'PORT', description: 'The port. Default: 8090.' },
  },
  run: async ({ options, json }) => {
    const port = Number(options.port ?? 8090);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw Invalid('--port', 'must be a port');
    const [keys, logs] = await asInvalidInput(() =>
      Promise.all([openWitnessKeys(options.folder, options.name), readLogKeys(options.logs)]),
    );
    const say = (line: string) => void (json || process.stderr.write(`${line}\n`));
    const vkeys = keys.map(({ verifier }) => verifierText(verifier));
    const name = keys[0]?.verifier.name;
    const host = options.host ?? '127.0.0.1';
    const running = await serveWitness({ folder: options.folder, keys, logs, log: say }, host, port);
    say(`Witness ${name} witnesses ${logs.size} ledgers at http://${host}:${running.port}`);
    for (const vkey of vkeys) say(`Public key for the ledgers: ${vkey}`);
    await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
    await running.stop();
    return { json: { witness: { name, keys: vkeys } }, lines: ['Stopped.'] };
  },
});

/** Reports errors in files of the user as invalid input. */
const asInvalidInput = <Result>(work: () => Promise<Result>): Promise<Result> =>
  work().catch((error: Error) => {
    throw Invalid('', `cannot be begun: ${error.message}`);
  });
