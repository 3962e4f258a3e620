import { Button } from '@mantine/core';
import type { ContextFilter } from '@sightline/contract/timeline/contexts.ts';
import { getContext } from '@sightline/contract/timeline/events.ts';
import { IconFilterFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import s from './Explore.module.css';

/** Names the context of a link into Explore. The context can only be removed entirely. */
export function ContextBanner({ contextId, onRemove }: { contextId: string; onRemove: () => void }) {
  const { data, isError } = useQuery({
    ...endpointQuery(getContext, { params: { contextId } }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
  return (
    <section className={s.context} aria-label="Context">
      <IconFilterFilled size={13} aria-hidden />
      <div className={s.contextText}>
        <span className={s.contextLabel}>Context</span>
        {isError && <span className="dim">not found</span>}
        <ul className={s.contextFilters}>
          {data?.filters.map((filter) => (
            <li key={JSON.stringify(filter)}>
              {nameOf(filter)} {verbs[filter.predicate]} <b>{filter.arguments.join(', ')}</b>
            </li>
          ))}
        </ul>
      </div>
      <Button variant="subtle" size="compact-sm" className={s.removeContext ?? ''} onClick={onRemove}>
        Remove context
      </Button>
    </section>
  );
}

const nameOf = ({ within, field }: ContextFilter) => names[`${within}.${field}`] ?? field;

const names: Record<string, string> = {
  'event.kind': 'kind',
  'event.as_of': 'time',
  'event.words': 'words',
  'repository.fullName': 'repository',
  'repository.id': 'repository',
  'pull_request.number': 'pull request',
  'user.login': 'person',
  'user.email': 'person',
  'user.id': 'person',
  'tool.id': 'tool',
  'file.path': 'file',
  'branch.name': 'branch',
  'sha.sha': 'commit',
  'commit.sha': 'commit',
  'data_source.id': 'source',
  'browser.name': 'browser',
  'website.host': 'site',
};

const verbs: Record<ContextFilter['predicate'], string> = {
  is: 'is',
  'is-not': 'is not',
  in: 'is one of',
  'not-in': 'is none of',
  before: 'before',
  after: 'after',
  contains: 'contains',
  exists: 'exists',
};
