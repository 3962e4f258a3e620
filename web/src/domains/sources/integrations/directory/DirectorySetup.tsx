import { Button, Select } from '@mantine/core';
import {
  connectDirectory,
  type DirectoryProduct,
  directoryProductNames,
  directoryProducts,
} from '@sightline/contract/organization/directory.ts';
import { type FormEvent, useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { useMayManageIntegrations } from '#lib/rights.ts';
import { Banner } from '#ui/Banner.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { directoryPath } from '../categories.ts';
import { SecretRequirements } from '../SecretForm.tsx';
import s from '../Setup.module.css';
import { SetupDrawer } from '../SetupDrawer.tsx';
import { useSetupOpen } from '../setupAddress.ts';
import { type DefaultRole, DefaultRoleSelect } from './DefaultRoleSelect.tsx';
import { TokenDialog } from './TokenDialog.tsx';

const products = directoryProducts.map((value) => ({ value, label: directoryProductNames[value] }));

/** The form that connects a directory, in a drawer. Afterwards the token is shown once. */
export function DirectorySetup() {
  const manages = useMayManageIntegrations();
  const [isRequested, setOpen] = useSetupOpen('directory');
  const [product, setProduct] = useState<DirectoryProduct>('entra');
  const [defaultRole, setDefaultRole] = useState<DefaultRole>('rol_contributor');
  const navigate = useNavigate();
  const connect = useChange(() => call(connectDirectory, { body: { product, defaultRole } }), undefined, {
    quiet: true,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!connect.isPending) connect.mutate();
  };
  if (connect.data) {
    const finish = () => {
      connect.reset();
      navigate(directoryPath);
    };
    return <TokenDialog title="The directory is connected" answer={connect.data} onClose={finish} />;
  }
  return (
    <SetupDrawer
      mark="directory"
      title="Connect a directory"
      opened={isRequested && manages}
      onClose={() => {
        connect.reset();
        setOpen(false);
      }}
    >
      <form className={s.form} onSubmit={submit} noValidate>
        <div className={s.fields}>
          {connect.error && <Banner tone="error">{errorMessageOf(connect.error)}</Banner>}
          <Select
            label="Product"
            data={products}
            value={product}
            allowDeselect={false}
            data-autofocus
            onChange={(value) => setProduct(products.find((one) => one.value === value)?.value ?? 'other')}
          />
          <DefaultRoleSelect value={defaultRole} onChange={setDefaultRole} />
          <SecretRequirements
            title="Attributes and their purpose"
            needs={[
              'Name, email addresses and whether the user is active: to give and end memberships.',
              'Groups and their members: to give roles.',
              'Other attributes, such as telephone numbers, are ignored and not stored.',
            ]}
          />
        </div>
        <div className={s.actions}>
          <Button variant="default" onClick={() => setOpen(false)}>
            Cancel
          </Button>
          <Button type="submit" loading={connect.isPending}>
            Connect
          </Button>
        </div>
      </form>
    </SetupDrawer>
  );
}
