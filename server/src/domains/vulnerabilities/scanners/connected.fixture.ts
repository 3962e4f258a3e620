import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import { connectScanner, getScanner, syncScanner } from '@sightline/contract/sources/integrations.ts';
import { expect, vi } from 'vitest';
import type { SandboxGithub } from '#providers/github/sandbox.fixture.ts';
import type { TestOrganization, TestServer } from '#testing/server.ts';

interface SandboxConnection {
  tenant: string;
  apiKey: string;
  baseURL: string;
}

/** Helpers for tests of scanners that the sandbox simulates in `scanners/`. */
export const createScannerHelpers = (server: () => TestServer, github: () => SandboxGithub, scanner: ScannerName) => {
  const params = { scanner };
  const owner = (org: TestOrganization) => server().as(org.owner, org.id);
  /** What the page of the sandbox shows. */
  const connection = async (): Promise<SandboxConnection> => {
    const answer = await fetch(`${github().sandbox.url}/_sandbox/scanners/${scanner}`);
    const { tenant, apiKey, baseURL } = (await answer.json()) as SandboxConnection;
    return { tenant: scanner === 'sonarqube' ? '' : tenant, apiKey, baseURL };
  };
  const control = (name: string, body: object = {}) => github().control(`scanners/${scanner}/${name}`, body);
  const connect = async (org: TestOrganization) => owner(org)(connectScanner, { params, body: await connection() });

  /** Waits until no sync is queued or running, and returns the settings. */
  const settled = (org: TestOrganization) =>
    vi.waitFor(
      async () => {
        const settings = await owner(org)(getScanner, { params });
        expect(settings?.sync.state).toMatch(/idle|failed/);
        expect(settings?.sync.finishedAt).not.toBeNull();
        if (!settings) throw new Error('not connected');
        return settings;
      },
      { timeout: 60_000, interval: 50 },
    );
  const sync = async (org: TestOrganization) => {
    await owner(org)(syncScanner, { params });
    return settled(org);
  };
  return { params, connection, control, connect, settled, sync };
};
