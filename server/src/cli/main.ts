import { routeFetchThroughProxies } from '#core/egress.ts';
import { readProxies } from '../config.ts';
import { run } from './run.ts';

// What packages say about their own future is for developers; an operator can do nothing about it.
process.noDeprecation = true;
routeFetchThroughProxies(readProxies());
const { code, out, complaint } = await run(process.argv.slice(2));
process.stdout.write(out);
process.stderr.write(complaint);
// By exit: connections of the database and the queue close by themselves a moment later.
process.exit(code);
