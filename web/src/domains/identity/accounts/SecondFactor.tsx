import { Button } from '@mantine/core';
import { getSecondFactors, type SecondFactors } from '@sightline/contract/identity/second-factors.ts';
import { IconDeviceMobile, IconFingerprint, IconLifebuoy } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { endpointQuery, keyOf } from '#lib/api.ts';
import { supportsPasskeys } from '#lib/passkey.ts';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import { Failure } from '#ui/Failure.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Account.module.css';
import { AccountListItem } from './Row.tsx';
import { AccountSection, SkeletonRows } from './Section.tsx';

const AddAppDialog = lazy(async () => ({ default: (await import('./AddAppDialog.tsx')).AddAppDialog }));
const AddPasskeyDialog = lazy(async () => ({ default: (await import('./AddPasskeyDialog.tsx')).AddPasskeyDialog }));
const RecoveryCodesDialog = lazy(async () => ({
  default: (await import('./RecoveryCodesDialog.tsx')).RecoveryCodesDialog,
}));
const RenewCodesDialog = lazy(async () => ({ default: (await import('./RenewCodesDialog.tsx')).RenewCodesDialog }));
const RemoveFactorDialog = lazy(async () => ({
  default: (await import('./RemoveFactorDialog.tsx')).RemoveFactorDialog,
}));

type Passkey = SecondFactors['passkeys'][number];
type Open = 'app' | 'passkey' | 'renew' | { remove: 'app' | Passkey };

/** The second factors: an authenticator app, passkeys, and recovery codes as a fallback. */
export function SecondFactor() {
  const { data, error, refetch } = useQuery({ ...endpointQuery(getSecondFactors, {}), meta: { quiet: true } });
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<Open>();
  const [codes, setCodes] = useState<readonly string[]>();
  const close = () => setOpen(undefined);
  const update = (secondFactors: SecondFactors, recoveryCodes: readonly string[] | null = null) => {
    queryClient.setQueryData(keyOf(getSecondFactors, {}), secondFactors);
    close();
    if (recoveryCodes !== null) setCodes(recoveryCodes);
  };
  const on = data !== undefined && data.recoveryCodesLeft !== null;
  return (
    <AccountSection
      id="second-factor"
      title="Second factor"
      flush
      aside={data && <StatusDot tone={on ? 'green' : 'gray'}>{on ? 'On' : 'Off'}</StatusDot>}
    >
      {error && !data ? (
        <Failure title="Your second factor could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={3} />
      ) : (
        <>
          <p className={s.quiet}>{wordsOf(data)}</p>
          <ul>
            <App totp={data.totp} onAdd={() => setOpen('app')} onRemove={() => setOpen({ remove: 'app' })} />
            {data.passkeys.map((passkey) => (
              <Key key={passkey.id} passkey={passkey} onRemove={() => setOpen({ remove: passkey })} />
            ))}
            <AccountListItem
              icon={<IconFingerprint size={20} stroke={1.6} aria-hidden />}
              name={data.passkeys.length === 0 ? 'Passkey' : 'Another passkey'}
              meta="Your fingerprint, face or PIN on this device, or a security key"
            >
              <DisabledReason reason={supportsPasskeys() ? undefined : 'This browser does not support passkeys.'}>
                <Button variant="default" disabled={!supportsPasskeys()} onClick={() => setOpen('passkey')}>
                  Add a passkey
                </Button>
              </DisabledReason>
            </AccountListItem>
            {data.recoveryCodesLeft !== null && (
              <Codes left={data.recoveryCodesLeft} onRenew={() => setOpen('renew')} />
            )}
          </ul>
        </>
      )}
      <Suspense>
        {open === 'app' && <AddAppDialog onClose={close} onAdded={update} />}
        {open === 'passkey' && <AddPasskeyDialog onClose={close} onAdded={update} />}
        {open === 'renew' && <RenewCodesDialog onClose={close} onRenewed={update} />}
        {typeof open === 'object' && <RemoveFactorDialog factor={open.remove} onClose={close} onRemoved={update} />}
        {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
      </Suspense>
    </AccountSection>
  );
}

function wordsOf({ requiredBy, recoveryCodesLeft }: SecondFactors): string {
  const [first, ...others] = requiredBy;
  const required =
    first === undefined
      ? ''
      : ` ${[first, ...others].join(', ')} ${others.length === 0 ? 'requires' : 'require'} one of every member.`;
  return recoveryCodesLeft === null
    ? `A second factor protects your account if your password is exposed.${required}`
    : `Sightline asks for one of these after sign-in.${required}`;
}

interface AppProps {
  totp: SecondFactors['totp'];
  onAdd: () => void;
  onRemove: () => void;
}

const App = ({ totp, onAdd, onRemove }: AppProps) => (
  <AccountListItem
    icon={<IconDeviceMobile size={20} stroke={1.6} aria-hidden />}
    name="Authenticator app"
    meta={
      totp ? (
        <>
          Added <TimeAgo at={totp.addedAt} />
        </>
      ) : (
        'An app on your phone that shows a new code every 30 seconds'
      )
    }
  >
    {totp ? (
      <Button variant="default" aria-label="Remove the authenticator app" onClick={onRemove}>
        Remove
      </Button>
    ) : (
      <Button variant="default" onClick={onAdd}>
        Set up
      </Button>
    )}
  </AccountListItem>
);

const Key = ({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) => (
  <AccountListItem
    icon={<IconFingerprint size={20} stroke={1.6} aria-hidden />}
    name={passkey.name}
    meta={
      <>
        {passkey.synced ? 'Synced passkey' : 'Device-bound passkey'} · added <TimeAgo at={passkey.addedAt} /> ·{' '}
        {passkey.lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used <TimeAgo at={passkey.lastUsedAt} />
          </>
        )}
      </>
    }
  >
    <Button variant="default" aria-label={`Remove ${passkey.name}`} onClick={onRemove}>
      Remove
    </Button>
  </AccountListItem>
);

const warnAt = 3;

const Codes = ({ left, onRenew }: { left: number; onRenew: () => void }) => (
  <AccountListItem
    icon={<IconLifebuoy size={20} stroke={1.6} aria-hidden />}
    name="Recovery codes"
    meta={
      left > warnAt ? `${left} unused` : <StatusDot tone="yellow">{`${left} unused. Create new codes soon.`}</StatusDot>
    }
  >
    <Button variant="default" onClick={onRenew}>
      Create new codes
    </Button>
  </AccountListItem>
);
