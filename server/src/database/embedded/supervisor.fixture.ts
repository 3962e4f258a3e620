import { startEmbedded } from './supervisor.ts';

// Run by the tests as a server of its own: tells the address to its parent, and ends when told to.
const { url } = await startEmbedded({ dataDir: process.argv[2] ?? '', log: () => {} });
process.on('message', () => process.exit(3));
process.send?.(url);
