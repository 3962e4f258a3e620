import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Bitbucket, BitbucketToken } from './bitbucket.ts';
import type { Hook } from './hook.ts';

type BitbucketState = { tokens: [string, BitbucketToken][]; hooks: Hook[] };

/** Stores tokens and webhooks in a file, so that they persist across restarts. */
export const persistState = (bitbucket: Bitbucket, file: string): void => {
  if (existsSync(file)) {
    const { tokens, hooks } = JSON.parse(readFileSync(file, 'utf8')) as BitbucketState;
    for (const [text, token] of tokens) bitbucket.tokens.set(text, token);
    bitbucket.hooks.push(...hooks);
  }
  bitbucket.save = () => {
    mkdirSync(dirname(file), { recursive: true });
    const saved: BitbucketState = { tokens: [...bitbucket.tokens], hooks: bitbucket.hooks };
    writeFileSync(`${file}.new`, JSON.stringify(saved, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
};
