import { startEmbeddedPostgres } from './supervisor.ts';

// The tests run this as a separate server: it sends the address to its parent, and ends on request.
const { url } = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log: () => {} });
process.on('message', () => process.exit(3));
process.send?.(url);
