import { readStored, storeState } from '../stored-state.ts';
import type { Bitbucket, BitbucketToken } from './bitbucket.ts';
import type { Hook } from './hook.ts';

type BitbucketState = { tokens: [string, BitbucketToken][]; hooks: Hook[] };

/** Stores tokens and webhooks in a file, so that they persist across restarts. */
export const persistState = (bitbucket: Bitbucket, file: string): void => {
  const { tokens, hooks } = readStored<BitbucketState>(file) ?? { tokens: [], hooks: [] };
  for (const [text, token] of tokens) bitbucket.tokens.set(text, token);
  bitbucket.hooks.push(...hooks);
  bitbucket.save = () => {
    const saved: BitbucketState = { tokens: [...bitbucket.tokens], hooks: bitbucket.hooks };
    storeState(file, saved);
  };
};
