import { IconFileUpload, IconUsersGroup } from '@tabler/icons-react';
import { BrandIcon } from '#ui/BrandIcon.tsx';
import s from './Integrations.module.css';

/** The logo of an integration in a frame. */
export const IntegrationLogo = ({ name }: { name: string }) => (
  <span className={s.mark} aria-hidden>
    {name === 'sarif' ? (
      <IconFileUpload size={19} stroke={1.6} />
    ) : name === 'directory' ? (
      <IconUsersGroup size={19} stroke={1.6} />
    ) : (
      <BrandIcon name={brandOf[name] ?? name} size={18} />
    )}
  </span>
);

const brandOf: Record<string, string> = { 'code-scanning': 'github', 'secret-scanning': 'github' };
