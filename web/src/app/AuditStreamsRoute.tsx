import { Reauthentication } from '#features/account/Reauthentication.tsx';
import { AuditStreamsPage } from '#features/audit-streams/AuditStreamsPage.tsx';

/** Where the audit log is streamed to; the server wants to know who changes that. */
export const AuditStreamsRoute = () => (
  <Reauthentication>
    <AuditStreamsPage />
  </Reauthentication>
);
