import { Button } from '@mantine/core';
import { getLedgerCheckpoint } from '@sightline/contract/ledger/ledger.ts';
import { IconDownload } from '@tabler/icons-react';
import { docsHref } from '#lib/docs.ts';
import { useExport } from '#lib/use-export.ts';
import { PageHeader } from '#ui/PageHeader.tsx';
import { toast } from '#ui/toast.ts';
import { Anchors } from './Anchors.tsx';
import { CheckConsistency } from './CheckConsistency.tsx';
import { EvidenceScopePanel } from './EvidenceScopePanel.tsx';
import { FindEntry } from './FindEntry.tsx';
import s from './Ledger.module.css';
import { LedgerNotice } from './LedgerNotice.tsx';
import { LedgerPlaceholder } from './LedgerPlaceholder.tsx';
import { LogAccess } from './LogAccess.tsx';
import { LogFacts } from './LogFacts.tsx';
import { SelfChecks } from './SelfChecks.tsx';
import { useLedger } from './useLedger.ts';

/** Shows the ledger of the organization: its size, its anchors, and verification without trust in this server. */
export function LedgerPage() {
  const ledger = useLedger();
  const { data } = ledger;
  const checkpoint = useExport(getLedgerCheckpoint, () => toast.success('The checkpoint is saved.'));
  const header = (
    <PageHeader
      title="Ledger"
      help={{ href: docsHref('ledger'), about: 'the ledger' }}
      note="A tamper-evident record of all events and changes. Later modifications are detectable."
      actions={
        data?.checkpoint && (
          <Button
            variant="default"
            leftSection={<IconDownload size={15} aria-hidden />}
            loading={checkpoint.state !== undefined && checkpoint.state.failure === undefined}
            onClick={() => checkpoint.start({})}
          >
            Download checkpoint
          </Button>
        )
      }
    />
  );
  if (!data) {
    return (
      <>
        {header}
        <LedgerPlaceholder ledger={ledger} noun="entries" />
      </>
    );
  }
  return (
    <>
      {header}
      <LedgerNotice ledger={data} />
      <div className={s.stack}>
        <LogFacts ledger={data} />
        <Anchors />
        <div className={s.two}>
          <FindEntry ledger={data} />
          <CheckConsistency ledger={data} />
        </div>
        <div className={s.two}>
          <SelfChecks ledger={data} />
          <LogAccess ledger={data} />
        </div>
        <EvidenceScopePanel />
      </div>
    </>
  );
}
