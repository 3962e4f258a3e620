import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  addChatChannel,
  type ChatServiceName,
  chatServices,
  chatServiceTitles,
  getSlack,
  listChatChannels,
} from '@sightline/contract/delivery/chat.ts';
import { listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { useManageIntegrationsRefusal, useMayManageIntegrations } from '#lib/rights.ts';
import { Banner } from '#ui/Banner.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { ListTable } from '../../../timeline/views/ListTable.tsx';
import { categoryPath } from '../categories.ts';
import { IntegrationLogo } from '../IntegrationLogo.tsx';
import { IntegrationStatus } from '../IntegrationStatus.tsx';
import { useSetupOpen } from '../setupAddress.ts';
import { ChannelDialog, type ChannelDraft } from './ChannelDialog.tsx';
import { channelColumns } from './channelColumns.tsx';
import { DisconnectChat } from './DisconnectChat.tsx';
import { SlackSetup } from './SlackSetup.tsx';
import { channelHref, chatOwnersOnlyText } from './states.ts';

const back = { label: 'Integrations', href: categoryPath('chat') };

/** A chat service for owners: its state and the channels that receive notifications. */
export function ChatPage() {
  const { service: named } = useParams({ strict: false });
  const service = chatServices.find((name) => name === named);
  if (service === undefined) {
    return (
      <Empty kind="nothing-yet" title="Unknown chat service">
        Select Slack or Microsoft Teams under Integrations.
      </Empty>
    );
  }
  return <Service key={service} service={service} />;
}

function Service({ service }: { service: ChatServiceName }) {
  const manages = useMayManageIntegrations();
  const refusal = useManageIntegrationsRefusal(chatOwnersOnlyText);
  const title = chatServiceTitles[service];
  const card = useQuery({ ...endpointQuery(listIntegrations, {}), meta: { quiet: true } }).data?.find(
    ({ name }) => name === service,
  );
  const slack = useQuery({
    ...endpointQuery(getSlack, {}),
    enabled: manages && service === 'slack',
    meta: { quiet: true },
  }).data;
  const isConnected = service === 'teams' || slack?.workspace != null;
  return (
    <>
      <PageHeader
        title={title}
        help={{ href: docsHref(`integrations-${service}`), about: title }}
        back={back}
        before={<IntegrationLogo name={service} />}
        after={card && <IntegrationStatus status={card.status} detail={null} />}
        note={card?.detail ?? undefined}
        actions={manages && card && card.status !== 'inactive' && <ServiceActions service={service} />}
      />
      {card?.problem && <Banner tone="error">{card.problem.message}</Banner>}
      {card?.notes.map((note) => (
        <Banner key={note} tone="info">
          {note}
        </Banner>
      ))}
      {!manages ? (
        <Panel>
          <Empty kind="not-allowed" title="Only Account Owners configure chat services">
            {refusal}.
          </Empty>
        </Panel>
      ) : isConnected ? (
        <Channels service={service} />
      ) : (
        <Panel>{slack && <NotConnected />}</Panel>
      )}
      {service === 'slack' && <SlackSetup />}
    </>
  );
}

function ServiceActions({ service }: { service: ChatServiceName }) {
  const [, setOpen] = useSetupOpen('slack');
  const [asking, { open, close }] = useDisclosure(false);
  return (
    <>
      {service === 'slack' && (
        <Button variant="default" onClick={() => setOpen(true)}>
          Change token
        </Button>
      )}
      <Button variant="default" onClick={open}>
        Disconnect
      </Button>
      <DisconnectChat service={service} opened={asking} onClose={close} />
    </>
  );
}

function NotConnected() {
  const [, setOpen] = useSetupOpen('slack');
  return (
    <Empty
      kind="nothing-yet"
      title="Slack is not connected"
      action={<Button onClick={() => setOpen(true)}>Connect Slack</Button>}
    >
      Connect a workspace to send notifications to its channels and people.
    </Empty>
  );
}

function Channels({ service }: { service: ChatServiceName }) {
  const list = usePagedList(listChatChannels, { input: (query) => ({ query: { ...query, service: [service] } }) });
  const [adding, setAdding] = useState(false);
  const navigate = useNavigate();
  const add = useChange(
    ({ channel, name, url, ...settings }: ChannelDraft) =>
      call(addChatChannel, {
        body: service === 'slack' ? { service, channel, ...settings } : { service, name, url, ...settings },
      }),
    (channel) => {
      setAdding(false);
      navigate(channelHref(channel));
    },
    { quiet: true },
  );
  const button = (
    <Button
      leftSection={<IconPlus size={15} aria-hidden />}
      onClick={() => {
        add.reset();
        setAdding(true);
      }}
    >
      Add channel
    </Button>
  );
  return (
    <>
      {!list.isEmptyUnfiltered && !list.failure && (
        <Filters end={button}>
          <SearchBox
            label="Search channels"
            value={list.query.search}
            onChange={(search) => list.setQuery({ search })}
          />
        </Filters>
      )}
      <ListTable
        views="chat-channels"
        list={list}
        label="Channels"
        noun="channels"
        tall
        columns={channelColumns}
        rowKey={({ id }) => id}
        rowHref={channelHref}
        empty={
          <Empty kind="nothing-yet" title="No channels" action={button}>
            Everyone in a channel reads its notifications, regardless of their role in Sightline.
            {service === 'teams' &&
              ' Teams shows each notification as a card of its own, because workflows cannot reply.'}
          </Empty>
        }
        noMatch="No channel matches"
      />
      {adding && <ChannelDialog service={service} save={add} onClose={() => setAdding(false)} />}
    </>
  );
}
