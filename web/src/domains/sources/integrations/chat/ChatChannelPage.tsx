import { type ChatChannel, getChatChannel, listChatMessages } from '@sightline/contract/delivery/chat.ts';
import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { useRepositoryChoices } from '#lib/repository-choices.ts';
import { Banner } from '#ui/Banner.tsx';
import { Empty } from '#ui/Empty.tsx';
import { eventTypesText } from '#ui/eventTypesText.ts';
import { Facts } from '#ui/Facts.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { categoryPath } from '../categories.ts';
import { IntegrationLogo } from '../IntegrationLogo.tsx';
import { ChannelActions } from './ChannelActions.tsx';
import s from './Chat.module.css';
import { messageColumns } from './messageColumns.tsx';
import { chatPath, chatStateBadges, messageStatusBadges, messageStatuses } from './states.ts';

/** A chat channel: state, settings and messages. */
export function ChatChannelPage() {
  const { channelId } = useParams({ strict: false });
  if (channelId === undefined) throw new Error('The address has no channel ID');
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getChatChannel, { params: { channelId } }),
    meta: { quiet: true },
  });
  if (!data) {
    return (
      <>
        <PageHeader title="Chat channel" back={{ label: 'Integrations', href: categoryPath('chat') }} />
        <Panel>
          {error ? (
            <Failure title="The channel could not be loaded" error={error} onRetry={() => void refetch()} />
          ) : (
            <p className="dim" role="status" aria-busy>
              Loading
            </p>
          )}
        </Panel>
      </>
    );
  }
  const [tone, words] = chatStateBadges[data.state];
  return (
    <>
      <PageHeader
        title={data.name}
        help={{ href: docsHref(`integrations-${data.service}`, 'troubleshooting'), about: 'this page' }}
        back={{ label: 'Channels', href: chatPath(data.service) }}
        before={<IntegrationLogo name={data.service} />}
        after={<StatusBadge tone={tone}>{words}</StatusBadge>}
        actions={<ChannelActions channel={data} />}
      />
      <Trouble channel={data} />
      <div className={s.facts}>
        <ChannelFacts channel={data} />
      </div>
      <h2 className={s.heading}>Messages</h2>
      <Messages channelId={data.id} />
    </>
  );
}

function Trouble({ channel: { state, problem, resumesAt, pending } }: { channel: ChatChannel }) {
  const kept = pending > 0 && ` ${pending === 1 ? '1 message is' : `${pending} messages are`} kept and sent then.`;
  switch (state) {
    case 'waiting':
      return <Banner tone="error">Slack does not accept the token. Change it on the page of Slack.{kept}</Banner>;
    case 'auto_disabled':
      return (
        <Banner tone="error">
          {problem} The channel was disabled. Correct it, then enable it.{kept}
        </Banner>
      );
    case 'failing':
    case 'limited':
      return (
        <Banner tone="info">
          {problem}
          {resumesAt && (
            <>
              {' '}
              Sightline tries again <TimeAgo at={resumesAt} />.
            </>
          )}
          {kept}
        </Banner>
      );
    default:
      return null;
  }
}

function ChannelFacts({ channel }: { channel: ChatChannel }) {
  const { types, minSeverity, repositories, host, createdAt, createdBy, lastDeliveredAt } = channel;
  const names = useRepositoryChoices({ quiet: true });
  const repositoryText =
    repositories === null
      ? 'All'
      : repositories.map((id) => names?.find(({ value }) => value === id)?.label ?? '…').join(', ');
  return (
    <Panel>
      <Facts
        side
        items={[
          ['Notifications', eventTypesText(types)],
          ['Severity', minSeverity === 'info' ? 'All severities' : `At least ${minSeverity}`],
          ['Repositories', repositoryText],
          ...(host === null ? [] : [['Workflow', `At ${host}`] as const]),
          ['Last delivery', lastDeliveredAt === null ? 'None' : <TimeAgo key="at" at={lastDeliveredAt} />],
          [
            'Added',
            <span key="by">
              <TimeAgo at={createdAt} /> by <PersonName person={createdBy} />
            </span>,
          ],
        ]}
      />
    </Panel>
  );
}

function Messages({ channelId }: { channelId: string }) {
  const list = usePagedList(listChatMessages, { input: (query) => ({ params: { channelId }, query }) });
  const { query, setQuery } = list;
  return (
    <>
      {!list.isEmptyUnfiltered && !list.failure && (
        <Filters>
          <SearchBox label="Search messages" value={query.search} onChange={(search) => setQuery({ search })} />
          <MultiSelect
            name="Status"
            options={messageStatuses}
            values={query.status}
            onChange={(status) => setQuery({ status: status as typeof query.status })}
            emptyText="No statuses available"
          />
        </Filters>
      )}
      <PagedTable
        list={list}
        label="Messages"
        noun="messages"
        columns={messageColumns}
        rowKey={({ id }) => id}
        empty={
          <Empty kind="nothing-yet" title="No messages" icon={<IconSend size={19} stroke={1.6} />}>
            Messages of the last 30 days appear here.
          </Empty>
        }
        noMatch="No message matches"
        filters={query.status.map((status) => `Status: ${messageStatusBadges[status][1]}`)}
      />
    </>
  );
}
