import type { ApiError } from '@sightline/contract/core/client.ts';
import type { ReactNode } from 'react';
import { Empty } from '#ui/Empty.tsx';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';

/** How often the pages reload: no realtime event announces jobs. */
export const REFETCH_MS = 10_000;

export const operatorPaths = { jobs: '/operator', failures: '/operator/failures' } as const;

const tabs = [
  { label: 'Background jobs', href: operatorPaths.jobs },
  { label: 'Imports and deliveries', href: operatorPaths.failures },
];

interface OperatorPageProps {
  current: (typeof operatorPaths)[keyof typeof operatorPaths];
  /** Why the content could not be loaded. */
  failure: ApiError | undefined;
  children: ReactNode;
}

/** The frame of the pages for operators of the installation. Others see how an operator is appointed. */
export const OperatorPage = ({ current, failure, children }: OperatorPageProps) => (
  <>
    <PageHeader title="Operator" note="Background work of all organizations of this installation." />
    {failure?.refusal?.code === 'forbidden' ? (
      <Panel>
        <Empty kind="not-allowed" title="Only operators of this installation have access">
          The person who runs the server can give you access with <code>sightline user operator ADDRESS on</code>.
        </Empty>
      </Panel>
    ) : (
      <>
        <LinkTabs label="Operator" current={current} tabs={tabs} />
        {children}
      </>
    )}
  </>
);
