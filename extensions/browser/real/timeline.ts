import type { Page } from '@playwright/test';
import { authorizationHeader } from '../../../web/e2e/steps.ts';

export interface ReportedEvent {
  type: string;
  text: string;
}

/** Queries the server as the user who is signed in on this page. */
export function timeline(page: Page, url: string) {
  const all = async (): Promise<ReportedEvent[]> => {
    const answer = await page.request.post(`${url}/api/v2/events/explore/query`, {
      headers: await authorizationHeader(page),
      data: {},
    });
    const { events } = (await answer.json()) as { events: { type: string }[] };
    return events.map((event) => ({ type: event.type, text: JSON.stringify(event) }));
  };
  return { all, of: async (type: string) => (await all()).filter((event) => event.type === type) };
}

/** The URLs of queued events. */
export function queuedUrlsIn(stored: Record<string, unknown>): (string | undefined)[] {
  const { queue = [] } = stored as { queue?: { content_uri?: string }[] };
  return queue.map((event) => event.content_uri);
}
