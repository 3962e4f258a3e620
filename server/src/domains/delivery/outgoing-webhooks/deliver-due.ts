import type { JobData } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { noteOutcome } from './outcome.ts';
import { placeOf } from './secret-location.ts';
import { send } from './send.ts';

type DeliveryJob = JobData['outgoing.deliver'];

export interface Due {
  id: string;
  type: string;
  body: string;
}

interface DueDeliveries {
  url: string;
  secrets: string[];
  due: Due[];
}

// So many at once to one address.
const batch = 5;
// Then another job goes on, so that other addresses have their turn and a server that stops need not wait.
const turn = 10_000;
// An address that takes nothing is not asked all the time.
const rest = 30_000;

/** Sends what is due at one address. Two processes may do it at once: each takes what the other has not. */
export async function deliverDue(services: Services, named: DeliveryJob): Promise<void> {
  const started = performance.now();
  for (;;) {
    const work = await services.database.withOrg(named.orgId, (tx) => take(services, tx, named));
    if (!work) return;
    const arrived = await Promise.all(work.due.map((due) => deliver(services, named, work, due)));
    if (!arrived.includes(true)) return goOn(services, named, rest);
    if (performance.now() - started > turn) return goOn(services, named, 0);
  }
}

async function deliver(
  services: Services,
  named: DeliveryJob,
  { url, secrets }: DueDeliveries,
  due: Due,
): Promise<boolean> {
  const outcome = await send(services.outboundFor(named.orgId, 'webhook'), url, due, secrets);
  await noteOutcome(services, named, due.id, outcome);
  return outcome.failure === null;
}

const goOn = ({ database, jobs }: Services, named: DeliveryJob, ms: number): Promise<void> =>
  database.withOrg(named.orgId, async (tx) => {
    if (!(await isSomethingDue(tx, named))) return;
    const later = ms === 0 ? {} : { startAfter: new Date(Date.now() + ms) };
    await jobs.enqueue(tx, 'outgoing.deliver', named, {
      key: `${named.webhookId}${ms === 0 ? '' : ' rested'}`,
      ...later,
    });
  });

/** Some of what is due; undefined once there is nothing, or while the webhook is off or its organization archived. */
async function take(
  { secrets }: Services,
  tx: Tx,
  { orgId, webhookId }: DeliveryJob,
): Promise<DueDeliveries | undefined> {
  const [webhook] = await tx.query<{ url: string; secret_sealed: Buffer; previous: Buffer | null }>({
    name: 'outgoing.webhook',
    text: `select w.url, w.secret_sealed, case when w.previous_until > now() then w.previous_secret_sealed end as previous
           from outgoing_webhook w join organization o on o.id = w.org_id
           where w.org_id = $1 and w.id = $2 and w.enabled and o.archived_at is null`,
    values: [orgId, webhookId],
  });
  if (!webhook) return undefined;
  // Whoever takes it has a minute: if the process dies, another one takes it then.
  const due = await tx.query<Due>({
    name: 'outgoing.take',
    text: `with due as (
             select id from outgoing_delivery
             where org_id = $1 and webhook_id = $2 and status = 'pending' and next_at <= now()
             order by next_at, id limit ${batch} for update skip locked)
           update outgoing_delivery d set next_at = now() + interval '1 minute'
           from due where d.org_id = $1 and d.id = due.id returning d.id, d.type, d.body`,
    values: [orgId, webhookId],
  });
  if (due.length === 0) return undefined;
  const sealed = [webhook.secret_sealed, ...(webhook.previous ? [webhook.previous] : [])];
  const place = placeOf(orgId, webhookId);
  return { url: webhook.url, secrets: sealed.map((each) => secrets.open(place, each).toString()), due };
}

async function isSomethingDue(tx: Tx, { orgId, webhookId }: DeliveryJob): Promise<boolean> {
  const rows = await tx.query({
    name: 'outgoing.due',
    text: `select 1 from outgoing_delivery where org_id = $1 and webhook_id = $2 and status = 'pending' and next_at <= now() limit 1`,
    values: [orgId, webhookId],
  });
  return rows.length > 0;
}
