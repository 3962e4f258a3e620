import { HostCallbackPage } from '#features/integrations/HostCallbackPage.tsx';

export const GitlabCallbackRoute = () => <HostCallbackPage host="gitlab" />;
export const BitbucketCallbackRoute = () => <HostCallbackPage host="bitbucket" />;
