import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runControl } from '@sightline/contract/compliance/control-runs.ts';
import { createClient } from '@sightline/contract/core/client.ts';
import { connectHost, listHostWorkspaces, selectHostWorkspaces } from '@sightline/contract/sources/host-connections.ts';
import { enableRepositories, listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { recordEvents } from '@sightline/contract/timeline/events.ts';
import { getUserStatus } from '@sightline/contract/tools/presence.ts';
import { newEventItem } from '../../../crash/testing/writers.ts';
import { openSocketCrowd } from '../crowd.ts';
import type { ChaosStage } from './stage.ts';

const eventsPerSecond = 3_000;
const batchSize = 50;
const pollsPerSecond = 100;
export const SOCKET_COUNT = 500;
// The extensions send a batch without acknowledgment again after this time, with the same IDs.
const patience = 20_000;

const owner = 'owner@example.org';

/** Starts continuous client load. `acknowledged` is a file with the ID of each event whose request returned 202. */
export async function startChaosLoad(stage: ChaosStage, log: (line: string) => void) {
  await stage.ask('user', 'create', '--email', owner, '--name', 'Olga Owner', '--verified');
  const { organization } = await stage.ask<{ organization: { id: string } }>(
    ...['org', 'create', '--name', 'Acme', '--owner', owner],
  );
  const issueToken = async () =>
    (await stage.ask<{ token: string }>(...['token', '--email', owner, '--org', organization.id, '--minutes', '60']))
      .token;
  let token = await issueToken();
  const call = createClient({
    baseUrl: `${stage.url}/api`,
    token: () => token,
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(patience) }),
  });
  const repositoryId = await connectRepository(stage, call);

  const acknowledged = join(stage.folder, 'acknowledged');
  const load = new ClientLoad(call, createWriteStream(acknowledged));
  const { counts } = load;
  const crowd = await openSocketCrowd(stage.url, () => token, SOCKET_COUNT, 'orgSettings');
  const work = [
    load.repeat(eventsPerSecond / batchSize, 40, () => load.deliver()),
    load.repeat(pollsPerSecond, 60, () => load.poll()),
    load.every(20, async () => {
      const day = new Date().toISOString().slice(0, 10);
      await call(runControl, { params: { id: 'CHG-01' }, body: { period: `${day}..${day}` } });
      counts.evaluations += 1;
    }),
    load.every(3, async () => {
      await stage.repository.commit(`Change ${counts.commits}`, { 'README.md': `# Widgets ${counts.commits}\n` });
      counts.commits += 1;
    }),
    load.every(60, async () => {
      for (const tracked of [false, true]) await track(call, repositoryId, tracked);
      counts.imports += 1;
    }),
    load.every(600, async () => {
      token = await issueToken();
    }),
  ];

  return {
    orgId: organization.id,
    acknowledged,
    counts,
    crowd,
    /** Starts to measure requests. */
    beginCalm: () => load.beginCalm(),
    /** Returns the milliseconds of each request since then. */
    endCalm: () => load.endCalm(),
    /** Returns the time of the last successful request, by `performance.now()`. */
    lastSuccess: () => load.lastSuccess,
    /** Resolves when every sent event is acknowledged. */
    async end(): Promise<void> {
      load.isOver = true;
      await Promise.all(work);
      crowd.close();
      await load.closeFile();
      log(`Load ended: ${JSON.stringify(counts)}`);
    },
  };
}

/** Sends requests until it is over, counts them, and measures them while the installation is calm. */
class ClientLoad {
  readonly counts = {
    sent: 0,
    acknowledged: 0,
    repeated: 0,
    polls: 0,
    failedPolls: 0,
    evaluations: 0,
    commits: 0,
    imports: 0,
  };
  isOver = false;
  lastSuccess = 0;
  readonly #call: Call;
  readonly #acknowledged: WriteStream;
  #calm: number[] | undefined;

  constructor(call: Call, acknowledged: WriteStream) {
    this.#call = call;
    this.#acknowledged = acknowledged;
  }

  /** Sends a batch of events until it is acknowledged, also after the end. */
  async deliver(): Promise<void> {
    const body = Array.from({ length: batchSize }, (_, index) => newEventItem(`chaos ${index}`));
    this.counts.sent += body.length;
    for (let isRepeated = false; ; isRepeated = true) {
      try {
        await this.#measure(async () => {
          const { rejected } = await this.#call(recordEvents, { body });
          if (rejected.length > 0) throw new Error(`rejected: ${JSON.stringify(rejected[0])}`);
        });
        break;
      } catch {
        if (!isRepeated) this.counts.repeated += body.length;
        await pause(500);
      }
    }
    this.counts.acknowledged += body.length;
    for (const { message_id: id } of body) this.#acknowledged.write(`${id}\n`);
  }

  async poll(): Promise<void> {
    this.counts.polls += 1;
    try {
      await this.#measure(() => this.#call(getUserStatus, {}));
    } catch {
      this.counts.failedPolls += 1;
    }
  }

  /**
   * Starts `work` `perSecond` times a second, with at most `maxConcurrent` at once, so that it does not flood an
   * unavailable server.
   */
  async repeat(perSecond: number, maxConcurrent: number, work: () => Promise<void>): Promise<void> {
    const open = new Set<Promise<void>>();
    const began = performance.now();
    let skipped = 0;
    for (let turn = 0; !this.isOver; turn += 1) {
      const late = performance.now() - began - ((turn + skipped) * 1000) / perSecond;
      if (late < 0) await pause(-late);
      else if (late > 1_000) skipped += Math.trunc((late * perSecond) / 1000);
      while (open.size >= maxConcurrent) await Promise.race(open);
      const one: Promise<void> = work().finally(() => open.delete(one));
      open.add(one);
    }
    await Promise.all(open);
  }

  async every(seconds: number, work: () => Promise<unknown>): Promise<void> {
    while (!this.isOver) {
      await work().catch(() => undefined);
      for (let waited = 0; waited < seconds && !this.isOver; waited += 1) await pause(1_000);
    }
  }

  beginCalm(): void {
    this.#calm = [];
  }

  endCalm(): number[] {
    const measured = this.#calm ?? [];
    this.#calm = undefined;
    return measured;
  }

  closeFile(): Promise<void> {
    return new Promise((resolve) => this.#acknowledged.end(() => resolve()));
  }

  async #measure(work: () => Promise<unknown>): Promise<void> {
    const began = performance.now();
    await work();
    this.lastSuccess = performance.now();
    this.#calm?.push(this.lastSuccess - began);
  }
}

export type ChaosLoad = Awaited<ReturnType<typeof startChaosLoad>>;
type Call = ReturnType<typeof createClient>;

async function connectRepository(stage: ChaosStage, call: Call): Promise<string> {
  await stage.ask('outbound', 'allow', stage.gitlab.sandbox.url, '--purpose', 'code-host', '--all');
  const params = { provider: 'gitlab' } as const;
  await call(connectHost, { params, body: { token: stage.gitlab.tokenOf() } });
  const workspaces = await call(listHostWorkspaces, { params });
  await call(selectHostWorkspaces, { params, body: { ids: workspaces.slice(0, 1).map(({ id }) => id) } });
  for (;;) {
    const { providerRepos } = await call(listProviderRepos, {});
    const [[, [repository]] = ['', []]] = Object.entries(providerRepos.gitlab ?? {});
    if (repository) {
      await track(call, repository.id, true);
      return repository.id;
    }
    await pause(200);
  }
}

async function track(call: Call, id: string, tracked: boolean): Promise<void> {
  const { providerRepos } = await call(listProviderRepos, {});
  const [[owner] = ['']] = Object.entries(providerRepos.gitlab ?? {});
  await call(enableRepositories, { body: { providerRepos: { gitlab: { [owner]: [{ id, tracked }] } } } });
}
