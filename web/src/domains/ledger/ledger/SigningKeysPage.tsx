import { Button } from '@mantine/core';
import {
  type Ledger,
  ledgerCosignerKeysPath,
  ledgerKeyPath,
  ledgerKeysPath,
  ledgerPemPath,
} from '@sightline/contract/ledger/ledger.ts';
import { parseVerifier } from '@sightline/evidence/ledger/note.ts';
import { keyIdOf, pemOf } from '@sightline/evidence/ledger/pem.ts';
import { IconPrinter } from '@tabler/icons-react';
import { docsHref } from '#lib/docs.ts';
import { useSession } from '#lib/session.ts';
import { Facts } from '#ui/Facts.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { Exact } from './Exact.tsx';
import s from './Ledger.module.css';
import { LedgerPlaceholder } from './LedgerPlaceholder.tsx';
import { useLedger } from './useLedger.ts';

/** Lists the public keys of the ledger to print, and the public address where auditors compare them. */
export function SigningKeysPage() {
  const ledger = useLedger();
  const { data } = ledger;
  return (
    <>
      <PageHeader
        title="Signing keys"
        back={{ label: 'Ledger', href: '/ledger' }}
        help={{ href: docsHref('ledger'), about: 'the signing keys' }}
        note="Auditors verify evidence with these keys. They should receive them apart from the evidence."
        actions={
          data && (
            <Button
              variant="default"
              leftSection={<IconPrinter size={15} aria-hidden />}
              onClick={() => window.print()}
            >
              Print
            </Button>
          )
        }
      />
      {data ? (
        <div className={s.stack}>
          <PublicAddress />
          {data.epochs.toReversed().map((epoch) => (
            <EpochKeys key={epoch.epoch} epoch={epoch} />
          ))}
        </div>
      ) : (
        <LedgerPlaceholder ledger={ledger} noun="keys" />
      )}
    </>
  );
}

function PublicAddress() {
  const session = useSession();
  const addressOf = (path: string) => new URL(path, window.location.origin).href;
  const organization = session?.organization ?? '';
  return (
    <Panel title="Public address">
      <Exact value={addressOf(ledgerKeysPath(organization))} label="Copy address" />
      <p className={s.hint}>It returns the same keys without signing in, one per line.</p>
      <Exact value={addressOf(ledgerPemPath(organization))} label="Copy address of PEM keys" />
      <p className={s.hint}>It returns them as PEM, newest first, for programs that verify SLSA statements.</p>
      <Exact value={addressOf(ledgerCosignerKeysPath(organization))} label="Copy address of ML-DSA-44 keys" />
      <p className={s.hint}>
        It returns the keys that also sign the checkpoint for readers of the log, and are safe against quantum
        computers.
      </p>
    </Panel>
  );
}

function EpochKeys({ epoch: { epoch, origin, keys, closedAt } }: { epoch: Ledger['epochs'][number] }) {
  const items = [
    ['Name', <Exact key="name" value={origin} label="Copy name" />],
    ...keys.map(
      (key, index) =>
        [
          closedAt === null && index === keys.length - 1 ? 'Current key' : `Former key ${index + 1}`,
          <Exact key={key} value={key} label="Copy key" />,
        ] as const,
    ),
  ] as const;
  return (
    <Panel title={`Epoch ${epoch}`}>
      <Facts side items={items} />
      {keys.toReversed().map((key) => (
        <PemKey key={key} vkey={key} />
      ))}
      {closedAt !== null && (
        <p className={s.hint}>
          Closed <TimeAgo at={closedAt} />. Its keys verify evidence of that time.
        </p>
      )}
    </Panel>
  );
}

/** A key as PEM, with the ID that signed statements contain. */
function PemKey({ vkey }: { vkey: string }) {
  const session = useSession();
  const { publicKey } = parseVerifier(vkey);
  const id = keyIdOf(publicKey);
  return (
    <div className={s.pem}>
      <p className={s.hint}>
        PEM of key ID <code>{id}</code>,{' '}
        <a className="link" href={ledgerKeyPath(session?.organization ?? '', id)} download={`${id}.pem`}>
          download
        </a>
      </p>
      <pre>{pemOf(publicKey)}</pre>
    </div>
  );
}
