import { Button } from '@mantine/core';
import { Empty } from '#ui/Empty.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { ScanningAnimation } from '#ui/ScanningAnimation.tsx';
import s from './gallery.module.css';

export const EmptyPage = () => (
  <>
    <PageHeader title="Empty states" note="Nothing yet, nothing matches, not allowed; and scanning." />
    <div className={s.grid}>
      <Panel>
        <Empty kind="nothing-yet" title="Github not connected" action={<Button>Connect GitHub</Button>}>
          Connect it to import repositories, pull requests and commits.
        </Empty>
      </Panel>
      <Panel>
        <Empty
          kind="no-match"
          title="No Pull Requests detected"
          filters={['Closed', 'Author: Yuki Tanabe', '“camt”']}
          action={<Button variant="default">Clear filters</Button>}
        >
          No results match these filters.
        </Empty>
      </Panel>
      <Panel>
        <Empty kind="not-allowed" title="Github not connected">
          Contact your organization administrator: Maya Lindqvist or Yuki Tanabe can connect it.
        </Empty>
      </Panel>
      <Panel>
        <ScanningAnimation names={['kestrel/settlement-batch', 'kestrel/ledger-api']}>
          Tools appear here as they are found. 7 of 18 repositories read.
        </ScanningAnimation>
      </Panel>
    </div>
  </>
);
