import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type LoadFigures, type LoadOptions, runLoad, warmUpServer } from './load.ts';

/** A server in its own process that does nothing but answer. */
export interface BareServer {
  /** Runs the same load against the server, which answers each request with `answer`. */
  measure: (answer: Buffer, load: Omit<LoadOptions, 'url'>) => Promise<LoadFigures>;
  stop: () => Promise<void>;
}

/**
 * Starts a server that answers with fixed bytes. Its 99th percentile is the ceiling: no server on this machine can have a
 * shorter tail under the same load of the same generator.
 */
export async function startBareServer(): Promise<BareServer> {
  const child = fork(new URL('./bare-server.ts', import.meta.url), { execArgv: ['--max-semi-space-size=16'] });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  let isWarm = false;
  return {
    async measure(answer, load) {
      const ready = once(child, 'message');
      child.send({ base64: answer.toString('base64') });
      await ready;
      if (!isWarm) await warmUpServer({ ...load, url });
      isWarm = true;
      await runLoad({ ...load, url, seconds: 1 });
      return runLoad({ ...load, url });
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
