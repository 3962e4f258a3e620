import { type ReactNode, useState } from 'react';
import { Shell } from '#app/shell/Shell.tsx';
import { ConnectionStrip, EnvironmentStrip } from '#app/shell/Strips.tsx';

const organizations = [
  { id: 'kestrel', name: 'Kestrel Payments' },
  { id: 'auditwell', name: 'Auditwell' },
];

/** The shell with both strips; without an organization it shows the red dot and a missing extension. */
export function Frame({ organization = true, children }: { organization?: boolean; children: ReactNode }) {
  const [active, setActive] = useState(organization ? 'kestrel' : '');
  return (
    <Shell
      has={() => true}
      path="/repositories"
      flags={{ vulnerabilities: true, releaseTwo: true }}
      strips={
        <>
          {!organization && <EnvironmentStrip label="Not a production server" />}
          <ConnectionStrip lost={!organization} />
        </>
      }
      organization={{ organizations, activeId: active, onChoose: setActive, manageHref: '/organizations' }}
      account={{
        user: { name: 'Maya Lindqvist', email: 'maya@kestrelpay.example' },
        extensions: [
          { label: 'Browser extension', connected: true },
          { label: 'Editor extension', connected: organization },
        ],
        showNotifications: true,
        profileHref: '/maya',
        getExtensionsHref: undefined,
        accountHref: '/account',
        personalDataHref: '/me/personal-data',
        isOperator: true,
        onEmployeeSettings: () => undefined,
        onLogout: () => undefined,
      }}
      documentationHref="#documentation"
      onPalette={() => undefined}
    >
      {children}
    </Shell>
  );
}
