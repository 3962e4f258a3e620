import { Agent, fetch as undiciFetch } from 'undici';

/** Sends every `fetch` of this process from one local address, such as 127.0.0.2. */
export function bindFetch(localAddress: string): void {
  const dispatcher = new Agent({ localAddress });
  globalThis.fetch = ((input: string | URL, init: object = {}) =>
    undiciFetch(input, { ...init, dispatcher })) as unknown as typeof fetch;
}
