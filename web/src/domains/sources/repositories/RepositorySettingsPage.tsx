import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getRepository } from '@sightline/contract/sources/repositories.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { useManageIntegrationsRefusal, useMayManageIntegrations } from '#lib/rights.ts';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { type RepositoryAddress, useRepositoryAddress } from './address.ts';
import { DisableRepository } from './DisableRepository.tsx';
import s from './Repository.module.css';

export function RepositorySettingsPage() {
  const address = useRepositoryAddress();
  return address && <Settings address={address} />;
}

function Settings({ address: { provider, repoPath } }: { address: RepositoryAddress }) {
  const { data: repository } = useQuery({
    ...endpointQuery(getRepository, { params: { provider, repoPath } }),
    meta: { quiet: true },
  });
  const manages = useMayManageIntegrations();
  const reason = useManageIntegrationsRefusal();
  const navigate = useNavigate();
  const [asking, { open, close }] = useDisclosure(false);
  return (
    <Panel title="Disable Repository" danger>
      <div className={s.settings}>
        <p>
          Members lose access to the repository here, and Sightline stops reading its changes. What has been recorded is
          kept; enabling the repository brings it back.
          {!manages && ' Ask an Account Owner of your organization to do this.'}
        </p>
        <DisabledReason reason={reason}>
          <Button color="red" variant="outline" disabled={!manages || !repository} onClick={open}>
            Disable repository
          </Button>
        </DisabledReason>
      </div>
      {repository && (
        <DisableRepository
          repository={repository}
          opened={asking}
          onClose={close}
          onDisabled={() => navigate('/repositories')}
        />
      )}
    </Panel>
  );
}
