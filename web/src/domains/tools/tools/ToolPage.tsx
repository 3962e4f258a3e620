import { getTool } from '@sightline/contract/tools/tools.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { endpointQuery } from '#lib/api.ts';
import { Failure } from '#ui/Failure.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { ToolDetails } from './ToolDetails.tsx';
import { ToolNotFound } from './ToolNotFound.tsx';

/** Shows one tool: description, references, people and dates (spec 2.10). */
export function ToolPage() {
  const { toolId: id = '' }: { toolId?: string } = useParams({ strict: false });
  const tool = useQuery({
    ...endpointQuery(getTool, { params: { toolId: id } }),
    enabled: id !== '',
    meta: { quiet: true },
  });
  if (id === '' || tool.error?.status === 404 || tool.error?.status === 400) return <ToolNotFound />;
  if (tool.data) return <ToolDetails key={id} tool={tool.data} />;
  return (
    <>
      <PageHeader title="Tool" back={{ label: 'Tool Inventory', href: '/tools' }} />
      <Panel>
        {tool.error ? (
          <Failure title="The tool could not be loaded" error={tool.error} onRetry={() => void tool.refetch()} />
        ) : (
          <p className="dim" aria-busy>
            Loading
          </p>
        )}
      </Panel>
    </>
  );
}
