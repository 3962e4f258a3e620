import type { Outbound } from '#core/outbound.ts';
import type { CodeHost } from '#providers/code-host.ts';
import { createCode } from './code.ts';
import { createHooks } from './hooks.ts';
import { listPlaces, type Place, type TokenHolder, whoIs } from './places.ts';
import { createReads } from './reads.ts';
import { type Credentials, createAsk } from './transport.ts';

/** A GitLab as the holder of a token sees it: reads of a code host, and what of it can be picked. */
export interface GitlabHost extends CodeHost {
  whoIs: () => Promise<TokenHolder>;
  listPlaces: (holder: TokenHolder) => Promise<Place[]>;
}

/** `baseURL`: where people open the instance, without a slash at the end. */
export function openGitlab(outbound: Outbound, baseURL: string, credentials: Credentials): GitlabHost {
  const ask = createAsk(outbound, baseURL, credentials);
  return {
    ...createReads(ask, baseURL),
    ...createCode(ask),
    hooks: createHooks(ask),
    whoIs: () => whoIs(ask),
    listPlaces: (holder) => listPlaces(ask, holder),
  };
}
