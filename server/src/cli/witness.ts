import { once } from 'node:events';
import { verifierText } from '@sightline/evidence/ledger/note.ts';
import { Invalid } from '#core/errors.ts';
import { command } from './command.ts';
import { serveWitness } from './witness/serve.ts';
import { openWitnessKey, readLogKeys } from './witness/store.ts';

export const witness = command({
  name: 'witness',
  says: 'Looks after ledgers for somebody else than who runs them: cosigns a checkpoint only if its log has done nothing but grow.',
  options: {
    folder: {
      takes: 'DIR',
      required: true,
      says: 'Where its key is, and what it cosigned last. Made if it is not there; lose it, and start under a new name.',
    },
    logs: { takes: 'FILE', required: true, says: 'The public keys of the ledgers, one on each line.' },
    name: {
      takes: 'NAME',
      says: 'What it is called in what it signs, such as witness.example/audit. For a new folder.',
    },
    host: { takes: 'ADDRESS', says: 'Where it listens; 127.0.0.1 unless given. Put https before it.' },
    port: { takes: 'PORT', says: '8090 unless given.' },
  },
  run: async ({ options, json }) => {
    const port = Number(options.port ?? 8090);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw Invalid('--port', 'must be a port');
    const [key, logs] = await told(() =>
      Promise.all([openWitnessKey(options.folder, options.name), readLogKeys(options.logs)]),
    );
    const say = (line: string) => void (json || process.stderr.write(`${line}\n`));
    const vkey = verifierText(key.verifier);
    const host = options.host ?? '127.0.0.1';
    const running = await serveWitness({ folder: options.folder, key, logs, say }, host, port);
    say(`Witness ${key.verifier.name} looks after ${logs.size} ledgers at http://${host}:${running.port}`);
    say(`Its key, to be named to them: ${vkey}`);
    await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
    await running.stop();
    return { json: { witness: { name: key.verifier.name, key: vkey } }, lines: ['Stopped.'] };
  },
});

/** What a file of theirs holds is for people to put right. */
const told = <Result>(work: () => Promise<Result>): Promise<Result> =>
  work().catch((error: Error) => {
    throw Invalid('', `cannot be begun: ${error.message}`);
  });
