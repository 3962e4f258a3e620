import type { HostedRepository } from '@sightline/sandbox/github/hosted-repository.ts';
import type { HostName } from '@sightline/sandbox/planted/host-name.ts';
import type { RepositoryScenario } from '@sightline/sandbox/planted/repository-scenario.ts';
import { vi } from 'vitest';
import type { TestAccount, TestOrganization, TestServer } from '#testing/server.ts';
import type { CodeHostFixture } from './code-host-fixtures.ts';
import type { ToggleClock } from './toggle-clock.ts';

/** A server with an organization whose only repository has a generated history. */
export type GeneratedHistory = {
  seed: number;
  on: HostName;
  server: TestServer;
  org: TestOrganization;
  /** The account of each member, by e-mail address on the code host. */
  accounts: ReadonlyMap<string, TestAccount>;
  codeHost: CodeHostFixture;
  toggleClock: ToggleClock;
  /** The repository in the sandbox. */
  hosted: HostedRepository;
  repositoryId: string;
  repositoryScenario: RepositoryScenario;
  /** The SHA of each commit by its number in the scenario. */
  shas: ReadonlyMap<number, string>;
  /** How many changes of the scenario were simulated and reported. */
  reportedCount: number;
  /** Selects rows of the organization, whose ID is `$1`; `values` follow. */
  selectRows: <Row extends Record<string, unknown>>(text: string, values?: unknown[]) => Promise<Row[]>;
  close: () => Promise<void>;
};

export const dayMs = 24 * 60 * 60 * 1000;

export const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Limit for the processing of one batch of changes on a busy machine. */
export const processingTimeoutMs = 180_000;

/** Repeats a check until it passes. */
export const waitFor = (check: () => Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: processingTimeoutMs, interval: 200 });
