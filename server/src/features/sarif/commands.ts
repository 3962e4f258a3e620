import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Scan, uploadSarif } from '@sightline/contract/scans.ts';
import type { z } from 'zod';
import { isKeyActor, type KeyActor, noteKeyUse } from '#core/access-keys.ts';
import type { Actor } from '#core/actor.ts';
import type { Doer } from '#core/audit.ts';
import { Archived, Forbidden, NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { importResults } from '../findings/intake.ts';
import type { RepositoryKey } from '../repositories/queries.ts';
import { findScans } from '../scans/queries.ts';
import { analysesOf, type SarifAnalysis } from './analyses.ts';
import { receiveSarif } from './read.ts';
import type { UnderWay } from './under-way.ts';

export interface SarifUpload {
  actor: Actor | KeyActor;
  params: RepositoryKey;
  query: z.output<typeof uploadSarif.query>;
  file: Readable;
}

/** How long an upload is waited for before its answer says that it goes on. */
const patience = 25_000;

/**
 * Takes a file in: reads all of it first, so that a bad one changes nothing, then makes a scan of each of its analyses.
 * Answers them as they are after some seconds.
 */
export async function upload(services: Services, underWay: UnderWay, sent: SarifUpload): Promise<Scan[]> {
  const { actor, params, query } = sent;
  const repository = await services.database.withOrg(actor.orgId, (tx) => findTarget(tx, actor, params));
  const file = await receiveSarif(join(services.config.dataDir, 'uploads'), sent.file);
  const analyses = analysesOf(file, {
    repositoryId: repository.id,
    ref: fullRef(query.ref ?? repository.defaultBranch),
    commit: query.commit,
    category: query.category,
  });
  const begun: string[] = [];
  const work = underWay.run(async (stopped) => {
    try {
      for (const { analysis, results } of analyses) {
        const doer = doerOf(actor);
        await importResults(services, actor.orgId, doer, analysis, until(stopped, results), (id) => begun.push(id));
      }
    } finally {
      await file.close();
    }
  });
  work.catch((error) => services.log.warn({ err: error, scans: begun }, 'an upload could not be taken in'));
  await soon(work);
  return services.database.withOrg(actor.orgId, (tx) => findScans(tx, actor.orgId, begun));
}

interface Target {
  id: string;
  defaultBranch: string;
}

/** The enabled repository that is meant. Whoever may not write to all of them gets 403; whatever is not there, 404. */
async function findTarget(tx: Tx, actor: Actor | KeyActor, { provider, repoPath }: RepositoryKey): Promise<Target> {
  if (!isKeyActor(actor) && actor.reach('write:findings') !== 'all') {
    throw Forbidden('Your role does not allow this. Ask an Account Owner.', 'write:findings');
  }
  const [row] = await tx.query<{ id: string; default_branch: string; archived: boolean }>({
    name: 'sarif.target',
    text: `select r.id, r.default_branch, o.archived_at is not null as archived
           from repository r join organization o on o.id = r.org_id
           where r.org_id = $1 and lower(r.full_name) = lower($2) and r.provider = $3 and r.tracked`,
    values: [actor.orgId, repoPath, provider],
  });
  const isForAnother = isKeyActor(actor) && (actor.accessKey.repositoryId ?? row?.id) !== row?.id;
  if (!row || isForAnother) throw NotFound('That repository');
  if (row.archived) throw Archived();
  if (isKeyActor(actor)) await noteKeyUse(tx, actor);
  return { id: row.id, defaultBranch: row.default_branch };
}

const fullRef = (ref: string) => (ref.startsWith('refs/') ? ref : `refs/heads/${ref}`);

const doerOf = (actor: Actor | KeyActor): Doer =>
  isKeyActor(actor) ? { integration: `Access key ${actor.accessKey.label}` } : actor;

/** Ends the results with a failure once the server stops. */
async function* until(stopped: AbortSignal, results: SarifAnalysis['results']): ReturnType<SarifAnalysis['results']> {
  for await (const result of results()) {
    if (stopped.aborted) throw new Error('The server was stopped before the file was taken in. Send it again.');
    yield result;
  }
}

/** Waits for work, but not for ever: what fails later is told by its scan alone. */
async function soon(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patience);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
