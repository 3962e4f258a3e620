import { enterPortal } from '@sightline/contract/compliance/auditor-portals.ts';
import { useEffect, useState } from 'react';
import { call } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { useNavigate } from '#ui/Link.tsx';
import { Notice } from '#ui/Notice.tsx';
import { ClosedPortal } from './ClosedPortal.tsx';
import { PortalFocus } from './PortalFocus.tsx';
import { isNotFound, portalPageHref } from './usePortal.ts';

/** Opens a portal link: exchanges the token for a cookie and first removes it from the address. */
export function EnterPage() {
  const [token] = useState(takeToken);
  const [failure, setFailure] = useState<unknown>();
  const navigate = useNavigate();
  useEffect(() => {
    if (token === '') return;
    entering ??= call(enterPortal, { body: { token } }).finally(() => {
      entering = undefined;
    });
    entering.then(({ portalId }) => navigate(portalPageHref(portalId))).catch(setFailure);
  }, [token, navigate]);
  if (token === '' || isNotFound(failure)) return <ClosedPortal />;
  return (
    <PortalFocus>
      {failure === undefined ? (
        <p className="dim" role="status" aria-busy>
          Opening portal
        </p>
      ) : (
        <Notice title="The portal could not be opened">
          {errorMessageOf(failure, 'The server could not be reached.')} Open your link again.
        </Notice>
      )}
    </PortalFocus>
  );
}

// Each link is exchanged once, however often React renders the page.
let entering: ReturnType<typeof call<typeof enterPortal>> | undefined;

function takeToken(): string {
  const token = window.location.hash.slice(1) || storedToken;
  storedToken = token;
  window.history.replaceState(window.history.state, '', window.location.pathname);
  return token;
}
let storedToken = '';
