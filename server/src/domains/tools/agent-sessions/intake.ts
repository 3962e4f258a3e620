import { createBatcher } from '#core/gather.ts';
import type { Services } from '#core/services.ts';
import { createThrottle } from '#core/throttle.ts';
import { saveTelemetry, type TelemetryDelivery } from './save.ts';

/** Writes the records of a request and resolves after the commit. */
export type TelemetryIntake = (orgId: string, delivery: TelemetryDelivery) => Promise<void>;

// A larger transaction would delay those that wait for the same sessions.
const maxRecords = 2_000;
const noticePauseMs = 1_000;

/** Requests that arrive during a write are written together, under one ledger entry. */
export function createTelemetryIntake(services: Services): TelemetryIntake {
  const notices = createThrottle<void>(
    noticePauseMs,
    (orgId) => services.realtime.notifyOrganization(orgId, 'orgAgents', {}),
    services.log,
  );
  const gather = createBatcher<TelemetryDelivery, void>({
    runs: 1,
    most: maxRecords,
    weigh: ({ records }) => records.length,
    run: async (orgId, deliveries) => {
      await services.database.withOrg(orgId, (tx) => saveTelemetry(services, tx, orgId, deliveries));
      notices.add(orgId, undefined);
      return deliveries.map(() => undefined);
    },
  });
  return (orgId, delivery) => (delivery.records.length === 0 ? Promise.resolve() : gather(orgId, delivery));
}
