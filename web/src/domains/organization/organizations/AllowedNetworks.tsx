import { Button, Textarea } from '@mantine/core';
import type { OrganizationSecurity } from '@sightline/contract/organization/organization-security.ts';
import { useState } from 'react';
import { errorMessageOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import s from './Settings.module.css';
import { useUpdateSecurity } from './useUpdateSecurity.ts';

interface AllowedNetworksProps {
  security: OrganizationSecurity;
  mayChange: boolean;
}

/** Shows and edits the networks that members may connect from. */
export function AllowedNetworks({ security, mayChange }: AllowedNetworksProps) {
  const [isChanging, setChanging] = useState(false);
  const { allowedNetworks } = security;
  return (
    <div className={s.setting}>
      <div>
        <h3 className={s.what}>Networks</h3>
        <p>
          {allowedNetworks.length === 0
            ? 'Members can sign in from any network.'
            : `Members and their extensions can connect only from ${allowedNetworks.join(', ')}.`}
        </p>
      </div>
      {mayChange && (
        <Button variant="default" onClick={() => setChanging(true)}>
          Allow networks
        </Button>
      )}
      {isChanging && <NetworksDialog security={security} onClose={() => setChanging(false)} />}
    </div>
  );
}

function NetworksDialog({ security, onClose }: { security: OrganizationSecurity; onClose: () => void }) {
  const [text, setText] = useState(security.allowedNetworks.join('\n'));
  const save = useUpdateSecurity('The allowed networks are saved.', onClose);
  return (
    <FormDialog
      title="Allow networks"
      submit="Save"
      ready
      pending={save.isPending}
      problem={save.error ? errorMessageOf(save.error, 'Not saved. Try again.') : undefined}
      onClose={onClose}
      onSubmit={() => save.mutate({ allowedNetworks: text.split(/[\s,]+/).filter((line) => line !== '') })}
    >
      <p>
        Members and their extensions are denied access from other networks. Builds that upload with an access key and
        auditors in a portal are not restricted.
      </p>
      <Textarea
        label="Networks"
        description="IP addresses or CIDR ranges, one per line. Leave empty to allow all networks."
        placeholder={security.yourAddress ?? '203.0.113.0/24'}
        autosize
        minRows={3}
        maxRows={10}
        value={text}
        data-autofocus
        onChange={({ currentTarget }) => {
          save.reset();
          setText(currentTarget.value);
        }}
      />
      {security.yourAddress !== null && <p>Your IP address is {security.yourAddress}.</p>}
    </FormDialog>
  );
}
