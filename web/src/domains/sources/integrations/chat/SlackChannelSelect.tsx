import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { listSlackChannels } from '@sightline/contract/delivery/chat.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';

/** Selects a channel of the workspace by search. */
export function SlackChannelSelect({ onChange }: { onChange: (channel: string) => void }) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [search] = useDebouncedValue(typed, 250);
  const { data, error } = useQuery({
    ...endpointQuery(listSlackChannels, { query: { search: search.slice(0, 80) } }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const channels = data?.channels ?? [];
  return (
    <Select
      label="Channel"
      description="Private channels are listed after you invite the app there."
      placeholder="Search channels"
      searchable
      selectFirstOptionOnChange
      data-autofocus
      nothingFoundMessage={data ? 'No channel matches' : 'Loading'}
      error={error ? errorMessageOf(error, 'The channels could not be loaded.') : undefined}
      data={channels.map(({ id, name, member }) => ({
        value: id,
        label: member ? `#${name}` : `#${name} (invite the app)`,
      }))}
      value={chosen}
      onSearchChange={(value) => setTyped(value.replace(/ \(invite the app\)$/, ''))}
      onChange={(value) => {
        setChosen(value);
        onChange(value ?? '');
      }}
    />
  );
}
