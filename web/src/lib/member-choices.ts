import { listMembers } from '@sightline/contract/organization/members.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from './api.ts';
import { hasPermission, useSession } from './session.ts';

interface MemberChoice {
  value: string;
  label: string;
}

/** The choices of a searchable field for an active member, and its search. */
interface MemberChoices {
  choices: readonly MemberChoice[];
  onSearchChange: (text: string) => void;
}

/** Loads active members for a field. `known` are choices without a search: the current value, or the user. */
export function useMemberChoices(known: readonly { id: string; name: string }[]): MemberChoices {
  const [search, setSearch] = useState('');
  const { data } = useQuery({
    ...endpointQuery(listMembers, { query: { search, sort: 'name-asc', perPage: 50, role: [], status: ['active'] } }),
    // Other members are not shown to roles that do not see them.
    enabled: hasPermission(useSession(), 'read:org-members'),
    meta: { quiet: true },
  });
  const found = (data?.rows ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const first = known
    .map(({ id, name }) => ({ value: id, label: name }))
    .filter(
      ({ value }, index, all) =>
        !found.some((one) => one.value === value) && all.findIndex((one) => one.value === value) === index,
    );
  const choices = [...first, ...found];
  return {
    choices,
    onSearchChange: (text) => setSearch(choices.some(({ label }) => label === text) ? '' : text),
  };
}
