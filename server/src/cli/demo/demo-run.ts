import { setTimeout as delay } from 'node:timers/promises';
import type { ApiCall } from '@sightline/contract/core/client.ts';
import type { Services } from '#core/services.ts';
import type { SandboxDemo } from './sandbox-demo.ts';

/** A member of the demo organization with a client of the API. */
export interface DemoMember {
  accountId: string;
  email: string;
  name: string;
  token: string;
  call: ApiCall;
}

/** The organization while it is created. */
export interface DemoRun {
  services: Services;
  orgId: string;
  /** An Account Owner. */
  owner: DemoMember;
  /** A Digest Reviewer, a Code Contributor and an Auditor. */
  reviewer: DemoMember;
  contributor: DemoMember;
  auditor: DemoMember;
  /** Signs the reviewer in again, as decisions about policies require a recent sign-in. */
  signInReviewer: () => Promise<DemoMember>;
  sandbox: SandboxDemo;
  /** Reports the current step to the operator, such as an import with its counts. */
  report: (detail: string) => void;
}

const POLL_MS = 300;
const MAX_WAIT_MS = 15 * 60_000;

/** Repeats `read` until it returns a value. Throws with `what` after 15 minutes. */
export async function waitUntil<Value>(what: string, read: () => Promise<Value | undefined>): Promise<Value> {
  const started = performance.now();
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (performance.now() - started > MAX_WAIT_MS) throw new Error(`${what} took more than 15 minutes.`);
    await delay(POLL_MS);
  }
}
