import { listToolPeople, listToolProjects, type Tool } from '@sightline/contract/tools/tools.ts';
import { IconGitBranch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { More } from '#ui/More.tsx';
import { Face, Faces } from '#ui/Person.tsx';
import s from './Tools.module.css';

// The maximum in a popover; the page of the tool lists all.
const maxListed = 100;

/** Shows people with a tool, and others behind '+N' (spec 2.10). For one repository, the people who added it. */
export function ToolPeopleCell({
  tool: { id, name, people, recorded },
  repositoryId,
}: {
  tool: Tool;
  repositoryId: string | undefined;
}) {
  const remaining = people.total - people.items.length;
  if (recorded?.missing.includes('people')) return <span className="dim">Not recorded</span>;
  if (people.total === 0) return <span className="dim">No people</span>;
  return (
    <span className={s.stack}>
      <Faces people={people.items} />
      {recorded ? (
        <Others count={remaining} />
      ) : (
        <More
          count={remaining}
          title={`${people.total} people ${repositoryId === undefined ? 'use' : 'added'} ${name}`}
        >
          <AllPeople id={id} repositoryId={repositoryId} />
        </More>
      )}
    </span>
  );
}

/** The number of holders at a ledger size that are not listed. */
const Others = ({ count }: { count: number }) => count > 0 && <span className="dim">+{count}</span>;

function AllPeople({ id, repositoryId: repository }: { id: string; repositoryId: string | undefined }) {
  const { data, isError } = useQuery({
    ...endpointQuery(listToolPeople, {
      params: { toolId: id },
      query: { perPage: maxListed, sort: 'name-asc', ...(repository !== undefined && { repository }) },
    }),
    meta: { quiet: true },
  });
  if (isError) return <li className="dim">Could not be loaded</li>;
  if (!data) return <li className="dim">Loading</li>;
  const people = new Map(
    data.rows.flatMap(({ person, removedAt }) => (removedAt === null ? [[person.id, person]] : [])),
  );
  return (
    <>
      {[...people.values()].map(({ id: key, name, picture }) => (
        <li key={key}>
          <Face name={name} picture={picture} size={22} />
          <span className="truncate">{name}</span>
        </li>
      ))}
      {data.total > data.rows.length && <li className="dim">See the page of the tool for all</li>}
    </>
  );
}

/** Shows the first repositories, and others behind '+N' (spec 2.10). */
export function ProjectsCell({ tool: { id, name, projects, recorded } }: { tool: Tool }) {
  if (projects.total === 0) return <span className="dim">None</span>;
  const names = projects.items.map(({ fullName }) => fullName.slice(fullName.lastIndexOf('/') + 1));
  return (
    <span className={s.stack}>
      <span className={s.projects} title={projects.items.map(({ fullName }) => fullName).join(', ')}>
        {names.join(', ')}
      </span>
      {recorded ? (
        <Others count={projects.total - projects.items.length} />
      ) : (
        <More count={projects.total - projects.items.length} title={`${projects.total} projects use ${name}`}>
          <AllProjects id={id} />
        </More>
      )}
    </span>
  );
}

function AllProjects({ id }: { id: string }) {
  const { data, isError } = useQuery({
    ...endpointQuery(listToolProjects, { params: { toolId: id }, query: { perPage: maxListed } }),
    meta: { quiet: true },
  });
  if (isError) return <li className="dim">Could not be loaded</li>;
  if (!data) return <li className="dim">Loading</li>;
  return (
    <>
      {data.rows
        .filter(({ removedAt }) => removedAt === null)
        .map(({ id: key, fullName }) => (
          <li key={key}>
            <IconGitBranch size={14} className="dim" aria-hidden />
            <span className="truncate">{fullName}</span>
          </li>
        ))}
      {data.total > data.rows.length && <li className="dim">See the page of the tool for all</li>}
    </>
  );
}
