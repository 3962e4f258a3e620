import { type IdentifyEvent, identifyEvent, type Parameter, type recordEvents } from '@sightline/contract/events.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import type { NewEvent } from './commands.ts';
import type { Intake } from './intake.ts';

type Answer = z.output<typeof recordEvents.response>;
type Rejection = Answer['rejected'][number];

/**
 * Takes in what an extension sends, item by item, and answers after the commit. Claims about who and where are
 * checked against the token; whoever sent it is who did it.
 */
export async function takeIn(intake: Intake, actor: Actor, items: readonly unknown[]): Promise<Answer> {
  const now = new Date().toISOString();
  const rejected: Rejection[] = [];
  const events = new Map<string, NewEvent>();
  let repeated = 0;
  items.forEach((item, index) => {
    const judged = judge(item, actor);
    if ('rejection' in judged) rejected.push({ index, ...judged.rejection });
    else if (events.has(judged.event.message_id)) repeated += 1;
    else events.set(judged.event.message_id, eventOf(judged.event, actor, now));
  });
  const { added } = await intake(actor.orgId, [...events.values()]);
  return { accepted: added.size, duplicates: repeated + events.size - added.size, rejected };
}

type Judged = { event: IdentifyEvent } | { rejection: Omit<Rejection, 'index'> };

function judge(item: unknown, actor: Actor): Judged {
  const parsed = identifyEvent.safeParse(item);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field =
      issue?.path.join('.') || (issue?.code === 'unrecognized_keys' ? issue.keys.join(', ').slice(0, 200) : 'event');
    return { rejection: { code: 'validation_failed', field, message: issue?.message ?? 'is not valid' } };
  }
  const { org_id: claimedOrg, user_id: claimedUser } = parsed.data;
  if (claimedOrg !== undefined && claimedOrg !== actor.orgId) {
    return { rejection: { code: 'forbidden', field: 'org_id', message: 'is not the organisation of the token' } };
  }
  if (claimedUser !== undefined && claimedUser !== actor.accountId) {
    return { rejection: { code: 'forbidden', field: 'user_id', message: 'is not the account of the token' } };
  }
  return { event: parsed.data };
}

const zeroDates: readonly string[] = ['0', '0001-01-01T00:00:00Z'];

function eventOf(event: IdentifyEvent, actor: Actor, now: string): NewEvent {
  const site = siteOf(event.content_uri);
  return {
    id: event.message_id,
    kind: event.event_type,
    asOf: zeroDates.includes(event.original_timestamp) ? now : new Date(event.original_timestamp).toISOString(),
    actor: actor.personId,
    repositoryId: null,
    pullRequest: null,
    source: event.tracking_source,
    summary: {
      phrase: site ? `{0} ${phrases[event.event_type]} {1}` : `{0} ${phrases[event.event_type]}`,
      parameters: [{ kind: 'user', display: actor.email, ident: actor.email }, ...(site ? [site] : [])],
    },
    detail: [
      ...Object.entries(event.identifiers).map(([label, value]) => ({
        label,
        parameter: { kind: 'text', display: value, ident: value } as Parameter,
      })),
      { label: 'Sent by', parameter: { kind: 'tool', display: event.plugin_id, ident: event.plugin_id } as Parameter },
    ],
    words: Object.values(event.identifiers).join(' '),
  };
}

const phrases: Record<IdentifyEvent['event_type'], string> = {
  commit: 'committed',
  pull_request: 'worked on a pull request',
  vulnerability: 'looked at a vulnerability',
  web_page_view: 'viewed',
  browser_clipboard: 'copied on',
  ide_clipboard: 'copied in the editor',
  other: 'did something in',
};

/** The host alone: paths, queries and user names of an address are not for us to keep. */
function siteOf(uri: string | undefined): Parameter | undefined {
  if (uri === undefined || !URL.canParse(uri)) return undefined;
  const { hostname } = new URL(uri);
  return hostname === '' ? undefined : { kind: 'website', display: hostname, ident: hostname };
}
