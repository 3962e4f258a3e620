import { connectTracker, type TrackerName } from '@sightline/contract/sources/trackers.ts';
import type { TrackerSite } from '@sightline/sandbox/trackers/site.ts';
import { siteEmail, tokenOf } from '@sightline/sandbox/trackers/site.ts';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOptions, type TestOrganization, type TestServer } from '#testing/server.ts';
import { syncTrackerTickets } from './sync.ts';

export interface TrackerWorld {
  server: TestServer;
  github: SandboxGithub;
  site: (tracker: TrackerName) => TrackerSite;
  connect: (org: TestOrganization, tracker: TrackerName) => Promise<unknown>;
  sync: (org: TestOrganization, tracker: TrackerName, ids?: readonly string[]) => Promise<void>;
  /** Sends the webhooks of the site to the test server, whose URL differs from its PUBLIC_URL. */
  deliverHere: (tracker: TrackerName) => void;
  control: (path: string, body: object) => Promise<void>;
  clearFaults: () => Promise<unknown>;
  close: () => Promise<void>;
}

/** A server with the sandbox of the trackers. */
export async function startTrackers(repositories: string[] = [], options: TestOptions = {}): Promise<TrackerWorld> {
  const github = await startSandboxGithub(repositories);
  const { url, trackers } = github.sandbox;
  const server = await startTestServer({
    ...options,
    environment: { ...github.environment, LINEAR_URL: `${url}/linear`, ...options.environment },
    destinations: [url],
  });
  const site = (tracker: TrackerName): TrackerSite => {
    const found = trackers.get(tracker);
    if (!found) throw new Error(`no tracker ${tracker}`);
    return found;
  };
  return {
    server,
    github,
    site,
    connect: (org, tracker) =>
      server.as(org.owner, org.id)(connectTracker, { params: { tracker }, body: formOf(site(tracker)) }),
    sync: (org, tracker, ids) => syncTrackerTickets(server.services, org.id, tracker, ids),
    deliverHere(tracker) {
      for (const hook of site(tracker).state.webhooks) hook.url = hook.url.replace(/^.*(?=\/api\/)/, server.url);
    },
    control: (path, body) => github.control(path, body),
    clearFaults: () => fetch(`${url}/_sandbox/faults`, { method: 'DELETE' }),
    async close() {
      await server.close();
      await github.close();
    },
  };
}

/** What a user enters to connect a site of the sandbox. */
export const formOf = (site: TrackerSite) => ({
  token: tokenOf(site),
  ...(site.kind !== 'linear' && { baseURL: site.url() }),
  ...(site.kind === 'jira-cloud' && { email: siteEmail }),
});
