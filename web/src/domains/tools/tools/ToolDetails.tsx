import { Button } from '@mantine/core';
import { type ToolDetail, toolKindNames, toolSourceNames } from '@sightline/contract/tools/tools.ts';
import { IconTimeline } from '@tabler/icons-react';
import { z } from 'zod';
import { useFlag } from '#lib/flags.ts';
import { useShowInExplore } from '#lib/show-in-explore.ts';
import { useUrlQuery } from '#lib/url-query.ts';
import { ExternalLink } from '#ui/ExternalLink.tsx';
import { Facts } from '#ui/Facts.tsx';
import { Freshness } from '#ui/Freshness.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Tag } from '#ui/Tag.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { ApprovalCell } from './ApprovalCell.tsx';
import { PeopleOfTool } from './PeopleOfTool.tsx';
import { ProjectsOfTool } from './ProjectsOfTool.tsx';
import { ToolDetections } from './ToolDetections.tsx';
import { ToolIcon } from './ToolIcon.tsx';
import s from './Tools.module.css';
import { toolHref } from './toolsQuery.ts';

const parts = ['places', 'people', 'projects'] as const;
type DetailPart = (typeof parts)[number];

export function ToolDetails({ tool }: { tool: ToolDetail }) {
  const { id, name, icon, vendor, kind, tabs, inUse, description, website } = tool;
  const offered = parts.filter((part) => part !== 'places' || tabs.includes('ci/cd'));
  const [first = 'people'] = offered;
  const [{ part = first }] = useUrlQuery(addressOf);
  const current = offered.includes(part) ? part : first;
  const hrefOf = (to: DetailPart) => `${toolHref(id)}${to === first ? '' : `?part=${to}`}`;
  const explores = useFlag('release2');
  const showInExplore = useShowInExplore(useNavigate());
  const Shown = shown[current];
  return (
    <>
      <PageHeader
        title={name}
        back={{ label: 'Tool Inventory', href: tabs.includes('ci/cd') ? '/tools' : '/tools?tab=developer' }}
        before={<ToolIcon icon={icon} id={id} size={18} />}
        after={inUse === false ? <Tag>No longer in use</Tag> : undefined}
        note={
          <>
            <span>{description || `${toolKindNames[kind]}, not in the catalog.`}</span>
            {website !== null && <ExternalLink href={website}>{hostOf(website)}</ExternalLink>}
          </>
        }
        actions={
          explores && (
            <Button
              variant="default"
              leftSection={<IconTimeline size={15} aria-hidden />}
              loading={showInExplore.isPending}
              onClick={() => showInExplore.mutate({ of: 'tool', id })}
            >
              Show in Explore
            </Button>
          )
        }
      />
      <div className={s.grid}>
        <div className={s.main}>
          <LinkTabs
            label={name}
            current={hrefOf(current)}
            tabs={offered.map((one) => ({ label: words[one], href: hrefOf(one) }))}
          />
          <Shown key={current} id={id} />
        </div>
        <Panel flush title="Details">
          <Facts
            items={[
              ['Approval', <ApprovalCell key="approval" approval={tool.approval} />],
              ['Last seen', <Freshness key="last" at={tool.lastSeen} />],
              ['First seen', <TimeAgo key="first" at={tool.firstSeen} />],
              ['Vendor', vendor ?? 'Unknown'],
              ['Type', toolKindNames[kind]],
              ['Categories', tool.categories.join(', ') || 'None'],
              ['Newest detected version', tool.version ?? 'Unknown'],
              ['Sources', tool.sources.map((source) => toolSourceNames[source]).join(', ')],
              [
                'Identifier',
                <code key="id" className={s.whole}>
                  {id}
                </code>,
              ],
            ]}
          />
        </Panel>
      </div>
    </>
  );
}

const addressOf = z.object({ part: z.enum(parts).optional() });
const words: Record<DetailPart, string> = { places: 'References', people: 'People', projects: 'Projects' };
const shown: Record<DetailPart, (props: { id: string }) => React.ReactNode> = {
  places: ToolDetections,
  people: PeopleOfTool,
  projects: ProjectsOfTool,
};
const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).host : address);
