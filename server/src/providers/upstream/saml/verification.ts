import { Worker } from 'node:worker_threads';
import { libraryPath, type SamlOptions } from './libraries.ts';

/** The options of the library that verification uses. Threads receive copies, so functions are added there. */
export type VerificationOptions = Omit<SamlOptions, 'cacheProvider' | 'generateUniqueId' | 'privateKey'>;

/** A response that the library accepted. The assertion is parsed from the bytes that were signed. */
export interface Verified {
  nameID: string | undefined;
  nameIDFormat: string | undefined;
  assertion: unknown;
}

/** The message of a library error about the response. */
interface Rejected {
  rejected: string;
}

/*
 * Time and memory of the library grow with the square of the elements: a hostile response of 2,000 elements takes about
 * a second. It therefore runs in a thread of its own, which is ended after the limit, and few run at the same time.
 */
const LIMIT_MS = 5_000;
const MOST_THREADS = 2;
const MOST_WAITING = 50;

const code = `
const { parentPort, workerData: { library, options, requestId, SAMLResponse } } = require('node:worker_threads');
const { SAML } = require(library);
const cacheProvider = {
  saveAsync: async () => null,
  getAsync: async (key) => (key === requestId ? new Date().toISOString() : null),
  removeAsync: async () => null,
};
new SAML({ ...options, cacheProvider }).validatePostResponseAsync({ SAMLResponse }).then(
  ({ profile }) => parentPort.postMessage({
    nameID: profile?.nameID,
    nameIDFormat: profile?.nameIDFormat,
    assertion: profile?.getAssertion?.().Assertion,
  }),
  (error) => parentPort.postMessage({ rejected: String(error?.message) }),
);`;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Verifies the signature, times and audience of a response (base64). Returns the reason if the library rejects it. Throws
 * if too many responses wait, or if one takes too long.
 */
export async function verifyResponse(
  options: VerificationOptions,
  requestId: string,
  SAMLResponse: string,
): Promise<Verified | Rejected> {
  if (waiting.length >= MOST_WAITING) throw new Error('too many SAML responses wait for their verification');
  while (running >= MOST_THREADS) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await runThread({ library: libraryPath, options, requestId, SAMLResponse });
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

async function runThread(workerData: object): Promise<Verified | Rejected> {
  const thread = new Worker(code, { eval: true, workerData, env: {}, resourceLimits: { maxOldGenerationSizeMb: 128 } });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', () => reject(new Error('the verification of a SAML response ended without a result')));
      timer = setTimeout(() => reject(new Error('the verification of a SAML response took too long')), LIMIT_MS);
      timer.unref();
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
