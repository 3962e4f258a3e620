import { z } from 'zod';
import type { GithubApi } from './client.ts';
import { linkUrlOf } from './reads.ts';
import { hostId, time } from './shapes.ts';

/** A webhook of the app that GitHub could not deliver. */
export interface FailedDelivery {
  /** The ID of the attempt. */
  id: string;
  /** The ID of the delivery, which all attempts share. */
  deliveryId: string;
  deliveredAt: string;
  installationId: string | null;
}

export interface FailedDeliveries {
  /** Lists failed attempts since a time, latest first, page by page. GitHub retains them for three days. */
  listFailedDeliveries: (since: Date) => AsyncGenerator<FailedDelivery[]>;
  /** Requests another attempt. */
  redeliver: (id: string) => Promise<void>;
}

const attempt = z.object({
  id: hostId,
  guid: z.string(),
  delivered_at: time,
  status_code: z.number(),
  installation_id: hostId.nullish(),
});

export const createFailedDeliveries = (asApp: GithubApi): FailedDeliveries => ({
  async *listFailedDeliveries(since) {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, headers } = await asApp('GET /app/hook/deliveries', {
        per_page: 100,
        status: 'failure',
        ...(cursor !== '' && { cursor }),
      });
      const all = z.array(attempt).parse(data);
      const recent = all.filter(({ delivered_at }) => Date.parse(delivered_at) >= since.getTime());
      // Older servers ignore the filter.
      yield recent.filter(({ status_code: code }) => code < 200 || code >= 300).map(deliveryFrom);
      const next = linkUrlOf(headers, 'next')?.searchParams.get('cursor') ?? null;
      cursor = recent.length < all.length ? null : next;
    }
  },
  async redeliver(id) {
    await asApp('POST /app/hook/deliveries/{id}/attempts', { id });
  },
});

const deliveryFrom = ({ id, guid, delivered_at, installation_id }: z.output<typeof attempt>): FailedDelivery => ({
  id,
  deliveryId: guid.toLowerCase(),
  deliveredAt: delivered_at,
  installationId: installation_id ?? null,
});
