import { getOutgoingWebhook, type OutgoingWebhook } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { Banner } from '#ui/Banner.tsx';
import { labelOfEvent } from '#ui/eventTypesText.ts';
import { Facts } from '#ui/Facts.tsx';
import { Failure } from '#ui/Failure.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { Deliveries } from './Deliveries.tsx';
import { hostOf, webhookStateBadges, webhooksPath } from './states.ts';
import { WebhookActions } from './WebhookActions.tsx';
import s from './Webhooks.module.css';

const back = { label: 'Webhooks', href: webhooksPath };

/** Shows a webhook with its event types, health and deliveries. */
export function WebhookPage() {
  const { webhookId } = useParams({ strict: false });
  if (webhookId === undefined) throw new Error('The address has no webhook ID');
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getOutgoingWebhook, { params: { webhookId } }),
    meta: { quiet: true },
  });
  if (!data) {
    return (
      <>
        <PageHeader title="Webhook" back={back} />
        <Panel>
          {error ? (
            <Failure title="The webhook could not be loaded" error={error} onRetry={() => void refetch()} />
          ) : (
            <p className="dim" role="status" aria-busy>
              Loading
            </p>
          )}
        </Panel>
      </>
    );
  }
  const [tone, words] = webhookStateBadges[data.state];
  return (
    <>
      <PageHeader
        title={data.description === '' ? hostOf(data) : data.description}
        help={{ href: docsHref('outgoing-webhooks', 'deliveries'), about: 'this page' }}
        back={back}
        before={<IconWebhook size={20} stroke={1.6} aria-hidden />}
        after={<StatusBadge tone={tone}>{words}</StatusBadge>}
        note={<span className={s.url}>{data.url}</span>}
        actions={<WebhookActions webhook={data} />}
      />
      <Trouble webhook={data} />
      <div className={s.facts}>
        <Panel>
          <Facts side items={factsOf(data)} />
        </Panel>
      </div>
      <h2 className={s.heading}>Deliveries</h2>
      <Deliveries webhook={data} />
    </>
  );
}

function Trouble({ webhook: { state, failingSince } }: { webhook: OutgoingWebhook }) {
  if (state === 'auto_disabled') {
    return (
      <Banner tone="error">
        Deliveries failed for days, or the receiver responded that it no longer exists. No more events are sent. Check
        the last deliveries, then enable the webhook. Pending events are sent then.
      </Banner>
    );
  }
  if (state !== 'failing' || failingSince === null) return null;
  return (
    <Banner tone="info">
      Deliveries have failed since <TimeAgo at={failingSince} />. Sightline tries again and disables the webhook after
      five days.
    </Banner>
  );
}

function factsOf({ types, createdBy, createdAt, previousSecretUntil }: OutgoingWebhook) {
  const added = (
    <>
      <TimeAgo at={createdAt} /> by <PersonName person={createdBy} />
    </>
  );
  const signed =
    previousSecretUntil === null
      ? 'Its secret, according to Standard Webhooks'
      : `The new secret, and the previous one until ${day.format(new Date(previousSecretUntil))}`;
  return [
    ['Events', types === null ? 'Every event' : types.map(labelOfEvent).join(', ')],
    ['Signed by', signed],
    ['Added', added],
  ] as const;
}

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
