import { gzipSync } from 'node:zlib';
import { listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { getScan } from '@sightline/contract/vulnerabilities/scans.ts';
import { dismissFindings } from '@sightline/contract/vulnerabilities/triage.ts';
import { decideWaiver, listWaivers, requestFindingWaivers } from '@sightline/contract/vulnerabilities/waivers.ts';
import { uploadSarifTo } from '#providers/sightline.ts';
import { type DemoRun, waitUntil } from './demo-run.ts';

const DAY_MS = 86_400_000;
const DISMISSED = 3;
const WAIVED = 3;

/** Uploads two runs of the pipeline's scanner for each repository. */
export async function uploadScans({ services, owner, sandbox }: DemoRun): Promise<void> {
  const remote = { url: services.config.PUBLIC_URL, key: owner.token };
  for (const run of [1, 2]) {
    for (const { fullName, host: provider } of sandbox.content.repositories) {
      const repoPath = provider === 'gitlab' ? fullName.replace('/', '/code/') : fullName;
      const file = gzipSync(await sandbox.readSarif(fullName, run));
      const scans = await uploadSarifTo(remote, { provider, repoPath, query: {}, file });
      for (const { id } of scans) {
        await waitUntil('The scan', async () => {
          const { state } = await owner.call(getScan, { params: { scanId: id } });
          return state === 'done' || state === 'failed' ? true : undefined;
        });
      }
    }
  }
}

/** Dismisses a few findings, and requests waivers for others, of which the reviewer approves all but one. */
export async function triageFindings({ owner, reviewer }: DemoRun): Promise<void> {
  const { rows } = await owner.call(listFindings, {
    query: { severity: ['high', 'medium'], sort: 'date-asc', perPage: DISMISSED + WAIVED },
  });
  const ids = rows.map(({ id }) => id);
  await owner.call(dismissFindings, {
    body: { ids: ids.slice(0, DISMISSED), reason: 'not_exploitable', comment: 'The code is only reached by tests.' },
  });
  const until = new Date(Date.now() + 90 * DAY_MS).toISOString();
  const reason = 'The update of the library needs a release of the mobile app.';
  await owner.call(requestFindingWaivers, { body: { ids: ids.slice(DISMISSED), reason, until } });
  const { rows: waivers } = await reviewer.call(listWaivers, { query: { view: 'open' } });
  for (const { id } of waivers.slice(1)) {
    const comment = 'Approved until the release.';
    await reviewer.call(decideWaiver, { params: { waiverId: id }, body: { approve: true, comment } });
  }
}
