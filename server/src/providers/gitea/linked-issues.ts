import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { HostRef } from '../host-facts.ts';
import { repositoryPath } from './reads.ts';
import type { GiteaApi } from './transport.ts';

// The default words of both products (CLOSE_KEYWORDS). An instance may have others, whose issues are not counted.
const closing = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?\s+#(\d{1,9})\b/gi;
// Each is a request.
const MAX_ISSUES = 20;

const issue = z.object({ pull_request: z.unknown() });

/** The number of existing issues that the texts of a pull request close, which is the only link between both. */
export async function countLinkedIssues(api: GiteaApi, ref: HostRef, text: string): Promise<number> {
  const numbers = [...new Set([...text.matchAll(closing)].map(([, number]) => Number(number)))].slice(0, MAX_ISSUES);
  let found = 0;
  for (const number of numbers) if (await isIssue(api, ref, number)) found += 1;
  return found;
}

async function isIssue(api: GiteaApi, ref: HostRef, number: number): Promise<boolean> {
  try {
    // Pull requests are issues with a part of their own.
    return !issue.parse((await api.json(`${repositoryPath(ref)}/issues/${number}`)).data).pull_request;
  } catch (error) {
    if (error instanceof HostRefused && error.status === 404) return false;
    throw error;
  }
}
