import { Button, UnstyledButton } from '@mantine/core';
import { type Event, eventKind } from '@sightline/contract/events.ts';
import { listRepositories } from '@sightline/contract/repositories.ts';
import { IconGitPullRequest, IconUser, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#lib/api.ts';
import { eventLooks } from '#ui/eventLooks.ts';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import s from './Explore.module.css';
import { type ExploreQuery, excludedName, isFiltered, noFilters } from './exploreQuery.ts';
import { offeredKinds } from './offeredKinds.ts';
import { suggestionsOf } from './suggestions.ts';
import { ValueFilter } from './ValueFilter.tsx';

interface Props {
  query: ExploreQuery;
  setQuery: (patch: Partial<ExploreQuery>) => void;
  events: readonly Event[] | undefined;
}

/** Kind, repository, person, pull request, and what is excluded. Every change leaves a single event's place. */
export function ExploreFilters({ query, setQuery, events = [] }: Props) {
  // spec 9: a repository lookup asks for 100 at once
  const repositories = useQuery({
    ...ask(listRepositories, { query: { perPage: 100, sort: 'name-asc' } }),
    meta: { quiet: true },
  });
  const change = (patch: Partial<ExploreQuery>) => setQuery({ event: undefined, ...patch });
  const { actors, pullRequests } = suggestionsOf(events);
  return (
    <Filters
      end={
        isFiltered(query) && (
          <Button variant="subtle" onClick={() => setQuery(noFilters)}>
            Clear filters
          </Button>
        )
      }
    >
      <MultiSelect
        name="Kind"
        options={offeredKinds.map((kind) => ({
          value: kind,
          label: eventLooks[kind].name,
          icon: <KindIcon kind={kind} />,
        }))}
        values={query.kind}
        onChange={(kinds) => change({ kind: kinds.map((kind) => eventKind.parse(kind)) })}
        emptyText="No kinds available"
      />
      <MultiSelect
        name="Repository"
        options={(repositories.data?.rows ?? []).map(({ fullName, provider }) => ({
          value: fullName,
          label: fullName,
          icon: <ProviderIcon provider={provider} size={14} />,
        }))}
        values={query.repo}
        onChange={(repo) => change({ repo, pr: undefined })}
        emptyText="No repositories available"
      />
      <ValueFilter
        label="Person: login or e-mail"
        placeholder="Login or e-mail"
        value={query.actor}
        suggestions={actors}
        width={224}
        icon={<IconUser size={15} aria-hidden />}
        onChange={(actor) => change({ actor })}
      />
      {query.repo.length === 1 && (
        <ValueFilter
          label="Pull request number"
          placeholder="Number"
          value={query.pr === undefined ? '' : String(query.pr)}
          suggestions={pullRequests}
          width={176}
          icon={<IconGitPullRequest size={15} aria-hidden />}
          digits
          onChange={(pr) => change({ pr: pr === '' ? undefined : Number(pr) })}
        />
      )}
      {query.tool !== '' && (
        <span className={s.excluded}>
          <span className="dim">Tool</span> {query.tool}
          <UnstyledButton className={s.remove ?? ''} aria-label="Clear Tool" onClick={() => change({ tool: '' })}>
            <IconX size={13} aria-hidden />
          </UnstyledButton>
        </span>
      )}
      {query.without.map((entry) => (
        <span key={entry} className={s.excluded}>
          <span className="dim">Not</span> {excludedName(entry)}
          <UnstyledButton
            className={s.remove ?? ''}
            aria-label={`Stop excluding ${excludedName(entry)}`}
            onClick={() => change({ without: query.without.filter((other) => other !== entry) })}
          >
            <IconX size={13} aria-hidden />
          </UnstyledButton>
        </span>
      ))}
    </Filters>
  );
}

function KindIcon({ kind }: { kind: (typeof offeredKinds)[number] }) {
  const { Icon, ink } = eventLooks[kind];
  return <Icon size={15} stroke={1.75} style={{ color: ink }} aria-hidden />;
}
