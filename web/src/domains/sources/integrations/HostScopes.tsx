import { Button, Checkbox } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  type ConnectableHost,
  getHostConnection,
  type HostConnection,
  listHostWorkspaces,
  selectHostWorkspaces,
  testHost,
} from '@sightline/contract/sources/host-connections.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery, keyOf } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { Failure } from '#ui/Failure.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { toast } from '#ui/toast.ts';
import { GitlabStatusCheck } from './GitlabStatusCheck.tsx';
import { HostDisconnectDialog } from './HostDisconnectDialog.tsx';
import { HostFacts } from './HostFacts.tsx';
import { coveringScopePath, type SelectableHostScope } from './host-scopes.ts';
import { hostTermsOf } from './hostTerms.ts';
import s from './Places.module.css';
import setup from './Setup.module.css';
import { useReturnPath } from './setupAddress.ts';

interface HostPlacesProps {
  host: ConnectableHost;
  connection: HostConnection;
  onChange: () => void;
  onClose: () => void;
}

const searchThreshold = 8;

/** Shows the connection of a host and selects the groups or workspaces to import. */
export function HostScopes({ host, connection, onChange, onClose }: HostPlacesProps) {
  const params = { provider: host };
  const { one, many } = hostTermsOf(host);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const onward = useReturnPath();
  const [asking, disconnecting] = useDisclosure(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const [search, setSearch] = useState('');
  const scopes = useQuery({
    ...endpointQuery(listHostWorkspaces, { params }),
    enabled: connection.failure === null,
    meta: { quiet: true },
  });
  const picked = chosen ?? new Set((scopes.data ?? []).filter((scope) => scope.selected).map(({ id }) => id));
  const save = useMutation({
    mutationFn: () => call(selectHostWorkspaces, { params, body: { ids: [...picked] } }),
    onSuccess: (state) => {
      queryClient.setQueryData(keyOf(getHostConnection, { params }), state);
      const offered = (state.connection?.workspaces ?? []).reduce((sum, { repositories }) => sum + repositories, 0);
      toast.success(
        `${offered === 1 ? 'One repository is' : `${offered} repositories are`} available. Select repositories to enable.`,
      );
      if (offered > 0) navigate(onward ?? '/organization/repositories');
      else onClose();
    },
    meta: { quiet: true },
  });
  const test = useChange(
    () => call(testHost, { params }),
    ({ ok, problem, missing }) => {
      if (!ok) toast.error(problem ?? 'The code host gave no reason.', 'Connection failed');
      else toast.success(['Connection succeeded.', ...missing].join(' '));
    },
    { failed: 'The connection could not be tested.' },
  );
  const toggle = (id: string) => {
    save.reset();
    const next = new Set(picked);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return (
    <div className={setup.form}>
      <div className={setup.fields}>
        {connection.failure !== null && <Banner tone="error">{connection.failure}</Banner>}
        {connection.missing.map((sentence) => (
          <Banner key={sentence} tone="info">
            {sentence}
          </Banner>
        ))}
        <HostFacts host={host} connection={connection} />
        <div className={s.buttons}>
          <Button variant="default" size="xs" loading={test.isPending} onClick={() => test.mutate()}>
            Test connection
          </Button>
        </div>
        {connection.failure === null && (
          <fieldset className={s.places}>
            <legend>Which {many} are read?</legend>
            {scopes.error && (
              <Failure
                title={`The ${many} could not be loaded`}
                error={scopes.error}
                onRetry={() => void scopes.refetch()}
              />
            )}
            {scopes.isPending && (
              <p className="dim" role="status" aria-busy>
                Loading the {many}
              </p>
            )}
            {scopes.data?.length === 0 && (
              <p className="dim">
                {connection.login} is not a member of any {one} there. Give them a role in one, or connect another
                account.
              </p>
            )}
            {scopes.data && scopes.data.length > searchThreshold && (
              <SearchBox label={`Search ${many}`} value={search} onChange={setSearch} />
            )}
            <ScopeList scopes={matching(scopes.data ?? [], search)} picked={picked} onToggle={toggle} />
          </fieldset>
        )}
        {host === 'gitlab' && <GitlabStatusCheck />}
        {save.error && <Banner tone="error">{errorMessageOf(save.error, 'Not saved. Try again.')}</Banner>}
      </div>
      <div className={setup.actions}>
        <Button variant="default" onClick={disconnecting.open}>
          Disconnect
        </Button>
        <Button variant={connection.failure === null ? 'default' : 'filled'} onClick={onChange}>
          Connect again
        </Button>
        <span className={setup.spring} />
        {connection.failure === null && (
          <Button
            disabled={!scopes.data || chosen === undefined}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            Save
          </Button>
        )}
      </div>
      <HostDisconnectDialog host={host} opened={asking} onClose={disconnecting.close} />
    </div>
  );
}

interface ListProps {
  scopes: readonly SelectableHostScope[];
  picked: ReadonlySet<string>;
  onToggle: (id: string) => void;
}

/** A group inside a selected group is imported with it, so it has no checkbox. */
const ScopeList = ({ scopes, picked, onToggle }: ListProps) => (
  <ul className={s.list}>
    {scopes.map((scope) => {
      const covering = coveringScopePath(scope, scopes, picked);
      return (
        <li key={scope.id}>
          <Checkbox
            label={
              <>
                {scope.path}
                {covering !== undefined && <span className={s.above}>Read with {covering}</span>}
              </>
            }
            checked={picked.has(scope.id) || covering !== undefined}
            disabled={covering !== undefined}
            onChange={() => onToggle(scope.id)}
          />
        </li>
      );
    })}
  </ul>
);

const matching = (scopes: readonly SelectableHostScope[], search: string): readonly SelectableHostScope[] =>
  scopes.filter(({ path, name }) => `${path} ${name}`.toLowerCase().includes(search.trim().toLowerCase()));
