import { routeFetchThroughProxies } from '#core/egress.ts';
import { readProxies } from '../config.ts';
import { runCommandLine } from './run.ts';

// Deprecation warnings of packages are for developers; operators cannot act on them.
process.noDeprecation = true;
await routeFetchThroughProxies(readProxies());
const { code, out, errorOutput: complaint } = await runCommandLine(process.argv.slice(2));
process.stdout.write(out);
process.stderr.write(complaint);
// Exits immediately: connections of the database and the queue would close by themselves later.
process.exit(code);
