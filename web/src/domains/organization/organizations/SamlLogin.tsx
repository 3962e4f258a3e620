import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  disconnectSaml,
  getSamlLogin,
  type SamlLogin as Login,
  samlProblemTexts,
} from '@sightline/contract/identity/saml.ts';
import { useQuery } from '@tanstack/react-query';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { Banner } from '#ui/Banner.tsx';
import { useNow } from '#ui/Clock.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { formatDay } from '#ui/days.ts';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { toast } from '#ui/toast.ts';
import { SamlDialog } from './SamlDialog.tsx';
import s from './Settings.module.css';

/** The SAML identity provider of the organization, for its owners. */
export function SamlLogin({ hasDomain, mayChange }: { hasDomain: boolean; mayChange: boolean }) {
  const { data } = useQuery({ ...endpointQuery(getSamlLogin, {}), enabled: mayChange, meta: { quiet: true } });
  const [connecting, { open: connect, close: stop }] = useDisclosure(false);
  if (!mayChange || !data) return null;
  const { login, service } = data;
  return (
    <div className={s.saml}>
      <div className={s.setting}>
        <div>
          <h3 className={s.what}>SAML 2.0</h3>
          <p>
            {login !== null ? (
              <Summary login={login} />
            ) : hasDomain ? (
              'No SAML identity provider is connected.'
            ) : (
              'To connect a SAML identity provider, first verify a domain of your organization.'
            )}
          </p>
        </div>
        {login === null && (
          <Button variant="default" disabled={!hasDomain} onClick={connect}>
            Connect SAML
          </Button>
        )}
      </div>
      {login !== null && <Connected login={login} onChange={connect} />}
      {connecting && <SamlDialog login={login} service={service} onClose={stop} />}
    </div>
  );
}

const Summary = ({ login: { label, entityId, lastSignInAt } }: { login: Login }) => (
  <>
    {label} ({entityId}).{' '}
    {lastSignInAt === null ? (
      'No sign-in yet.'
    ) : (
      <>
        Last sign-in <TimeAgo at={lastSignInAt} />.
      </>
    )}
  </>
);

function Connected({ login, onChange }: { login: Login; onChange: () => void }) {
  const [asking, { open: ask, close: keep }] = useDisclosure(false);
  const disconnect = useChange(
    () => call(disconnectSaml, {}),
    () => {
      toast.success('The SAML login is disconnected.');
      keep();
    },
  );
  const { problem, certificates } = login;
  return (
    <>
      {problem !== null && (
        <Banner tone="warning">
          The last response was refused <TimeAgo at={problem.at} />. {samlProblemTexts[problem.reason]}
        </Banner>
      )}
      <ul aria-label="Certificates">
        {certificates.map((one) => (
          <Certificate key={one.fingerprint} {...one} />
        ))}
      </ul>
      <div className={s.buttons}>
        <Button variant="default" component="a" href={login.testUrl} target="_blank" rel="noreferrer">
          Test sign-in
        </Button>
        <CopyButton value={login.startUrl} label="Copy sign-in link" />
        <Button variant="default" component="a" href={login.service.metadataUrl} download>
          Download metadata
        </Button>
        <Button variant="default" aria-label="Change SAML" onClick={onChange}>
          Change
        </Button>
        <Button variant="default" aria-label="Disconnect SAML" onClick={ask}>
          Disconnect
        </Button>
      </div>
      <ConfirmDialog
        opened={asking}
        onClose={keep}
        title="Disconnect the SAML login?"
        confirm="Disconnect"
        danger
        pending={disconnect.isPending}
        onConfirm={() => disconnect.mutate()}
      >
        Sessions that began with it end. Members need another sign-in method.
      </ConfirmDialog>
    </>
  );
}

const WARNING_DAYS = 30;
const dayMs = 86_400_000;

function Certificate({ fingerprint, expiresAt }: Login['certificates'][number]) {
  const left = Date.parse(expiresAt) - useNow();
  const tone = left <= 0 ? 'red' : left < WARNING_DAYS * dayMs ? 'yellow' : 'green';
  return (
    <li className={s.certificate}>
      <StatusDot tone={tone}>
        Certificate {left <= 0 ? 'expired on' : 'valid until'} {formatDay(expiresAt)}
      </StatusDot>
      <code title={fingerprint}>SHA-256 {fingerprint.slice(0, 23)}…</code>
    </li>
  );
}
