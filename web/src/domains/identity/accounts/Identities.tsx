import { Button } from '@mantine/core';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import {
  type LoginIdentity,
  listConnections,
  listIdentities,
  passwordConnection,
  unlinkIdentity,
} from '@sightline/contract/identity/identities.ts';
import { requestPasswordLink } from '@sightline/contract/identity/passwords.ts';
import { IconKey } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery, keyOf } from '#lib/api.ts';
import { startLinking } from '#lib/linking.ts';
import { accountSettingsPath } from '#lib/profile.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { BrandIcon } from '#ui/BrandIcon.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Tag } from '#ui/Tag.tsx';
import { toast } from '#ui/toast.ts';
import s from './Account.module.css';
import { type ConnectionOffer, missingConnections } from './offers.ts';
import { AccountListItem } from './Row.tsx';
import { AccountSection, SkeletonRows } from './Section.tsx';

/** Lists the login identities of the account, and the available ones. */
export function LoginIdentities() {
  const identities = useQuery({ ...endpointQuery(listIdentities, {}), meta: { quiet: true } });
  const connections = useQuery({ ...endpointQuery(listConnections, {}), meta: { quiet: true } });
  const [leaving, setLeaving] = useState<LoginIdentity>();
  const offers = identities.data && connections.data ? missingConnections(identities.data, connections.data) : [];
  return (
    <AccountSection id="identity" title="Authentication and identity" flush>
      {identities.error && !identities.data ? (
        <Failure
          title="Your logins could not be loaded"
          error={identities.error}
          onRetry={() => void identities.refetch()}
        />
      ) : !identities.data ? (
        <SkeletonRows rows={3} />
      ) : (
        <ul>
          {identities.data.map((identity) => (
            <Identity key={identity.id} identity={identity} onDisconnect={() => setLeaving(identity)} />
          ))}
          {offers.map((offer) => (
            <Offered key={offer.connection} offer={offer} />
          ))}
        </ul>
      )}
      {leaving && <Disconnect identity={leaving} onClose={() => setLeaving(undefined)} />}
    </AccountSection>
  );
}

const Identity = ({ identity, onDisconnect }: { identity: LoginIdentity; onDisconnect: () => void }) => {
  const { label, profileData, usedForLogin, blocked, connection } = identity;
  const user = [profileData.nickname ?? profileData.name, profileData.email].filter(Boolean).join(' · ');
  return (
    <AccountListItem
      icon={<Mark connection={connection} />}
      name={label}
      meta={user}
      tags={usedForLogin && <Tag>This login</Tag>}
    >
      <DisabledReason reason={blocked ?? undefined}>
        <Button
          variant="default"
          disabled={blocked !== null}
          aria-label={`Disconnect ${label}${user === '' ? '' : `, ${user}`}`}
          onClick={onDisconnect}
        >
          Disconnect
        </Button>
      </DisabledReason>
    </AccountListItem>
  );
};

function Offered({ offer: { connection, label, offered } }: { offer: ConnectionOffer }) {
  const connect = useMutation({
    mutationFn: async () => {
      if (connection === passwordConnection) return call(requestPasswordLink, {});
      const { url } = await startLinking(connection, accountSettingsPath);
      window.location.assign(url);
    },
    onSuccess: () => {
      if (connection === passwordConnection) toast.success('A link to set a password was sent to your email address.');
    },
    meta: { quiet: true },
  });
  const failed = connect.error;
  return (
    <AccountListItem
      icon={<Mark connection={connection} />}
      name={label}
      meta={
        failed ? (
          <span className={s.wrong}>{errorMessageOf(connect.error, 'The sign-in could not be started.')}</span>
        ) : (
          'Not connected'
        )
      }
    >
      <DisabledReason
        reason={offered ? undefined : `This server offers no sign-in with ${label} yet. Its operator can set one up.`}
      >
        <Button
          variant="default"
          disabled={!offered}
          loading={connect.isPending}
          aria-label={`Connect ${label}`}
          onClick={() => connect.mutate()}
        >
          Connect
        </Button>
      </DisabledReason>
    </AccountListItem>
  );
}

function Disconnect({ identity, onClose }: { identity: LoginIdentity; onClose: () => void }) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call(unlinkIdentity, { params: { id: identity.id } }),
    onSuccess: (left) => {
      queryClient.setQueryData(keyOf(listIdentities, {}), left);
      void queryClient.invalidateQueries({ queryKey: keyOf(getAccount) });
      toast.success(`${identity.label} is disconnected.`);
      onClose();
    },
    meta: { quiet: true },
  });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Disconnect ${identity.label}?`}
      confirm="Disconnect"
      danger
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      <p>You can no longer sign in with it. Your activity stays attributed to you, and you can connect it again.</p>
      {remove.error && <Banner tone="error">{errorMessageOf(remove.error, 'It could not be disconnected.')}</Banner>}
    </ConfirmDialog>
  );
}

const Mark = ({ connection }: { connection: string }) =>
  connection === 'github' || connection === 'google-oauth2' ? (
    <BrandIcon name={connection === 'github' ? 'github' : 'google'} size={20} />
  ) : (
    <IconKey size={20} stroke={1.6} aria-hidden />
  );
