import { type IdentifyEvent, identifyEvent, type recordEvents } from '@sightline/contract/timeline/events.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { type ExtensionEvent, extensionEventText, websiteParameterOf } from './extension-text.ts';
import { validIdentifiersOf } from './identifiers.ts';
import type { EventIntake } from './intake.ts';
import type { FindRepositoriesOfRemotes } from './remotes.ts';
import { isKept, type RetentionStart } from './retention-start.ts';
import type { EventWithText } from './stored-text.ts';
import { maybeUsualEvent } from './usual-event.ts';

type IntakeAnswer = z.output<typeof recordEvents.response>;
type Rejection = IntakeAnswer['rejected'][number];

interface IntakeServices {
  /** The start of the retention period; older events are rejected. */
  kept: () => RetentionStart;
  intake: EventIntake;
  findRemotes: FindRepositoriesOfRemotes;
  /** Records the viewed sites; never fails. */
  noteViews: (actor: Actor, views: readonly SiteView[]) => Promise<void>;
}

/** A page view of a site in a browser. */
export interface SiteView {
  host: string;
  program: string;
  at: Date;
}

/**
 * Records the events of an extension item by item and responds after the commit. Claims about the account and
 * organization are checked against the token. The sender is the actor.
 */
export async function recordExtensionEvents(
  { kept, intake, findRemotes, noteViews }: IntakeServices,
  actor: Actor,
  items: readonly unknown[],
): Promise<IntakeAnswer> {
  const now = new Date().toISOString();
  const rejected: Rejection[] = [];
  const byMessageId = new Map<string, Omit<ExtensionEvent, 'repository'>>();
  const remotes = new Set<string>();
  let repeated = 0;
  const from = kept();
  items.forEach((item, index) => {
    const checked = checkItem(item, actor, from);
    if ('rejection' in checked) rejected.push({ index, ...checked.rejection });
    else if (byMessageId.has(checked.event.message_id)) repeated += 1;
    else {
      const identifiers = validIdentifiersOf(checked.event.event_type, checked.event.identifiers);
      byMessageId.set(checked.event.message_id, {
        event: checked.event,
        identifiers,
        site: websiteParameterOf(checked.event.content_uri),
      });
      if (identifiers.repository !== undefined) remotes.add(identifiers.repository);
    }
  });
  const found = remotes.size === 0 ? undefined : await findRemotes(actor, remotes);
  const events = Array.from(byMessageId.values(), (one) =>
    eventOf({ ...one, repository: found?.get(one.identifiers.repository ?? '') }, actor, now),
  );
  const { added } = await intake(actor.orgId, events);
  const views = Array.from(byMessageId.values(), (one) => (added.has(one.event.message_id) ? viewOf(one) : [])).flat();
  if (views.length > 0) await noteViews(actor, views);
  return { accepted: added.size, duplicates: repeated + events.length - added.size, rejected };
}

function viewOf({ event, site }: Pick<ExtensionEvent, 'event' | 'site'>): SiteView[] {
  const { event_type, tracking_source, original_timestamp } = event;
  if (event_type !== 'web_page_view' || !site) return [];
  const now = Date.now();
  const at = zeroDates.includes(original_timestamp) ? now : Math.min(Date.parse(original_timestamp), now);
  return [{ host: site.ident, program: tracking_source, at: new Date(at) }];
}

type CheckedEvent = { event: IdentifyEvent } | { rejection: Omit<Rejection, 'index'> };

function checkItem(item: unknown, actor: Actor, kept: RetentionStart): CheckedEvent {
  const parsed = parseItem(item);
  if ('rejection' in parsed) return parsed;
  const { event } = parsed;
  const { org_id: claimedOrg, user_id: claimedUser } = event;
  if (claimedOrg !== undefined && claimedOrg !== actor.orgId) {
    return { rejection: { code: 'forbidden', field: 'org_id', message: 'is not the organization of the token' } };
  }
  if (claimedUser !== undefined && claimedUser !== actor.accountId) {
    return { rejection: { code: 'forbidden', field: 'user_id', message: 'is not the account of the token' } };
  }
  const { event_type: kind, original_timestamp: asOf } = event;
  if (!zeroDates.includes(asOf) && !isKept({ kind, asOf }, kept)) {
    return {
      rejection: { code: 'too_old', field: 'original_timestamp', message: 'is before the retention period' },
    };
  }
  // PostgreSQL formats UUIDs in lower case, and so do proofs.
  return { event: { ...event, message_id: event.message_id.toLowerCase() } };
}

function parseItem(item: unknown): CheckedEvent {
  const usual = maybeUsualEvent(item);
  if (usual) return { event: usual };
  const parsed = identifyEvent.safeParse(item);
  if (parsed.success) return { event: parsed.data };
  const [issue] = parsed.error.issues;
  const field =
    issue?.path.join('.') || (issue?.code === 'unrecognized_keys' ? issue.keys.join(', ').slice(0, 200) : 'event');
  return { rejection: { code: 'validation_failed', field, message: issue?.message ?? 'is not valid' } };
}

const zeroDates: readonly string[] = ['0', '0001-01-01T00:00:00Z'];

const eventOf = (reported: ExtensionEvent, actor: Actor, now: string): EventWithText => ({
  id: reported.event.message_id,
  asOf: zeroDates.includes(reported.event.original_timestamp) ? now : inUtc(reported.event.original_timestamp),
  actor: actor.personId,
  repositoryId: reported.repository?.id ?? null,
  pullRequest: null,
  text: extensionEventText(reported, actor),
});

// Most clients already use the format of toISOString.
const inUtc = (time: string) => (time.length === 24 && time.endsWith('Z') ? time : new Date(time).toISOString());
