import { roleNames } from '@sightline/contract/core/permissions.ts';
import type { Organization } from '@sightline/contract/organization/organizations.ts';
import { docsHref } from '#lib/docs.ts';
import { useSession } from '#lib/session.ts';
import { DocsLink } from '#ui/DocsLink.tsx';
import { Facts } from '#ui/Facts.tsx';
import { Link } from '#ui/Link.tsx';
import s from './Authorize.module.css';

interface WhoProps {
  program: string;
  device: string;
  side: 'browser' | 'ide';
  organization: Organization;
}

/** Shows the account, the device and the organization of the sign-in. */
export function SignInSummary({ device, organization }: Pick<WhoProps, 'device' | 'organization'>) {
  const email = useSession()?.email;
  return (
    <div className={s.who}>
      <Facts
        side
        items={[
          ['Account', email ?? ''],
          ['Organization', organization.displayName],
          ['Role', roleNames[organization.role]],
          ...(device === '' ? [] : [['Device', device] as const]),
        ]}
      />
    </div>
  );
}

/** Lists the permissions of the extension. */
export const ExtensionPermissions = ({ program, side }: Pick<WhoProps, 'program' | 'side'>) => (
  <div className={s.does}>
    <p>The extension will be able to:</p>
    <ul>
      {abilities[side].map((ability) => (
        <li key={ability}>{ability}</li>
      ))}
    </ul>
    <p>
      It has no other access to the organization. Wrong organization?{' '}
      <Link className="link" href="/organizations">
        Choose another organization
      </Link>
      , then sign in again from {program}.
    </p>
    <p>
      <DocsLink href={docsHref('privacy')}>Collected data, field by field</DocsLink>
    </p>
  </div>
);

const abilities = {
  ide: [
    'show you as connected while the editor is open',
    'report your commits, your editor extensions and the amount of copied text, never its content',
  ],
  browser: [
    'show you as connected while the browser is open',
    'report visits to developer sites by host and the amount of copied text, never its content',
  ],
} as const;
