import { routeFetchThroughProxies } from '#core/egress.ts';
import { runCommandLine } from '../cli/run.ts';
import { readProxies } from '../config.ts';
import { archiveOldEvents } from './archive-old-events.ts';
import { makeMailsDue } from './mails-due.ts';
import { endPeriods } from './periods-over.ts';

// Runs operator commands beside a server for its parent process, one after another: loading the product for each of them takes seconds. A message
// contains the ID of a request and its arguments, the response the ID and the result. The process ends with its parent.

const testCommands: Record<string, () => Promise<void>> = {
  'events-archived': archiveOldEvents,
  'mails-due': makeMailsDue,
  'periods-over': endPeriods,
};

await routeFetchThroughProxies(readProxies());
let last = Promise.resolve();
process.on('message', ({ id, args }: { id: number; args: string[] }) => {
  last = last.then(async () => {
    process.send?.({ id, ...(await run(args)) });
  });
});
process.on('disconnect', () => process.exit(0));

async function run(args: string[]): Promise<{ code: number; out: string; errorOutput: string }> {
  const testCommand = testCommands[args[0] ?? ''];
  if (!testCommand) return runCommandLine(args);
  await testCommand();
  return { code: 0, out: '', errorOutput: '' };
}
