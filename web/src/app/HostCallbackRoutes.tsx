import { HostCallbackPage } from '#domains/sources/integrations/HostCallbackPage.tsx';

export const GitlabCallbackRoute = () => <HostCallbackPage host="gitlab" />;
export const BitbucketCallbackRoute = () => <HostCallbackPage host="bitbucket" />;
